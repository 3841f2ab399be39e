"""Breaches: what an event does against the rules, and what a ruling of the players excuses."""

from collections.abc import Container, Iterable, Sequence
from typing import Any

import msgspec

from records.cards import covers, is_unknown
from records.engine.copies import is_beyond_pack
from records.engine.effects import meld_to_withdraw
from records.engine.table import Table
from records.event_words import SCORE_WORDS, irregularity_words
from records.events import (
    AnyEvent,
    CarteBlanche,
    Declare,
    Discard,
    Dix,
    Draw,
    Irregular,
    Meld,
    Play,
    Score,
    Trick,
)
from records.phrases import name_card, name_meld, pluralize
from records.record import CLAIMS_REACH
from records.validate.codes import FINDING_CODES

# What a check returns: a finding without its place, which the replay adds.


class Breach(msgspec.Struct, frozen=True, kw_only=True):
    """One broken rule or wrong claim.

    `clause` says in which way the code is meant. `since` is the earliest event that may be the cause; `pointer` leads from
    the event, or the deal, to the wrong value. `article` is that of the rules, where it is not the code's own.
    """

    code: str
    message: str
    clause: str | None = None
    seat: int | None = None
    expected: str | None = None
    found: str | None = None
    legal: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    since: int | None = None
    pointer: str = ""
    article: str = ""


Breaches = tuple[Breach, ...]


def make_breach(
    code: str,
    *,
    clause: str = "",
    seat: int | None = None,
    expected: str | None = None,
    found: str | None = None,
    legal: tuple[str, ...] = (),
    candidates: tuple[str, ...] = (),
    since: int | None = None,
    pointer: str = "",
    article: str = "",
    **facts: object,
) -> Breach:
    """A breach with the code's message; the facts, `expected` and `found` fill its places."""
    return Breach(
        code=code,
        message=FINDING_CODES[code].sentence(clause, expected=expected, found=found, **facts),
        clause=clause or None,
        seat=seat,
        expected=expected,
        found=found,
        legal=legal,
        candidates=candidates,
        since=since,
        pointer=pointer,
        article=article,
    )


def breach_by(table: Table, seat: int, code: str, **details: Any) -> Breach:
    """A breach of one seat, whose name is the `player` of the message."""
    return make_breach(code, seat=seat, player=seat_name(table, seat), **details)


def not_in_pack(table: Table, seat: int, cards: Iterable[str], clause: str) -> list[Breach]:
    """A breach for each of these cards that the pack does not have, by what the seat does with it."""
    return [
        breach_by(table, seat, "card-not-in-pack", clause=clause, card=name_card(card), found=card)
        for card in dict.fromkeys(cards)
        if is_beyond_pack(table.rules, card)
    ]


SCORE_ARTICLES = {
    "turned_seven": "trumps",
    "brisques": "brisques",
    "carte_blanche": "carte_blanche",
    "cut": "cut",
    "guess": "cut",
    "zetema": "tableau",
}
"""The articles of a sheet that speak of points claimed; all others are bonuses."""


def score_article(table: Table, what: str) -> str:
    """The article that speaks of these points; where the sheet has none, the one that tells what else scores."""
    known = {article.id for article in table.rules.sheet.articles}
    article = SCORE_ARTICLES.get(what, "bonuses")
    return next(name for name in (article, "bonuses", "tableau", "game") if name in known)


def seat_name(table: Table, seat: int | None) -> str:
    """What sentences call the player of a seat."""
    if seat is not None and 0 <= seat < len(table.names):
        return table.names[seat]
    return f"seat {seat}"


# Irregularities: what a ruling of the players excuses, and what it takes back.

_ANY_BREACH = tuple(FINDING_CODES)
_EXCUSED: dict[str, tuple[tuple[type, ...], Container[str]]] = {
    "revoke": ((Play,), ("must-follow-suit", "must-trump", "must-beat")),
    "exposed_card": ((Play, Draw, Discard), ("out-of-turn", "draw-out-of-turn", "draw-not-due")),
    "withdrawn_meld": ((Meld, Declare), _ANY_BREACH),
    "misdeal": ((), ()),
    "other": ((object,), _ANY_BREACH),
}
"""What each irregularity excuses: the types of event and the codes. A misdeal excuses what was dealt."""

_DEALING_CODES = frozenset(
    code for code, each in FINDING_CODES.items() if each.article in ("deal", "trumps")
) - {"deal-after-game-won"}


def check_irregular(table: Table, event: Irregular) -> Breaches | None:
    """An irregularity is legal in a record; a note lists it."""
    words = irregularity_words(event)
    if event.what != "withdrawn_meld" or meld_to_withdraw(table, event.seat) is not None:
        return (breach_by(table, event.seat, "irregularity", words=words, found=event.what),)
    undo = table.melding.undo
    clause = "none" if undo is None or undo.seat != event.seat else "late"
    facts = {"words": words, "clause": clause, "found": event.what}
    return (breach_by(table, event.seat, "nothing-withdrawn", **facts),)


def excused_codes(events: Sequence[Any], index: int, breaches: Iterable[Breach]) -> frozenset[str]:
    """The codes of what was illegal in an event and is explained by the irregularities after it.

    Tricks and scores follow from the event, so they may stand between it and its irregularity.
    """
    illegal = _illegal_codes(breaches)
    excused = set[str]()
    if illegal:
        for later in events[index + 1 : index + 1 + CLAIMS_REACH]:
            if isinstance(later, Irregular):
                excused |= {code for code in illegal if _excuses(later, events[index], code)}
            elif not isinstance(later, Trick | Score):
                break
    return frozenset(excused)


def counts_nothing(table: Table, breaches: Breaches) -> bool:
    """Whether the event at hand, with these breaches, scores nothing: if it is illegal and not excused."""
    illegal = _illegal_codes(breaches)
    return bool(illegal) and not illegal <= excused_codes(table.events, table.index, breaches)


def excused_points(table: Table, event: AnyEvent, breaches: Breaches) -> Breaches:
    """What is wrong with the points claimed for an excused event that was applied, if no breach says it.

    An irregularity excuses no claim, and the checks leave points aside where they know no rule that gives any.
    """
    claims = table.claims.points
    if not claims or claims[-1][0] != table.index or any(each.pointer for each in breaches):
        return ()
    _, _, claimed, computed = claims[-1]
    if computed is None or claimed is None or claimed == computed:
        return ()
    facts = {"points": pluralize(claimed, "point"), "pointer": "/points"}
    facts |= {"expected": str(computed), "found": str(claimed)}
    match event:
        case Meld():
            meld = name_meld(event.meld)
            return (breach_by(table, event.seat, "wrong-meld-points", meld=meld, **facts),)
        case Dix():
            return (breach_by(table, event.seat, "wrong-dix-points", **facts),)
        case CarteBlanche():
            score = SCORE_WORDS["carte_blanche"]
            facts |= {"score": score, "clause": "points"}
            facts["article"] = score_article(table, "carte_blanche")
            return (breach_by(table, event.seat, "wrong-score-points", **facts),)
        case _:
            return ()


def _illegal_codes(breaches: Iterable[Breach]) -> set[str]:
    return {each.code for each in breaches if FINDING_CODES[each.code].severity == "illegal"}


def excused_dealing(events: Sequence[Any], *, is_set_up: bool) -> frozenset[str]:
    """The codes of what was dealt wrongly, if the deal was declared a misdeal; a position was not dealt."""
    if not is_misdeal(events):
        return frozenset()
    return frozenset({"wrong-dealer"}) if is_set_up else _DEALING_CODES


def is_misdeal(events: Sequence[Any]) -> bool:
    """Whether one of these events declares the deal a misdeal."""
    return any(isinstance(event, Irregular) and event.what == "misdeal" for event in events)


def _excuses(irregular: Irregular, event: Any, code: str) -> bool:
    kinds, codes = _EXCUSED[irregular.what]
    return (
        irregular.seat == getattr(event, "seat", None)
        and isinstance(event, kinds)
        and code in codes
        and _names_a_card_of(irregular, event)
    )


def _names_a_card_of(irregular: Irregular, event: Any) -> bool:
    """Whether an irregularity that names cards names one of the event's, if that names any."""
    cards = getattr(event, "cards", None) or [getattr(event, "card", None)]
    if not irregular.cards or cards == [None]:
        return True
    return any(_may_be(named, card) for named in irregular.cards for card in cards)


def _may_be(named: str, card: str) -> bool:
    if is_unknown(named) or is_unknown(card):
        return covers(named, card) or covers(card, named)
    return named == card or (named[:2] == card[:2] and 2 in (len(named), len(card)))
