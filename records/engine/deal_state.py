"""What a table keeps of a deal in structs: what it hides, what was claimed and earned, how to take a meld back.

They stand apart from the table, since the compiler would drop what the heads of structs say (`frozen`, `gc`).
"""

from enum import IntEnum
from typing import Any

import msgspec

from records.engine.copies import Readings
from records.rules.compiled import CompiledPhase


class TableStep(IntEnum):
    """What comes next at the table.

    Reading a member costs more than comparing it, so modules that ask at every event bind the members
    they need once, and compare with `is`.
    """

    LEAD = 0
    REPLY = 1
    DRAW = 2
    OVER = 3
    COMBINE = 4
    DISCARD = 5


class MeldUndo(msgspec.Struct, frozen=True, gc=False):
    """What a table was before the last meld, should it be withdrawn, and at which trick that was made.

    `counted` says how many of the melds that the trick allows it has used up; `led` and `stock` are the card
    led and the cards left to draw, the turn-up among them: once they are others, play has gone on.
    """

    seat: int
    tricks: int
    led: str | None
    stock: int
    readings: Readings
    scored: int
    laid: int
    points: int
    trump: str | None
    counted: int


class TurnUndo(msgspec.Struct, frozen=True, gc=False):
    """What a turn of Zetema was before its combination, should that be withdrawn.

    `made_at` is the event that made it, `from_hand` the cards it took from the hand, `piles` the piles that it took
    others from and `removed` how many cards had left the game. `to_act` is whose turn it was.
    """

    made_at: int
    seat: int
    to_act: int
    draws_due: tuple[int, ...]
    from_hand: tuple[str, ...]
    piles: dict[str, list[str]]
    removed: int
    points: int
    step: TableStep
    phase: CompiledPhase
    melds_left: int
    discard_from: tuple[str, ...] | None
    must_complete: bool


class Award(msgspec.Struct, frozen=True, gc=False):
    """Points that the rules give: to which seat, for what; `name` is the meld's where it is one.

    `event` earned them, -1 for the deal itself.
    """

    seat: int
    source: str
    points: int
    name: str = ""
    event: int = -1


class HiddenCards(msgspec.Struct, gc=False):
    """By seat, the cards given to it that the record does not show, and those it has shown since.

    What is `given` is written `??`, `?S` or `Q?`; a card `revealed` was one of them. A known card is given,
    too, once it may have left unseen: `doubtful` counts those that have not been shown since, by seat and
    card. `laid` lists cards of a seat that lie on the table, where the record does not say which they are.
    `spent` are the sevens, by seat and card, of which one has scored and may have left unseen since.
    """

    given: list[list[str]]
    revealed: list[list[str]]
    doubtful: dict[tuple[int, str], int] = {}
    laid: list[tuple[int, str]] = []
    spent: set[tuple[int, str]] = set()


class Tableau(msgspec.Struct, gc=False):
    """Zetema's tableau: the piles by rank, and the cards removed from the game.

    After a combination the discard must come `discard_from` its cards; after a zetema, `must_complete`
    says that the next discard must complete a pile if it can. `unranked` are the discards of which the
    record does not show the rank, `lifted` the cards of marriages that were among the unknown ones of the
    tableau; which of these they were is left open, so all of them stay there. `may_be_earned` are the
    points, by seat, of the zetemas that the last discard may have completed. `ways` are those of marriages,
    by their event, as foreseen (see `records.engine.zetema`); if `ways_given_up`, there were too
    many to follow.
    """

    piles: dict[str, list[str]]
    removed: list[str] = []
    discard_from: tuple[str, ...] | None = None
    must_complete: bool = False
    unranked: list[str] = []
    lifted: list[str] = []
    may_be_earned: dict[int, frozenset[int]] = {}
    ways: dict[int, Any] = {}
    ways_given_up: bool = False


NO_TABLEAU = Tableau({})
"""The tableau of every game that has none: nothing is ever laid on it."""


class DealKnowledge(msgspec.Struct, gc=False):
    """What the record leaves open.

    `partial`: it does not show every card of the deal. `plays_only`: it leaves out melds and exchanges, too.
    `scores_only`: it shows no play, so the deal is not replayed.
    `omits_draws`: it leaves out draws, so those that are due are made before the next card is played.
    `uncertain`: an unknown card or trump suit has mattered, so the verdict cannot be firm. `open_since` is
    the first event that left something open, -1 the deal itself. `points_open`: some points may be other
    than the table has, `brisques_open`: so may the brisques that somebody has taken; `bonuses_open` are
    the bonuses that may be another's, or nobody's. All these are set by `Table.leave_open`. `trumps_open`:
    a meld made trumps, or may have, and the record does not show of which suit.
    """

    partial: bool = False
    scores_only: bool = False
    plays_only: bool = False
    omits_draws: bool = False
    uncertain: bool = False
    open_since: int | None = None
    points_open: bool = False
    brisques_open: bool = False
    bonuses_open: frozenset[str] = frozenset()
    trumps_open: bool = False


class StatedClaims(msgspec.Struct, gc=False):
    """What the record claims, kept for the reconciliation.

    `points` lists claims of points: event, what for, points said, points computed, None where the record
    leaves them open. `winners_agreed` are the events that name a trick's winner rightly, `winners_disputed`
    the others: event, winner said, winner computed, None where the record leaves the winner open. `scores`
    are the points claimed by seat and bonus, `brisques` those claimed for brisques.
    """

    points: list[tuple[int, str, int, int | None]] = []
    winners_agreed: list[int] = []
    winners_disputed: list[tuple[int, int, int | None]] = []
    scores: dict[tuple[int, str], int | None] = {}
    brisques: list[int] = []


# Copies, for a table to go on from: everything that changes in place is a list, dict or set of its own.


def copied_hidden_cards(cards: HiddenCards) -> HiddenCards:
    """The same cards, hidden at another table."""
    given, revealed = cards.given, cards.revealed
    if len(given) == 2:
        given, revealed = [given[0][:], given[1][:]], [revealed[0][:], revealed[1][:]]
    else:
        given, revealed = list(map(list, given)), list(map(list, revealed))
    return HiddenCards(
        given,
        revealed,
        cards.doubtful.copy(),
        cards.laid[:],
        cards.spent.copy(),
    )


def copied_tableau(tableau: Tableau) -> Tableau:
    """The same piles on another table; a game without a tableau has one and the same for all its tables."""
    if tableau is NO_TABLEAU:
        return tableau
    return Tableau(
        {rank: pile[:] for rank, pile in tableau.piles.items()},
        tableau.removed[:],
        tableau.discard_from,
        tableau.must_complete,
        tableau.unranked[:],
        tableau.lifted[:],
        tableau.may_be_earned.copy(),
        tableau.ways.copy(),
        tableau.ways_given_up,
    )


def copied_claims(claims: StatedClaims) -> StatedClaims:
    """The same claims, to be added to."""
    return StatedClaims(
        claims.points[:],
        claims.winners_agreed[:],
        claims.winners_disputed[:],
        claims.scores.copy(),
        claims.brisques[:],
    )
