"""What a finding expected and found: `found` is what the record says, and with what was expected it is no finding."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from records.validate.finding import Finding
from records.validator import check
from tests.samples.broken import RECORDS
from tests.samples.test_samples import beside, broken

Raw = dict[str, Any]

TOLD_BY_NUMBER = [
    "wrong-meld-points", "wrong-dix-points", "wrong-score-points", "wrong-brisques", "wrong-deal-scores",
    "wrong-result-scores", "wrong-settlement", "wrong-status", "trumps-not-turned-up",
    "impossible-stock",
]  # fmt: skip
TOLD_BY_SEAT = [
    "wrong-dealer", "out-of-turn", "wrong-trick-winner", "draw-out-of-turn", "meld-by-loser", "wrong-winner",
]  # fmt: skip
TOLD_BY_CARD = [
    "card-not-held", "must-follow-suit", "must-beat", "must-trump", "wrong-card-drawn", "discard-not-of-combination",
    "must-go-on", "not-on-table", "not-in-hand",
]  # fmt: skip
COUNTED = {
    "wrong-hand-size": 8, "wrong-stock-size": 64 - 16 - 1, "wrong-number-of-hands": 2, "hand-too-large": 8,
}  # fmt: skip


def sample(code: str) -> tuple[Raw, Finding]:
    """A broken sample as plain JSON, and its finding."""
    data = broken(code).read_bytes()
    (finding,) = beside(check(data).findings, code)
    return json.loads(data), finding


def codes(raw: Raw) -> list[str]:
    return [finding.code for finding in check(json.dumps(raw).encode()).findings]


def place(raw: Raw, finding: Finding) -> tuple[Any, Any]:
    """What the pointer leads to: the object or list that has it, and the name or the index there."""
    *path, last = [
        int(part) if part.isdigit() else part for part in finding.at.pointer.split("/")[1:]
    ]
    holder: Any = raw
    for part in path:
        holder = holder[part]
    if isinstance(holder[last], dict):  # of an event the finding speaks of one member
        member = {"seat": "seat", "hand": "from", "table": "from"}.get(
            (finding.expected or "").split()[0], "card"
        )
        return holder[last], member
    return holder, last


def as_written(text: str) -> Any:
    """A number, a seat, numbers by side, or a word or card, as a record writes it."""
    if each := re.fullmatch(r"(\d+) : (\d+)", text):
        return [int(number) for number in each.groups()]
    words = text.removeprefix("at most ").removeprefix("seat ").removeprefix("side ")
    return int(words) if words.isdigit() else words


@pytest.mark.parametrize("code", [*TOLD_BY_NUMBER, *TOLD_BY_SEAT, *TOLD_BY_CARD])
def test_what_was_found_is_what_the_record_says(code):
    raw, finding = sample(code)
    holder, name = place(raw, finding)
    assert as_written(finding.found) == holder[name]


@pytest.mark.parametrize("code", [*TOLD_BY_NUMBER, *TOLD_BY_SEAT])
def test_with_what_was_expected_it_is_no_finding(code):
    raw, finding = sample(code)
    holder, name = place(raw, finding)
    holder[name] = as_written(finding.expected)
    assert code not in codes(raw)


@pytest.mark.parametrize("code", TOLD_BY_CARD)
def test_with_each_card_that_was_expected_it_is_no_finding(code):
    raw, finding = sample(code)
    holder, name = place(raw, finding)
    one_of = finding.expected.removeprefix("one of ").split()
    if finding.legal:
        signs = dict(zip("♠♥♦♣", "SHDC", strict=True))
        assert {card[0] + signs[card[1]] for card in one_of} == set(finding.legal)
    for card in finding.legal or one_of:
        holder[name] = card
        assert code not in codes(raw)


@pytest.mark.parametrize(("code", "count"), COUNTED.items())
def test_cards_and_hands_are_counted(code, count):
    raw, finding = sample(code)
    holder, name = place(raw, finding)
    assert (finding.found, finding.expected) == (str(len(holder[name])), str(count))


def test_every_number_and_seat_that_was_expected_is_tried():
    """Who adds a code whose `expected` a record may write adds it here."""
    # What a line expected is what the finding of its event expected.
    tried = {*TOLD_BY_NUMBER, *TOLD_BY_SEAT, *TOLD_BY_CARD, *COUNTED, "line-not-lawful"}
    simple = re.compile(r"-?\d+|(seat|side) \d|\d+ : \d+")
    assert {code for code in RECORDS if simple.fullmatch(sample(code)[1].expected or "")} <= tried


NOT_OF_THE_EVENT = {"not-blank", "dix-not-held"}
"""These find a card of the hand."""
FINDING_NOTHING = {
    "event-not-in-rules", "no-legal-completion", "nothing-to-exchange", "carte-blanche-too-late",
    "undetermined",
}  # fmt: skip
LINKING = {"of", "by", "won", "seat", "points"}


@pytest.mark.parametrize(
    "code", [code for code, broken in RECORDS.items() if "/events/" in broken.pointer]
)
def test_what_was_found_at_an_event_is_what_the_event_says(code):
    raw, finding = sample(code)
    if code in FINDING_NOTHING:
        assert finding.found is None
        return
    assert finding.found
    if code not in NOT_OF_THE_EVENT and code != "line-not-lawful":
        number = finding.at.pointer.split("/events/")[1].split("/")[0]
        event = raw["deals"][finding.at.deal]["events"][int(number)]
        said = {word for text in words_of(event) for word in re.split(r"[ _]", text)}
        said |= {card.translate(SIGNS) for card in said}
        assert set(re.split(r"[ _]", finding.found)) <= said | LINKING


SIGNS = str.maketrans("SHDC", "♠♥♦♣")


def words_of(value: Any) -> Iterator[str]:
    """Every name, number and word in a piece of JSON."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield name
            yield from words_of(member)
    elif isinstance(value, list):
        for member in value:
            yield from words_of(member)
    else:
        yield str(value)


@pytest.mark.parametrize("code", RECORDS)
def test_one_card_is_no_cards(code):
    _, finding = sample(code)
    assert not re.search(r"\b1 \w+s\b", f"{finding.expected} {finding.found}")
