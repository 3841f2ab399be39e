"""The members of a published sheet that are about scoring: melds and their reuse, bonuses, brisques, the match."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from records.documents.sheet_data.playing_members import (
    NaturalNumber,
    PointCount,
    RankSign,
    SeatCount,
)

TrumpCase = Literal["S", "H", "D", "C", "none"]
NonEmptyText = Annotated[str, Meta(min_length=1)]


class PatternCard(msgspec.Struct, frozen=True):
    """One card of a list."""

    ranks: Annotated[
        list[RankSign],
        Meta(description="its rank; of several, one is chosen for the whole meld"),
    ]
    suit: Annotated[
        Literal["any", "trumps", "plain", "bezique", "same", "S", "H", "D", "C"],
        Meta(
            description="its suit. `any`: any, card by card; `trumps`; `plain`: a suit that is not trumps, one"
            " for all plain cards of the meld; `bezique`: that of the card of this rank in"
            " `bezique_cards`; `same`: any, but one for all cards of the list each time it is repeated"
        ),
    ]


class ListedCards(msgspec.Struct, frozen=True, tag_field="form", tag="list"):
    """A meld that is a list of cards, taken once or several times."""

    repeat: Annotated[int, Meta(description="how many times the list is needed")]
    cards: Annotated[list[PatternCard], Meta(description="the list")]


class ShapedCards(msgspec.Struct, frozen=True, tag_field="form", tag="shape"):
    """A meld that is so many cards in a row, or of one suit: exactly what it says, not both if it says one."""

    size: Annotated[
        int, Meta(description="the number of cards; that of a full hand if that is smaller (A-33)")
    ]
    in_a_row: Annotated[
        bool, Meta(description="whether the ranks are a stretch of `pack.row`, each once")
    ]
    one_suit: Annotated[bool, Meta(description="whether all cards are of one suit")]


class SheetMeld(msgspec.Struct, frozen=True):
    """A meld with one number of points. Several may share a name: which one it is follows from the cards."""

    name: Annotated[NonEmptyText, Meta(description="the name in a record")]
    words: Annotated[NonEmptyText, Meta(description="what people call it")]
    points: Annotated[PointCount, Meta(description="what it scores")]
    cards: Annotated[
        ListedCards | ShapedCards, Meta(description="its cards, no more and no fewer, in any order")
    ]
    kind: Annotated[
        NonEmptyText, Meta(description="melds of one kind are the same for the rule of reuse")
    ]
    family: Annotated[
        NonEmptyText,
        Meta(description="the class of its kind, within which the rule of reuse compares"),
    ] = msgspec.field(name="class")
    level: Annotated[
        int, Meta(description="its place in the class: a higher one is the higher meld")
    ]
    sets: Annotated[
        dict[TrumpCase, NaturalNumber] | None,
        Meta(
            description="for each trump suit, and before there are trumps, how many different sets of cards it"
            " can be, like cards not told apart: to test a program against; null for a shape"
        ),
    ]


class ReuseClause(msgspec.Struct, frozen=True):
    """One way in which the rule of reuse forbids a meld."""

    clause: Annotated[
        NonEmptyText,
        Meta(description="the `clause` of the finding `meld-reuses-cards` that says so"),
    ]
    given: Annotated[
        dict[str, bool | str],
        Meta(description="it holds only if these members of `reuse` have these values"),
    ]
    family: Annotated[
        str | None, Meta(description="it holds only for melds of this class; null: for all")
    ] = msgspec.field(name="class")
    says: Annotated[NonEmptyText, Meta(description="when it forbids a meld")]


class SheetReuse(msgspec.Struct, frozen=True):
    """When cards that have scored may score again. A meld is forbidden if any clause that holds forbids it."""

    law: Annotated[NonEmptyText, Meta(description="the law")]
    sequence_then_marriage: Annotated[
        bool, Meta(description="whether king and queen of a scored sequence may still marry")
    ]
    singles_then_double: Annotated[
        bool, Meta(description="whether scored melds of a class alone may make a higher one")
    ]
    double_then_single: Annotated[
        bool, Meta(description="whether cards of a higher bezique may score in a lower one")
    ]
    card_leaves_by: Annotated[
        Literal["played", "played_or_melded"],
        Meta(description="how a card leaves a meld, where the rule asks"),
    ]
    once_ever: Annotated[bool, Meta(description="whether a card serves in one meld of the deal")]
    forbids: Annotated[list[ReuseClause], Meta(description="the clauses of the rule")]


class SheetBonus(msgspec.Struct, frozen=True):
    """Points for tricks."""

    name: Annotated[NonEmptyText, Meta(description="the `for` of its `score` event")]
    points: Annotated[PointCount, Meta(description="what it is worth")]
    tricks: Annotated[
        Literal["last_trick", "last_stock_trick", "all_closed_tricks"],
        Meta(
            description="what for: the last trick of the deal, the last before the close, or all tricks after"
            " the close"
        ),
    ]
    to: Annotated[
        Literal["winner", "loser"], Meta(description="who scores it, of those of the trick")
    ]


class SheetBrisques(msgspec.Struct, frozen=True):
    """Brisques, the cards that count when they are taken in tricks."""

    ranks: Annotated[list[RankSign], Meta(description="their ranks")]
    points: Annotated[PointCount, Meta(description="what each is worth")]
    count: Annotated[
        Literal["at_the_end", "to_settle", "never"],
        Meta(
            description="when they count: always, added at the end of the deal; only in the settlement, to break"
            " a tie or to save the loser from the rubicon; never"
        ),
    ]


class RaceMatch(msgspec.Struct, frozen=True, tag_field="by", tag="race"):
    """Deals are played until a side has reached the target; the highest total wins."""

    target: Annotated[
        dict[SeatCount, int],
        Meta(description="the target by number of players, whatever the sides"),
    ]
    end: Annotated[
        Literal["finish_hand", "at_once"],
        Meta(description="whether the deal in which it is reached is played to its end"),
    ]
    equal_totals: Annotated[
        Literal["another_deal"], Meta(description="what follows if the highest totals are equal")
    ]


class PaidPoints(msgspec.Struct, frozen=True):
    """What the winner receives: `base`, and the totals with their signs, and what is added on condition."""

    base: Annotated[int, Meta(description="a fixed number of points")]
    winner_total: Annotated[
        Literal[1], Meta(description="the winner's rounded total, times this number")
    ]
    loser_total: Annotated[
        Literal[-1, 0, 1], Meta(description="the loser's rounded total, times this number")
    ]
    least_difference: Annotated[
        int, Meta(description="a difference of the rounded totals counts as at least so much")
    ]
    for_brisques: Annotated[int, Meta(description="a fixed number of points for brisques")]
    loser_below_100: Annotated[
        int, Meta(description="added if the loser's total is below 100 points")
    ]


class SheetSettlement(msgspec.Struct, frozen=True):
    """How the match is paid (law C15)."""

    terms: Annotated[
        Literal["rubicon", "club", "portland", "six_pack"], Meta(description="their name")
    ]
    rounded_to: Annotated[
        int, Meta(description="totals are rounded down to multiples of this number, then valued")
    ]
    win: Annotated[PaidPoints, Meta(description="if the loser is not rubiconed")]
    rubicon: Annotated[PaidPoints, Meta(description="if the loser is")]
    rubicon_valued_by: Annotated[
        Literal["points_without_brisques", "totals"],
        Meta(
            description="which totals are valued with a rubicon; without one, it is always those compared"
        ),
    ]
    loser: Annotated[Literal["nothing", "own_total"], Meta(description="what the loser receives")]
    draw: Annotated[
        Literal["nothing", "own_total"], Meta(description="what each receives if it is a draw")
    ]


class OneDealMatch(msgspec.Struct, frozen=True, tag_field="by", tag="one_deal"):
    """One deal is the match. The page of points works settlements out."""

    rubicon: Annotated[
        int, Meta(description="a loser with fewer points is rubiconed, unless brisques save them")
    ]
    settlement: Annotated[SheetSettlement, Meta(description="how it is paid")]
