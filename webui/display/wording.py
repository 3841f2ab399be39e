"""The words of the pages: verdicts, places, turns, numbers."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from analyzer.annotate.words import signed_points
from records.cards import SUIT_NAMES, card_sign, describe_card
from records.rules.registry import ALL_SHEETS
from records.snapshot import TableSnapshot
from records.validate.finding import Place
from webui.display.card_svg import card_symbol_id

VERDICT_WORDS = {
    "legal": "Legal",
    "legal_with_mismatches": "Legal, but numbers differ",
    "illegal": "Illegal",
    "incomplete": "Legal so far, not finished",
    "undetermined": "Undetermined",
    "unreadable": "Unreadable",
}
VERDICT_MEANINGS = {
    "legal": "Every rule was kept, and every number in the record is right.",
    "legal_with_mismatches": "Every rule was kept, but the record states numbers that are wrong.",
    "illegal": "A rule was broken.",
    "incomplete": "No rule was broken as far as the record goes; the game is not decided in it.",
    "undetermined": "Cards that the record leaves open decide whether a rule was broken.",
    "unreadable": "This is not a record that can be read.",
}
VERDICT_TONES = {
    "legal": "good", "legal_with_mismatches": "fair", "illegal": "bad", "incomplete": "plain",
    "undetermined": "plain", "unreadable": "bad",
    "mismatch": "fair", "warning": "fair", "note": "plain",
}  # fmt: skip
"""Which of four tones a verdict or a severity is told in."""

SEVERITY_WORDS = {
    "unreadable": "Cannot be read",
    "illegal": "Breaks a rule",
    "mismatch": "A number differs",
    "warning": "Warning",
    "note": "Note",
}
CARD_MARK_WORDS = {
    "legal": ", may be played",
    "half": ", in hand or on the table, the record leaves it open",
    "either": ", in this meld or in another, the record leaves it open",
}
PALE_CARD_MEANING = "Pale: the record leaves open where the card lies, in hand or on the table, in this meld or in that."
"""What it means that a card is drawn pale, in every place where it may lie."""
STEP_VERBS = {
    "lead": "leads", "reply": "plays", "draw": "draws", "combine": "discards", "discard": "discards",
}  # fmt: skip
SMALLEST_TWO_DECIMALS = 0.01
"""What is smaller is not written with two places after the point."""
PHASE_WORDS = {"stock": "while the stock lasts", "close": "after the close"}


def place_words(at: Place, names: Sequence[str] = ()) -> str:
    """Where a finding is, as people count: `Deal 2, event 34, after 5 tricks`."""
    parts = []
    if at.line is not None:
        parts.append(f"line {at.line}")
    if at.deal is not None:
        parts.append(f"deal {at.deal + 1}")
    if at.event is not None:
        parts.append(f"event {at.event + 1}")
        if at.trick:
            parts.append(f"after {pluralize(at.trick, 'trick')}")
    if at.seat is not None and at.seat < len(names):
        parts.append(names[at.seat])
    text = ", ".join(parts)
    return text[:1].upper() + text[1:] or "The whole record"


def name_seats(text: str, names: Sequence[str]) -> str:
    """A text of a finding with the names of the seats it speaks of: `seat 1` -> `Bob`."""

    def name(found: re.Match[str]) -> str:
        seat = int(found[1])
        return names[seat] if seat < len(names) else found[0]

    return re.sub(r"\bseat (\d)\b", name, text)


def card_mark_words(item: str) -> str:
    """What the marks of a drawn card say: `, may be played`."""
    return "".join(CARD_MARK_WORDS.get(mark, "") for mark in item.split()[1:])


def turn_words(position: TableSnapshot, names: Sequence[str], *, may_meld: bool) -> str:
    """What is due next: `Ann leads`, `Bob plays`, `Ann may meld, then draws`."""
    if position.seat is None or position.step == "over":
        return ""
    does = STEP_VERBS[position.step]
    first = ("may combine, then " if position.tableau else "may meld, then ") if may_meld else ""
    return f"{names[position.seat]} {first}{does}"


def trick_heading(number: int, *, turns: bool) -> str:
    """What a stretch of events is called: `Trick 7`."""
    if number == 0:
        return "Before the play"
    return f"{'Turn' if turns else 'Trick'} {number}"


def won_words(tricks: int, brisques: int) -> str:
    """What a seat has taken."""
    return f"{pluralize(tricks, 'trick')}, {pluralize(brisques, 'brisque')}"


def sentence(text: str) -> str:
    """A message as a sentence of its own: `Options a and b contradict each other.`"""
    return f"{text[:1].upper()}{text[1:].rstrip('.!')}."


def pluralize(number: int, noun: str, nouns: str = "") -> str:
    """A number of things: `1 trick`, `2 tricks`, `2 breaches`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {nouns or noun + 's'}"


def phase_words(phase: str) -> str:
    """A phase of the deal, as a reader would say it."""
    return PHASE_WORDS.get(phase, phase.replace("_", " "))


def meld_words(name: str) -> str:
    """A meld's name in words."""
    return name.replace("_", " ")


def suit_words(suit: str) -> str:
    """A suit's name."""
    return SUIT_NAMES[suit]


def number_words(number: int) -> str:
    """A number with its thousands apart."""
    return f"{number:,}"


def date_words(moment: datetime | None) -> str:
    """A date as people write it."""
    return "" if moment is None else f"{moment.day} {moment:%B %Y}"


def value_words(value: object) -> str:
    """A claimed or computed value: `120 : 90`, `nobody`, `40`."""
    if value is None:
        return "none"
    if isinstance(value, list | tuple):
        return " : ".join(value_words(part) for part in value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def options_words(options: Mapping[str, Any]) -> str:
    """Options as a record writes them: `hand_size 9, dix true`."""
    return ", ".join(f"{name} {str(value).lower()}" for name, value in options.items())


def sheet_name(sheet_id: str) -> str:
    """What the rulebook with this id is called."""
    return next((sheet.name for sheet in ALL_SHEETS if sheet.id == sheet_id), sheet_id)


def cell_words(value: object, raw: bool = False) -> str:  # noqa: FBT001, FBT002  # templates say it by place
    """What stands in a cell of a table; raw as the database has it, else as people read it."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if raw:
        return str(value)
    if isinstance(value, float):
        small = 0 < abs(value) < SMALLEST_TWO_DECIMALS
        return f"{value:.2g}" if small else f"{value:,.2f}".removesuffix("0").removesuffix(".0")
    return f"{value:,}" if isinstance(value, int) else str(value).replace("_", " ")


TEMPLATE_FILTERS: dict[str, Callable[..., Any]] = {
    "card_words": describe_card,
    "cell": cell_words,
    "counted": pluralize,
    "day": date_words,
    "place": place_words,
    "loss": lambda lost: signed_points(-lost),
    "marks": card_mark_words,
    "options": options_words,
    "severity": lambda severity: SEVERITY_WORDS[severity],
    "sheet_name": sheet_name,
    "shown": value_words,
    "sign": card_sign,
    "suit": suit_words,
    "symbol": card_symbol_id,
    "thousands": number_words,
    "tone": lambda word: VERDICT_TONES[word],
    "verdict": lambda verdict: VERDICT_WORDS[verdict],
    "verdict_means": lambda verdict: VERDICT_MEANINGS[verdict],
}
