"""A mapping drafted from a log converts it, or asks for what it needs."""

import io
import json
import os
import re
import tomllib
from random import Random

import pytest

from records.format import codec
from records.format.event_log import read_event_log
from records.format.log_mapping import ConversionError, compile_rules, read_mapping
from records.format.mapping_draft import draft_mapping
from records.selfplay import play_game
from records.validator import check_record
from tests.records.format.invented_logs import INVENTED

DRAFTS = int(os.environ.get("BEZIQUE_DRAFTS", "10"))
"""How many odd logs are drafted for: `BEZIQUE_DRAFTS=1000` for the proof."""
ODD_WORDS = ["", "?", "(", "[", "'", '"', "\\", "{", "\t", ";", "é", "999999999999999999999999", "$x", "null", "[]", "{}", "\x7f"]  # fmt: skip


def answered(draft: str, answers: dict[str, str]) -> str:
    """A draft with these lines in place of those right below a question; every answer has been asked for."""
    lines, open_answers = draft.splitlines(), dict(answers)
    for number, line in enumerate(lines):
        if number and lines[number - 1].startswith("# ?"):
            lines[number] = open_answers.pop(line.partition(" = ")[0], line)
    assert not open_answers
    return "\n".join(lines)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "sheet"),
    [
        *((name, "bezique") for name in INVENTED),
        ("french totals", "rubicon-bezique-recommended"),
        ("a trick a line", "rubicon-bezique"),
    ],
)
def test_a_draft_converts_the_log_once_its_questions_are_answered(name: str, sheet: str) -> None:
    format_, rules = INVENTED[name], {"rules": f'rules = {{ id = "{sheet}" }}'}
    game = json.loads(codec.encode(play_game(sheet, seed=2, deals=2)))
    log = format_.write(game).encode()
    mapping = tomllib.loads(answered(draft_mapping([("log", log)]), {**rules, **format_.answers}))
    (entry,) = read_event_log(io.BytesIO(log), name="log", mapping=mapping)
    record = codec.decode(entry.data).record
    assert record is not None
    told = json.loads(codec.encode(record))
    assert [deal["dealer"] for deal in told["deals"]] == [deal["dealer"] for deal in game["deals"]]
    for deal, original in zip(told["deals"], game["deals"], strict=True):
        assert deal["hands"] == original["hands"]
        assert deal.get("turn_up") == original.get("turn_up")
        for kind in format_.kinds:
            wanted = [event for event in original["events"] if event["type"] == kind]
            for event in wanted:
                event.pop("count", None)
                event.pop("from", None)
            assert [event for event in deal["events"] if event["type"] == kind] == wanted
    assert check_record(record).verdict in ("legal", "incomplete")


def draft_or_mistake(log: bytes) -> str:
    try:
        return draft_mapping([("log", log)])
    except ConversionError as error:
        return str(error)


@pytest.mark.long
def test_whatever_a_log_is_its_draft_is_a_mapping() -> None:
    game = json.loads(codec.encode(play_game("bezique", seed=5, deals=1)))
    logs = [format_.write(game) for format_ in INVENTED.values()]
    for seed in range(DRAFTS):
        random = Random(seed)
        log = random.choice(logs)
        lines = random.choices(log.splitlines(), k=random.randrange(60))
        for at in range(len(lines)):
            if random.random() < 0.1:
                words = re.findall(r"\w+", lines[at]) or [""]
                lines[at] = lines[at].replace(random.choice(words), random.choice(ODD_WORDS))
        says = draft_or_mistake("\n".join(lines).encode())
        if not re.match(r"line \d+ of log is not CSV", says):
            compile_rules({}, read_mapping(tomllib.loads(says)))


def test_a_log_of_nothing_has_a_draft_that_asks() -> None:
    for log in (b"", b"\n\n", b"# only this\n"):
        draft = draft_mapping([("log", log)])
        assert "# ? The log has no lines." in draft
        read_mapping(tomllib.loads(draft))
