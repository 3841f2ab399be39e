"""What leaves a deal open: the first event that does, and what the record would have to show."""

from collections.abc import Iterator
from typing import NamedTuple

from records.engine.hidden_cards import trumps_unknown
from records.engine.table import Table
from records.events import Declare, Discard, Draw, Meld, Play
from records.phrases import join_words
from records.record import Deal
from records.rules.vocabulary import TurnUp
from records.validate.breach import seat_name
from records.validate.codes.all_codes import FINDING_CODES
from records.validate.finding import Finding, Place
from records.validate.shared_budget import SHARED_CLAUSE

CODE = "undetermined"


class Opening(NamedTuple):
    """A deal that is left open, the first event that does (-1: the deal itself), and what would decide it."""

    deal: int
    event: int
    clause: str
    missing: str = ""

    def note(self) -> Finding:
        """The note that says so."""
        code = FINDING_CODES[CODE]
        on_event = self.event >= 0
        return Finding(
            code=CODE,
            severity=code.severity,
            at=Place(
                deal=self.deal,
                event=self.event if on_event else None,
                pointer=f"/deals/{self.deal}" + (f"/events/{self.event}" if on_event else ""),
            ),
            message=code.sentence(self.clause, missing=self.missing),
        )


def opening_of(number: int, deal: Deal, table: Table) -> Opening | None:
    """What leaves this deal open; None if its record shows everything that matters."""
    knowledge = table.knowledge
    if knowledge.scores_only:
        return Opening(number, -1, "scores")
    if not knowledge.uncertain:
        clause = SHARED_CLAUSE if table.tracking.budget.is_cut_short else "search"
        return Opening(number, -1, clause) if table.tracking.exhausted else None
    since = -1 if knowledge.open_since is None else knowledge.open_since
    missing = list(_missing(deal, table)) or ["every card"]
    return Opening(number, since, "missing", join_words(missing, "or"))


def _missing(deal: Deal, table: Table) -> Iterator[str]:
    """What the record of a deal does not show, in words."""
    turned = isinstance(table.rules.sheet.trumps, TurnUp)
    if deal.setup is None and turned and "?" in (deal.turn_up or "??"):
        yield "the turn-up"
    elif trumps_unknown(table):
        yield "the trump suit"
    yield from _missing_hands(deal, table)
    kinds: dict[type, str] = {
        Play: "every card played",
        Discard: "every card discarded",
        Draw: "every card drawn",
        Meld: "every card melded",
        Declare: "every card melded",
    }
    hidden = {kinds[type(event)] for event in deal.events if "?" in _cards_of(event)}
    if _leaves_out_draws(deal, table):
        hidden.add(kinds[Draw])
    yield from (words for words in dict.fromkeys(kinds.values()) if words in hidden)
    if table.knowledge.plays_only:
        yield "whether there were other melds"
    if table.rules.has_tableau and any(map(_hides_origin, deal.events)):
        yield "where the cards of every marriage lay"


def _missing_hands(deal: Deal, table: Table) -> Iterator[str]:
    hands = deal.setup.hands if deal.setup is not None else deal.hands
    if hands is None:
        yield "the hands"
        return
    for seat, hand in enumerate(hands[: table.seats]):
        if "?" in "".join(hand):
            yield f"the hand of {seat_name(table, seat)}"


def _cards_of(event: object) -> str:
    match event:
        case Play(card=card) | Draw(card=card) | Discard(card=card):
            return card
        case Meld(cards=cards) | Declare(cards=cards):
            return "".join(cards)
        case _:
            return ""


def _leaves_out_draws(deal: Deal, table: Table) -> bool:
    """Whether cards were drawn that the record does not write."""
    written = sum(isinstance(event, Draw) for event in deal.events)
    if table.rules.has_tableau:
        return deal.stock is None and not written
    while_drawing = table.tricks - sum(table.closed_tricks)
    return deal.stock is None and written < 2 * while_drawing - len(table.draws_due)


def _hides_origin(event: object) -> bool:
    return isinstance(event, Meld) and event.meld == "marriages" and event.from_tableau is None
