"""Words that pages and commands share: verdicts, places, turns, numbers."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from analyzer.annotate.signed_points import signed_points, signed_tenths
from records.cards import FACE_OF, SUIT_NAMES, card_sign, describe_card
from records.phrases import capitalize_first, pluralize
from records.rules.explain import ARTICLES
from records.rules.registry import ALL_SHEETS
from records.snapshot import TableSnapshot
from records.validate.finding import Place
from records.validate.places import describe_event_place, describe_place
from webui.display.card_svg import card_symbol_id
from webui.display.code_marks import mark_code
from webui.display.term_links import link_first_mentions, term_link
from webui.display.words.pointer_words import WHOLE_RECORD, member_words, place_at, pointer_words
from webui.display.words.verdict_words import (
    SEVERITY_WORDS,
    VERDICT_MEANINGS,
    VERDICT_TONES,
    VERDICT_WORDS,
    gap_words,
)

CARD_MARK_WORDS = {
    "legal": ", may be played",
    "half": ", position uncertain: in the hand or on the table",
    "either": ", position uncertain: in this meld or in another",
    "won": ", takes the trick",
}
UNCERTAIN_CARD_MEANING = (
    "position uncertain (in the hand or on the table, or in one of several melds)"
)
"""What the terminal says of cards that are drawn in every place where they may be."""
STEP_VERBS = {
    "lead": "lead", "reply": "play", "draw": "draw", "combine": "discard", "discard": "discard",
}  # fmt: skip
SMALLEST_TWO_DECIMALS = 0.01
"""Smaller numbers are written with two significant digits instead of two decimals."""
PHASE_WORDS = {"stock": "drawing phase", "close": "endgame (stock empty)"}


def place_words(at: Place, names: Sequence[str] = ()) -> str:
    """The place of a finding, counted from 1, with members as code: `Deal 2, event 34, after 5 tricks, `points``."""
    parts = []
    if at.line is not None:
        parts.append(f"line {at.line}")
    if at.deal is not None:
        parts.append(describe_place(at))
        if at.event is not None and at.trick:
            parts.append(f"after {pluralize(at.trick, 'trick')}")
    if at.seat is not None and at.seat < len(names):
        parts.append(names[at.seat])
    parts += filter(None, [member_words(at)])
    return capitalize_first(", ".join(parts) or WHOLE_RECORD)


def name_seats(text: str, names: Sequence[str]) -> str:
    """A finding's text with names in place of seats: `seat 1` becomes `Bob`."""

    def name(found: re.Match[str]) -> str:
        seat = int(found[1])
        return names[seat] if seat < len(names) else found[0]

    return re.sub(r"\bseat (\d)\b", name, text)


def card_mark_words(item: str) -> str:
    """The marks of a card in words, for its label: `, may be played`."""
    return "".join(CARD_MARK_WORDS.get(mark, "") for mark in item.split()[1:])


def turn_words(position: TableSnapshot, names: Sequence[str], *, may_meld: bool) -> str:
    """Whose turn it is and for what: `Ann to lead`, `Bob to play`, `Ann may meld, then draw`."""
    if position.seat is None or position.step == "over":
        return ""
    if not may_meld:
        return f"{names[position.seat]} to {STEP_VERBS[position.step]}"
    meld = "combine" if position.tableau else "meld"
    return f"{names[position.seat]} may {meld}, then {STEP_VERBS[position.step]}"


def trick_heading(number: int, *, turns: bool) -> str:
    """The heading of the events of one trick or turn: `Trick 7`; 0 is what comes before the first."""
    if number == 0:
        return "Before the first turn" if turns else "Before the first trick"
    return f"{'Turn' if turns else 'Trick'} {number}"


def won_words(tricks: int, brisques: int) -> str:
    """What a seat has won: `3 tricks, 1 brisque`."""
    return f"{pluralize(tricks, 'trick')}, {pluralize(brisques, 'brisque')}"


def phase_words(phase: str) -> str:
    """A phase of the deal in words."""
    return PHASE_WORDS.get(phase, phase.replace("_", " "))


def meld_words(name: str) -> str:
    """A meld's name in words."""
    return name.replace("_", " ")


def suit_words(suit: str) -> str:
    """A suit's name."""
    return SUIT_NAMES[suit]


def number_words(number: int) -> str:
    """A number with commas between thousands."""
    return f"{number:,}"


def size_words(size: int) -> str:
    """A size in bytes as people read it, rounded up, so that only nothing is zero: `3.2 MiB`."""
    return f"{-(-10 * size // 1024**2) / 10:,.1f} MiB"


def space_words(size: int, most: int) -> str:
    """How much of a space is used: `0.1 of 1,024 MiB`."""
    return f"{size_words(size).removesuffix(' MiB')} of {most / 1024**2:,.0f} MiB"


def date_words(moment: datetime | None) -> str:
    """A date: `5 March 2026`."""
    return "" if moment is None else f"{moment.day} {moment:%B %Y}"


def days_words(first: datetime | None, last: datetime | None) -> str:
    """When something began and ended: `5 March 2026`, `2 January – 5 March 2026`, `30 December 2025 – 2 January 2026`."""
    if first is None or last is None or first.date() == last.date():
        return date_words(first or last)
    if first.year != last.year:
        return f"{date_words(first)} – {date_words(last)}"
    month = "" if first.month == last.month else f" {first:%B}"
    return f"{first.day}{month} – {date_words(last)}"


def points_words(points: int | None) -> str:
    """Points, or a dash where the record leaves them open."""
    return "–" if points is None else str(points)


def value_words(value: object) -> str:
    """A claimed or computed value: `120 : 90`, `nobody`, `40`."""
    if value is None:
        return "none"
    if isinstance(value, list | tuple):
        return " : ".join("–" if part is None else value_words(part) for part in value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def options_words(options: Mapping[str, Any]) -> str:
    """Options as a record writes them: `hand_size 9, dix true`."""
    return ", ".join(f"{name} {str(value).lower()}" for name, value in options.items())


def option_words(options: Mapping[str, Any]) -> str:
    """Options as people read them: `hand size 9, dix yes`."""
    named = [f"{meld_words(name)} {option_value_words(value)}" for name, value in options.items()]
    return ", ".join(named)


ARTICLE_HEADINGS = {name: heading for name, heading, _ in ARTICLES}

CHOICE_WORDS = {
    "true": "yes", "false": "no",
    "fixed": "spades and diamonds", "by_trump": "by the trump suit",
    "last": "that of the deal", "before_close": "that before the close",
    "head": "head the trick", "suit": "follow suit", "any": "nothing",
    "played": "by being played", "played_or_melded": "by being played or melded again",
    "seed": "this rulebook's", "portland": "the Portland Club's",
    "laid": "when it is laid", "scored": "when it scores",
    "recommended": "the recommended scale", "standard": "the standard scale",
    "stock_empty": "once the stock is empty", "whole_hand": "in the whole hand",
    "one": "one in all", "each_pair": "one of each pair",
    "draw_to_six": "up to six", "five": "up to five",
    "finish_hand": "yes", "at_once": "no, the game ends at once",
}  # fmt: skip
"""The values of options, which records write in one word, as they answer the sentence of the option."""


def option_value_words(value: object) -> str:
    """The value of an option as people read it, whether it is as a record has it or as an address does."""
    return CHOICE_WORDS.get(str(value).lower(), cell_words(value))


def option_parameters(options: Mapping[str, Any]) -> dict[str, str]:
    """Options as the parameters of an address: `hand_size=9`, `dix=true`."""
    return {name: str(value).lower() for name, value in options.items()}


def sheet_name(sheet_id: str) -> str:
    """The name of the rulebook with this id, or the id where no rulebook has it."""
    return next((sheet.name for sheet in ALL_SHEETS if sheet.id == sheet_id), sheet_id)


def cell_words(value: object, raw: bool = False) -> str:  # noqa: FBT001, FBT002  # templates say it by place
    """The text of a table cell: formatted for people, or raw as the database has it."""
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


def tenths_words(number: float | None) -> str:
    """A number to one decimal, so that a column of them is in line: `1,234.0`, `−4.8`; a dash for None."""
    return "–" if number is None else f"{number:,.1f}".replace("-", "−")


TEMPLATE_FILTERS: dict[str, Callable[..., Any]] = {
    "mebibytes": size_words,
    "card_words": describe_card,
    "article_heading": lambda name: ARTICLE_HEADINGS.get(name, meld_words(name)),
    "cell": cell_words,
    "counted": pluralize,
    "day": date_words,
    "days": days_words,
    "event_place": describe_event_place,
    "place": place_words,
    "code": mark_code,
    "place_at": place_at,
    "pointer_words": lambda pointer: capitalize_first(pointer_words(pointer)),
    "face": FACE_OF.__getitem__,
    "gaps": gap_words,
    "loss": lambda lost: signed_points(-lost),
    "signed": signed_points,
    "marks": card_mark_words,
    "option_name": meld_words,
    "options": option_words,
    "option_parameters": option_parameters,
    "option_value": option_value_words,
    "severity": lambda severity: SEVERITY_WORDS[severity],
    "sheet_name": sheet_name,
    "shown": value_words,
    "points": points_words,
    "sign": card_sign,
    "signed_tenths": signed_tenths,
    "suit": suit_words,
    "symbol": card_symbol_id,
    "tenths": tenths_words,
    "term": term_link,
    "used_of": space_words,
    "term_links": link_first_mentions,
    "thousands": number_words,
    "tone": lambda word: VERDICT_TONES[word],
    "verdict": lambda verdict: VERDICT_WORDS[verdict],
    "verdict_means": lambda verdict: VERDICT_MEANINGS[verdict],
}
