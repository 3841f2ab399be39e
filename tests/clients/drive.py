"""What a program in Python does with a client that openapi-python-client has written: everything from upload to deletion.

It runs with the generated package on its path and without this repository: `drive.py ADDRESS RECORD`.
"""

import json
import sys
import time
from pathlib import Path

from generated import Client
from generated.api.analysis import review, review_job, start_review
from generated.api.deals import frames, position, what_if
from generated.api.games import delete_game, game, list_games, record, report, store_games
from generated.api.records import validate
from generated.api.rules import sheet
from generated.api.statistics import answer_question, answer_statement, explore
from generated.models import (
    InterfaceProblem,
    LineToTry,
    Record,
    ReviewJobState,
    StatementRequest,
    WantedReview,
    WantedReviewWidth,
)


def main(address: str, file: str) -> None:
    """Drive the server at this address with the record in this file."""
    client = Client(base_url=address, raise_on_unexpected_status=True)
    text = json.loads(Path(file).read_bytes())
    sent = Record.from_dict(text)
    assert sent.to_dict() == text

    assert validate.sync(client=client, body=sent).verdict == "legal"
    stored = store_games.sync(client=client, body=sent, reports=True).records[0]
    digest = stored.digest
    assert (stored.state, stored.report.verdict) == ("stored", "legal")
    assert digest in [each.digest for each in list_games.sync(client=client, sheet="bezique").games]
    assert game.sync(digest, client=client).digest == digest
    assert record.sync(digest, client=client).to_dict() == text
    assert report.sync(digest, client=client).verdict == "legal"
    assert sheet.sync("bezique", client=client).id == "bezique"

    steps = frames.sync(digest, 1, client=client).steps
    here = position.sync(digest, 1, client=client, step=0)
    other = next(each.event for each in here.choices if not each.recorded)
    tried = what_if.sync(digest, 1, client=client, body=LineToTry(step=0, events=[other]))
    assert [each.to_dict() for each in tried.events] == [other.to_dict()]
    ended = what_if.sync(digest, 1, client=client, body=LineToTry(step=0, finish=True))
    assert ended.why_none == "The deal is over."
    assert len(steps) > 2

    wanted = WantedReview(width=WantedReviewWidth.EXACT)
    job = start_review.sync(digest, client=client, body=wanted)
    until = time.monotonic() + 60
    while job.state in (ReviewJobState.WAITING, ReviewJobState.RUNNING):
        assert time.monotonic() < until
        time.sleep(0.1)
        job = review_job.sync(digest, client=client)
    found = review.sync(digest, client=client)
    assert [decision.grade for deal in found.deals for decision in deal.decisions]

    points = answer_question.sync("points_by_source", client=client)
    assert all(len(row) == len(points.columns) for row in points.rows)
    assert explore.sync(client=client, metric="points", by="sheet").rows[0][0] == "bezique"
    asked = StatementRequest(sql="SELECT sheet, names, count(*) AS games FROM games GROUP BY ALL")
    answer = answer_statement.sync(client=client, body=asked)
    assert answer.rows == [["bezique", [each.name for each in sent.players], 1]]

    assert delete_game.sync_detailed(digest, client=client).status_code == 204
    gone = game.sync(digest, client=client)
    assert isinstance(gone, InterfaceProblem)
    assert gone.status == 404


if __name__ == "__main__":
    main(*sys.argv[1:])
