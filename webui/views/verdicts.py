"""The verdicts on records that were uploaded, at an address of their own, so that going back and reloading keep them."""

from collections.abc import Sequence

from flask import Blueprint, abort, current_app, request, url_for
from flask.typing import ResponseReturnValue

from analyzer.ingest.batch import RecordOutcome
from records.validate.report import Report
from webui.games.cache import CachedGame
from webui.http.responses import json_response
from webui.pages.home import UploadVerdicts
from webui.pages.verdicts import VerdictsPage
from webui.views import game_cache, store

MOST_IN_ADDRESS = 40
"""More records have no address: it would be too long for a browser's history."""
blueprint = Blueprint("verdicts", __name__)


def verdicts_address(outcomes: Sequence[RecordOutcome]) -> str:
    """The address of the verdicts on these records; empty if there are none or too many, or if one has none.

    What leads to the verdict on a game leads to that on the record as it is stored. The same game may be sent again with
    other claims or words, and then what is wrong with them is told in the answer alone.
    """
    games = [str(each.digest) for each in outcomes if each.state != "rejected"]
    unread = [each.content for each in outcomes if each.state == "rejected"]
    if not 0 < len(outcomes) <= MOST_IN_ADDRESS:
        return ""
    if not all(map(_is_as_stored, outcomes)):
        return ""
    return url_for("verdicts.show", game=[*dict.fromkeys(games)], unread=[*dict.fromkeys(unread)])


def _is_as_stored(outcome: RecordOutcome) -> bool:
    """Whether the verdict on a record is that on the stored one of the same game, if there was one before."""
    if outcome.state != "known" or outcome.report is None:
        return True
    findings = game_cache().game(str(outcome.digest)).report.findings
    return [(each.code, each.message) for each in findings] == [
        (each.code, each.message) for each in outcome.report.findings
    ]


@blueprint.get("/verdicts")
def show() -> ResponseReturnValue:
    """The verdicts on the stored games and the unreadable records in the address."""
    return VerdictsPage(verdicts=_requested()).render()


@blueprint.get("/verdicts.json")
def show_json() -> ResponseReturnValue:
    """The reports on the stored games and the unreadable records in the address."""
    return json_response({"reports": [each.report for each in _requested().shown]})


def _requested() -> UploadVerdicts:
    """The verdicts that the address names; answers 404 if one of its games is not stored, or nothing is."""
    digests = request.args.getlist("game")[:MOST_IN_ADDRESS]
    outcomes = [_outcome(game_cache().game(digest)) for digest in digests]
    unread = store().rejected_with(request.args.getlist("unread")[:MOST_IN_ADDRESS])
    outcomes += [
        RecordOutcome(
            name=record.name,
            line=record.line,
            size=record.size,
            state="rejected",
            verdict="unreadable",
            digest=None,
            report=Report(verdict="unreadable", line=record.line, findings=record.findings),
        )
        for record in unread
    ]
    if not outcomes:
        abort(404)
    most = int(current_app.config["MAX_SHOWN_RECORDS"])
    return UploadVerdicts.of(game_cache(), outcomes, most)


def _outcome(game: CachedGame) -> RecordOutcome:
    stored = game.stored
    return RecordOutcome(
        name=stored.name,
        line=stored.line,
        size=len(game.data),
        state="stored",
        verdict=game.report.verdict,
        digest=game.digest,
        report=game.report,
    )
