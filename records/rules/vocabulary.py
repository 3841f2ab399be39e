"""Everything a rule sheet can say: the members of the published `records/spec/sheets/<id>.json`, and no behaviour.

A sheet is complete in itself. The engine matches on these words and never on a sheet's name. The vocabulary is that of all
the family's rulebooks: trick games with and without a turn-up, and Zetema, which has no tricks. What a member means stands
beside it here, in the schema and on the page of sheets, which are made from these types.

What a member says in data and what the program asks more often are one: a property computes the second from the first.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

RuleOptionValue = bool | int | str
ANY_NUMBER_OF_MELDS = 99
"""As many melds as the winner likes."""
FREE_PLAY_LAW, FOLLOWING_LAW = "C4", "C8"
"""The laws of what may be played to a lead. The second tells one rule from another; who cites it says which, by the word that
`follow` has."""
TWO_PLAYERS_LAW, MORE_PLAYERS_LAW = "C2", "C17"
"""The laws of who leads and plays in turn: with more than two the second stands in the place of the first."""

# The words that the engine matches on.


class Follow(Enum):
    """What the second player owes to the card led, and the others to the best card."""

    ANY = "any"
    """Any card (law C4)."""
    HEAD = "head"
    """Follow suit and beat the card if able; void: trump if able (law C8, head)."""
    SUIT = "suit"
    """Follow suit; void: trump if able; a trump led must be beaten if able (law C8, suit)."""


class PhaseStep(Enum):
    """One step of a turn."""

    TRICK = "trick"
    """Lead and reply."""
    DECLARE = "declare"
    """The winner of the trick may exchange or show a dix, and meld."""
    DRAW = "draw"
    """All take a card from the stock, the winner first."""
    DRAW_UP = "draw_up"
    """The seat draws until its hand is full (Zetema)."""
    COMBINE = "combine"
    """The seat may score one combination (Zetema)."""
    DISCARD = "discard"
    """The seat lays one card on its rank's pile (Zetema)."""


class Until(Enum):
    """When a phase is over."""

    STOCK_EMPTY = "stock_empty"
    HANDS_EMPTY = "hands_empty"


class TrumpsBy(Enum):
    """Whether a meld makes trumps as soon as it lies on the table, or only once it scores (A-46)."""

    LAID = "laid"
    SCORED = "scored"


class Window(Enum):
    """When a dix may be exchanged or shown."""

    NEVER = "never"
    AFTER_TRICK_WON = "after_trick_won"
    """By the winner of a trick, before he draws or leads."""
    AT_ANY_TIME = "at_any_time"
    """Own turn or not, no trick needed."""


class MeldsFrom(Enum):
    """Which cards a meld is made of."""

    HELD = "held"
    CAPTURED = "captured"


class ReuseRule(Enum):
    """When a card that has scored may score again: each rule is one named function of the replay."""

    ONCE_PER_SET = "once_per_set"
    ONCE_PER_KIND = "once_per_kind"
    UPWARD_IN_CLASS = "upward_in_class"
    REFORMED_AFTER_LEAVING = "reformed_after_leaving"
    AUGMENT_OR_RESTORE = "augment_or_restore"
    LEAVES_THE_HAND = "leaves_the_hand"


REUSE_RULES: Mapping[str, ReuseRule] = {
    "R-SET": ReuseRule.ONCE_PER_SET,
    "R-KIND": ReuseRule.ONCE_PER_KIND,
    "R-CLASS": ReuseRule.UPWARD_IN_CLASS,
    "R-RUB": ReuseRule.REFORMED_AFTER_LEAVING,
    "R-PORT": ReuseRule.REFORMED_AFTER_LEAVING,
    "R-001": ReuseRule.AUGMENT_OR_RESTORE,
    "Z3": ReuseRule.LEAVES_THE_HAND,
}
"""The rule of every law of reuse; two laws with one rule differ in the members of `reuse`."""


class LeavesBy(Enum):
    """How a card leaves a scored meld so that the meld may be formed again."""

    PLAYED = "played"
    PLAYED_OR_MELDED = "played_or_melded"


class HandCards(Enum):
    """How many cards of marriages must come from the hand and not from the tableau (A-38)."""

    ONE = "one"
    EACH_PAIR = "each_pair"


class Chain(Enum):
    """When one of two players must go on discarding after a zetema (A-36)."""

    STOCK_EMPTY = "stock_empty"
    WHOLE_HAND = "whole_hand"


class When(Enum):
    """What a bonus is for."""

    LAST_TRICK = "last_trick"
    LAST_STOCK_TRICK = "last_stock_trick"
    """The last trick played while cards remain to be drawn."""
    ALL_CLOSED_TRICKS = "all_closed_tricks"


class To(Enum):
    """Who scores a bonus for a trick."""

    WINNER = "winner"
    LOSER = "loser"


class BrisqueCount(Enum):
    """When brisques count."""

    AT_THE_END = "at_the_end"
    TO_SETTLE = "to_settle"
    """Only to break a tie or to save the rubicon."""
    NEVER = "never"


class GameEnd(Enum):
    """Whether the deal in which the target is reached is played out."""

    FINISH_HAND = "finish_hand"
    AT_ONCE = "at_once"


class Rounding(Enum):
    """What the difference of two scores is worth without a rubicon (A-51)."""

    HUNDREDS = "hundreds"
    """That of the scores rounded down to hundreds, where the settlement rounds them."""
    NONE = "none"
    """The difference as it is."""
    CLOSE = "close"
    """As it is where the rounded scores are equal, otherwise that of the rounded scores."""


# Members about the cards and the play: who deals, leads, follows, draws, and when.

SuitLetter = Literal["S", "H", "D", "C"]
SeatCount = Annotated[int, Meta(ge=2, le=6)]
OwedGroup = Literal["higher_of_suit_led", "suit_led", "trumps", "higher_trumps", "any"]

NaturalNumber = Annotated[int, Meta(ge=0)]
PointCount = Annotated[int, Meta(ge=0)]
RankSign = Annotated[str, Meta(pattern="^[AKQJT2-9]$")]


class Partnership(msgspec.Struct, frozen=True):
    """Players who may form sides; partners sit alternately."""

    players: Annotated[int, Meta(description="the number of players")]
    side: Annotated[int, Meta(description="the players of one side")]


class Pack(msgspec.Struct, frozen=True):
    """The cards of the game."""

    ranks: Annotated[
        tuple[RankSign, ...], Meta(description="the ranks, from high to low, in every suit")
    ]
    copies: Annotated[
        dict[SuitLetter, NaturalNumber], Meta(description="how often each card of a suit is there")
    ]
    cards: Annotated[int, Meta(description="how many cards that makes")]
    row: Annotated[
        tuple[RankSign, ...] | None,
        Meta(
            description="the ranks in the order of a row, for melds of cards in a row: any stretch of this"
            " list is a row; null if there are no such melds"
        ),
    ]

    @property
    def packs(self) -> int:
        """How many whole packs are shuffled together."""
        return min(self.copies.values())

    @property
    def doubled_suits(self) -> tuple[str, ...]:
        """The suits that come once more than the others (Zetema)."""
        return tuple([suit for suit, copies in self.copies.items() if copies > self.packs])


class TurnUp(msgspec.Struct, frozen=True, tag_field="by", tag="turn_up"):
    """Trumps are the suit of a card turned up after the deal. It lies under the stock and is drawn last."""

    dealer_seven: Annotated[
        PointCount,
        Meta(description="what the dealer scores if that card is a seven (`turned_seven`)"),
    ]


class FirstMeld(msgspec.Struct, frozen=True, tag_field="by", tag="first_meld"):
    """There are no trumps until the first of some melds makes them; it scores as one of trumps itself."""

    melds: Annotated[tuple[str, ...], Meta(description="the names of melds that make trumps")]
    when: Annotated[
        TrumpsBy,
        Meta(
            description="`laid`: as soon as it lies on the table, pending or not; `scored`: when it scores"
        ),
    ]


class NoTrumps(msgspec.Struct, frozen=True, tag_field="by", tag="nothing"):
    """There are no trumps."""


Trumps = TurnUp | FirstMeld | NoTrumps


class DixRule(msgspec.Struct, frozen=True):
    """The seven of trumps. A seven that has scored is spent; a turned-up seven cannot be exchanged."""

    points: Annotated[PointCount, Meta(description="for exchanging, showing or playing one")]
    exchange: Annotated[
        Window,
        Meta(
            description="when a seven in the hand may be given for the turn-up, as long as that lies there;"
            " `after_trick_won` is before the winner draws"
        ),
    ]
    show: Annotated[
        Window,
        Meta(
            description="when one may be shown, which leaves it in the hand; `after_trick_won` is before the"
            " winner draws, and after the close before the next lead if melds still score then"
        ),
    ]
    played: Annotated[bool, Meta(description="whether an unspent seven scores as it is played")]
    in_last_tricks: Annotated[
        bool, Meta(description="whether sevens still score by showing and playing after the close")
    ]
    once_per_card: Annotated[
        bool,
        Meta(
            description="whether a card scores once per deal, turned up, exchanged, shown or played;"
            " otherwise it scores every time it is played"
        ),
    ]
    exchange_is_the_meld: Annotated[
        bool, Meta(description="whether an exchange uses up one of the melds of the trick")
    ]
    spent_exchanges: Annotated[
        bool, Meta(description="whether a spent seven may be exchanged, for 0 points")
    ]

    def window(self, action: str) -> Window:
        """When a dix may be exchanged, or shown."""
        return self.exchange if action == "exchange" else self.show


class CarteBlancheRule(msgspec.Struct, frozen=True):
    """A dealt hand without court cards, and after it every own draw that brings none, until the first that does."""

    points: Annotated[PointCount, Meta(description="for each showing")]
    courts: Annotated[tuple[RankSign, ...], Meta(description="the ranks of court cards")]
    first: Annotated[
        Literal["before_own_first_card", "before_first_lead"],
        Meta(description="until when the dealt hand may be shown"),
    ]
    later: Annotated[
        Literal["before_next_card"],
        Meta(description="until when a drawn card may be shown: the next card that anybody plays"),
    ]

    @property
    def is_before_first_lead(self) -> bool:
        """Whether the dealt hand is shown before anybody plays."""
        return self.first == "before_first_lead"


class CutRule(msgspec.Struct, frozen=True):
    """The dealer lifts a packet, and the other player guesses how many cards it has."""

    packet: Annotated[int, Meta(description="the size that scores for the dealer")]
    dealer_points: Annotated[PointCount, Meta(description="for a packet of that size (`cut`)")]
    guess_points: Annotated[PointCount, Meta(description="for a right guess (`guess`)")]


class TableauRule(msgspec.Struct, frozen=True):
    """The piles of Zetema, one for each rank."""

    full: Annotated[int, Meta(description="the cards of a complete pile, which leave the game")]
    zetemas: Annotated[
        dict[str, PointCount],
        Meta(description="by rank, what the card that completes its pile scores"),
    ]
    draw_up_to: Annotated[
        dict[SeatCount, int], Meta(description="by number of players, the hand after drawing")
    ]
    marriage_hand_cards: Annotated[
        HandCards,
        Meta(
            description="how many cards of marriages must come from the hand: one in all, or one of each"
            " pair; the others may be taken from the tableau"
        ),
    ]
    doubled_suit_points: Annotated[
        PointCount,
        Meta(description="what each marriage in a suit that comes twice scores besides"),
    ]
    doubled_suit_below: Annotated[
        int, Meta(description="only if fewer than so many marriages are melded at once")
    ]
    chain: Annotated[
        Chain,
        Meta(
            description="when one of two players who has scored a zetema must go on: discard every card that"
            " completes another pile, then one card more"
        ),
    ]


class TrickPlay(msgspec.Struct, frozen=True, tag_field="by", tag="tricks"):
    """Players play tricks: two, or up to six who play in turn to the left of the leader."""

    dealer: Annotated[Literal["next_seat"], Meta(description="who deals next")]
    first_lead: Annotated[
        Literal["seat_after_dealer"], Meta(description="who leads to the first trick")
    ]
    lead: Annotated[Literal["winner"], Meta(description="who leads to the next one")]
    takes: Annotated[
        tuple[Literal["highest_trump", "highest_of_suit_led"], ...],
        Meta(description="which card takes the trick: the first of these that was played"),
    ]
    like_cards: Annotated[
        Literal["first_played"], Meta(description="which of two identical cards takes it")
    ]
    draws: Annotated[
        Literal["winner_then_loser", "round_the_table"],
        Meta(
            description="the order of the draws after a trick, one card each; `round_the_table`, where more than"
            " two play: the winner, then the others in turn to the left"
        ),
    ]
    last_card: Annotated[
        Literal["turn_up", "stock"],
        Meta(
            description="what the last to draw after the last trick before the close draws: the turn-up (or the seven"
            " given for it), or the last card of the stock"
        ),
    ]
    melds_by: Annotated[
        Literal["winner", "winner_or_partner"],
        Meta(
            description="who may meld: the winner of a trick, before drawing; after the close before leading."
            " `winner_or_partner`: a partner, too, each of their own cards, and all of a side together no more melds"
            " than the phase allows after one trick"
        ),
    ]
    melds_from: Annotated[
        MeldsFrom,
        Meta(
            description="what melds are made of. `held`: cards in the hand or laid before, which may still be"
            " played; a card drawn since the last trick waits for the next trick won. `captured`: cards won"
            " in tricks, which are never played again; also after the very last trick"
        ),
    ]
    at_the_close: Annotated[
        Literal["laid_cards_to_hand", "nothing"],
        Meta(description="what happens when the stock is gone"),
    ]


class TurnPlay(msgspec.Struct, frozen=True, tag_field="by", tag="turns"):
    """Two to six players take turns, without tricks."""

    dealer: Annotated[Literal["next_seat"], Meta(description="who deals next")]
    first_turn: Annotated[Literal["seat_after_dealer"], Meta(description="who begins")]
    next_turn: Annotated[Literal["next_seat"], Meta(description="who goes on")]
    without_cards: Annotated[
        Literal["skipped_if_stock_empty"],
        Meta(description="what happens to a player who has no card as the turn begins"),
    ]
    after_combination: Annotated[
        Literal["discard_one_of_it"],
        Meta(description="which card is discarded after a combination other than marriages"),
    ]
    after_marriages: Annotated[
        Literal["no_discard"],
        Meta(description="how a turn with marriages ends; their cards leave the game"),
    ]
    stock_runs_out: Annotated[
        Literal["turn_is_complete"],
        Meta(description="the turn that draws the last card is one of the first phase, to its end"),
    ]


class MustPlay(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the second player may play: the cards of the first of these groups of which the hand has any.

    A third or later hand goes by the best card so far, where that is of the suit led, as if it had been led.
    """

    plain_led: Annotated[tuple[OwedGroup, ...], Meta(description="if a plain suit was led")]
    trumps_led: Annotated[tuple[OwedGroup, ...], Meta(description="if trumps were led")]
    trumped: Annotated[
        tuple[OwedGroup, ...] | None,
        Meta(
            description="if a plain suit was led and has been trumped; only where more than two play"
        ),
    ] = None


class Phase(msgspec.Struct, frozen=True):
    """A stretch of the deal in which every trick or turn has the same steps."""

    name: Annotated[Literal["stock", "close"], Meta(description="its name")]
    steps: Annotated[
        tuple[PhaseStep, ...],
        Meta(
            description="in order. `declare`: the winner exchanges, shows and melds; `draw`: all draw;"
            " `draw_up`: the player fills the hand; `combine`: the player may meld; `discard`: the player"
            " lays one card on the pile of its rank"
        ),
    ]
    follow: Annotated[Follow, Meta(description="the duty to follow, as law C8 names it")]
    must_play: Annotated[
        MustPlay | None, Meta(description="the same duty in full; null without tricks")
    ]
    melds: Annotated[
        NaturalNumber | None,
        Meta(
            description="how many melds may score after one trick, or in one turn; 0: melding is over; null:"
            " any number"
        ),
    ]
    until: Annotated[Until, Meta(description="when it ends")]

    @property
    def meld_limit(self) -> int:
        """How many melds may score, as a number to compare with."""
        return ANY_NUMBER_OF_MELDS if self.melds is None else self.melds


# Members about scoring: melds and their reuse, bonuses, brisques, the match.

TrumpCase = Literal["S", "H", "D", "C", "none"]
NonEmptyText = Annotated[str, Meta(min_length=1)]


class PatternCard(msgspec.Struct, frozen=True):
    """One card of a list."""

    ranks: Annotated[
        tuple[RankSign, ...],
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
    cards: Annotated[tuple[PatternCard, ...], Meta(description="the list")]

    @property
    def size(self) -> int:
        """How many cards the meld has."""
        return self.repeat * len(self.cards)

    def speaks_of(self, suit: str) -> bool:
        """Whether some card of the list takes its suit from this word."""
        return any(card.suit == suit for card in self.cards)


class ShapedCards(msgspec.Struct, frozen=True, tag_field="form", tag="shape"):
    """A meld that is so many cards in a row, or of one suit: exactly what it says, not both if it says one."""

    size: Annotated[
        int, Meta(description="the number of cards; that of a full hand if that is smaller (A-33)")
    ]
    in_a_row: Annotated[
        bool, Meta(description="whether the ranks are a stretch of `pack.row`, each once")
    ]
    one_suit: Annotated[bool, Meta(description="whether all cards are of one suit")]

    def speaks_of(self, suit: str) -> bool:
        """No: a shape names no cards."""
        return False


MeldCards = ListedCards | ShapedCards


class MeldRule(msgspec.Struct, frozen=True, eq=False):
    """A meld with one number of points. Several may share a name: which one it is follows from the cards."""

    name: Annotated[NonEmptyText, Meta(description="the name in a record")]
    words: Annotated[NonEmptyText, Meta(description="what people call it")]
    points: Annotated[PointCount, Meta(description="what it scores")]
    cards: Annotated[MeldCards, Meta(description="its cards, no more and no fewer, in any order")]
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


class Reuse(msgspec.Struct, frozen=True):
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
        LeavesBy,
        Meta(description="how a card leaves a meld, where the rule asks"),
    ]
    once_ever: Annotated[bool, Meta(description="whether a card serves in one meld of the deal")]
    forbids: Annotated[tuple[ReuseClause, ...], Meta(description="the clauses of the rule")]

    @property
    def rule(self) -> ReuseRule:
        """The rule of the law."""
        return REUSE_RULES[self.law]


class Bonus(msgspec.Struct, frozen=True):
    """Points for tricks."""

    name: Annotated[NonEmptyText, Meta(description="the `for` of its `score` event")]
    points: Annotated[PointCount, Meta(description="what it is worth")]
    tricks: Annotated[
        When,
        Meta(
            description="what for: the last trick of the deal, the last before the close, or all tricks after"
            " the close"
        ),
    ]
    to: Annotated[To, Meta(description="who scores it, of those of the trick")]

    def goes_to(self, winner: int) -> int:
        """Which of two seats scores it, as one of them has won the trick; and who has won, as one of them scores it."""
        return winner if self.to is To.WINNER else 1 - winner


class Brisques(msgspec.Struct, frozen=True):
    """Brisques, the cards that count when they are taken in tricks."""

    ranks: Annotated[tuple[RankSign, ...], Meta(description="their ranks")]
    points: Annotated[PointCount, Meta(description="what each is worth")]
    count: Annotated[
        BrisqueCount,
        Meta(
            description="when they count: always, added at the end of the deal; only in the settlement, to break"
            " a tie or to save the loser from the rubicon; never"
        ),
    ]

    @property
    def points_at_the_end(self) -> int:
        """What each scores as the deal ends: nothing where brisques do not count then."""
        return self.points if self.count is BrisqueCount.AT_THE_END else 0


NO_BRISQUES = Brisques(ranks=(), points=0, count=BrisqueCount.NEVER)
"""The brisques of a game that has none."""


class RaceTo(msgspec.Struct, frozen=True, tag_field="by", tag="race"):
    """Deals are played until a side has reached the target; the highest total wins."""

    target: Annotated[
        dict[SeatCount, int],
        Meta(description="the target by number of players, whatever the sides"),
    ]
    end: Annotated[
        GameEnd,
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
        int,
        Meta(description="a difference of the totals, rounded or not, counts as at least so much"),
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
        int,
        Meta(
            description="totals are rounded down to multiples of this number, those below zero too, then valued"
        ),
    ]
    win: Annotated[PaidPoints, Meta(description="if the loser is not rubiconed")]
    win_difference: Annotated[
        Rounding,
        Meta(
            description="which totals make the difference without a rubicon: the rounded ones (`hundreds`), those not"
            " rounded (`none`), or those not rounded only where the rounded ones are equal (`close`)"
        ),
    ]
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


class OneDeal(msgspec.Struct, frozen=True, tag_field="by", tag="one_deal"):
    """One deal is the match. The page of points works settlements out."""

    rubicon: Annotated[
        int, Meta(description="a loser with fewer points is rubiconed, unless brisques save them")
    ]
    settlement: Annotated[SheetSettlement, Meta(description="how it is paid")]


GameKind = RaceTo | OneDeal
PlayKind = TrickPlay | TurnPlay


# The sheet with all its members.
#
# They are written for programs in any language: words and numbers only, every member always there, null where a game has
# no such thing. What a word means stands beside the member, in the schema and on the page of sheets.

KnownCard = Annotated[str, Meta(pattern="^[AKQJT2-9][SHDC]$")]


class SheetRules(msgspec.Struct, frozen=True, eq=False):
    """The rules of a sheet, with every option at its default."""

    players: Annotated[tuple[int, ...], Meta(description="how many may play")]
    partners: Annotated[
        tuple[Partnership, ...],
        Meta(description="the sides that may be formed; without them everybody plays alone"),
    ]
    pack: Annotated[Pack, Meta(description="the cards")]
    hand: Annotated[
        dict[SeatCount, int], Meta(description="the cards dealt to each, by number of players")
    ]
    trumps: Annotated[Trumps, Meta(description="what makes trumps")]
    cut: Annotated[CutRule | None, Meta(description="the cut and the guess before the deal")]
    dix: Annotated[DixRule | None, Meta(description="the seven of trumps")]
    carte_blanche: Annotated[CarteBlancheRule | None, Meta(description="hands without court cards")]
    play: Annotated[PlayKind, Meta(description="whose turn it is, and who draws")]
    phases: Annotated[tuple[Phase, ...], Meta(description="before and after the stock is gone")]
    tableau: Annotated[TableauRule | None, Meta(description="the piles of Zetema")]
    melds: Annotated[tuple[MeldRule, ...], Meta(description="all melds with their points")]
    bezique_cards: Annotated[
        dict[TrumpCase, tuple[KnownCard, ...]] | None,
        Meta(
            description="queen and jack of bezique, by the trump suit; null if there is no such meld"
        ),
    ]
    pending: Annotated[
        bool,
        Meta(
            description="whether melds may be shown and scored after a later trick won, as the meld of that"
            " trick, while all their cards are held"
        ),
    ]
    reuse: Annotated[Reuse, Meta(description="when a card may score again")]
    bonuses: Annotated[tuple[Bonus, ...], Meta(description="points for tricks")]
    brisque_rule: Annotated[Brisques | None, Meta(description="cards that count when taken")] = (
        msgspec.field(name="brisques")
    )
    match: Annotated[GameKind, Meta(description="what wins, and what it pays")]

    @property
    def brisques(self) -> Brisques:
        """Cards that count when taken, none in a game without tricks."""
        return self.brisque_rule or NO_BRISQUES

    @property
    def melds_from(self) -> MeldsFrom:
        """What melds are made of."""
        return self.play.melds_from if isinstance(self.play, TrickPlay) else MeldsFrom.HELD

    @property
    def tricks_of_more(self) -> bool:
        """Whether the tricks have more than two cards."""
        return isinstance(self.play, TrickPlay) and max(self.players) > 2

    @property
    def partners_meld(self) -> bool:
        """Whether a partner of the winner of a trick may meld, too."""
        return isinstance(self.play, TrickPlay) and self.play.melds_by == "winner_or_partner"

    @property
    def partner_sizes(self) -> dict[int, tuple[int, ...]]:
        """By number of players, the sizes of the sides that they may form."""
        sizes: dict[int, tuple[int, ...]] = {}
        for each in self.partners:
            sizes[each.players] = (*sizes.get(each.players, ()), each.side)
        return sizes


class FieldChange(msgspec.Struct, frozen=True):
    """A member of the sheet that an option replaces, as in a JSON Patch (RFC 6902)."""

    op: Annotated[Literal["replace"], Meta(description="always `replace`")]
    path: Annotated[
        str, Meta(description="where, as a JSON Pointer (RFC 6901)", pattern="^/rules/")
    ]
    value: Annotated[Any, Meta(description="what stands there with this value of the option")]


class ChoiceValue(msgspec.Struct, frozen=True):
    """One value of an option."""

    value: Annotated[RuleOptionValue, Meta(description="the value as a record writes it")]
    changes: Annotated[
        tuple[FieldChange, ...], Meta(description="what it changes; nothing if default")
    ]


class ChoiceOption(msgspec.Struct, frozen=True, tag_field="takes", tag="choice"):
    """An option with named values."""

    name: Annotated[NonEmptyText, Meta(description="its name in a record")]
    says: Annotated[NonEmptyText, Meta(description="what it decides")]
    law: Annotated[
        NonEmptyText, Meta(description="the law or ruling, or the source, that leaves it open")
    ]
    default: Annotated[RuleOptionValue, Meta(description="the value if a record says nothing")]
    values: Annotated[tuple[ChoiceValue, ...], Meta(description="every value it may have")]

    @property
    def permitted(self) -> tuple[RuleOptionValue, ...]:
        """The values that it may have."""
        return tuple([each.value for each in self.values])


class NumberOption(msgspec.Struct, frozen=True, tag_field="takes", tag="number"):
    """An option that is a number."""

    name: Annotated[NonEmptyText, Meta(description="its name in a record")]
    says: Annotated[NonEmptyText, Meta(description="what it decides")]
    law: Annotated[
        NonEmptyText, Meta(description="the law or ruling, or the source, that leaves it open")
    ]
    default: Annotated[int, Meta(description="the value if a record says nothing")]
    least: Annotated[int, Meta(description="the smallest value")]
    most: Annotated[int, Meta(description="the largest value")]
    sets: Annotated[
        tuple[str, ...], Meta(description="JSON Pointers to the members that become this number")
    ]


Option = ChoiceOption | NumberOption


_OF_MORE_PLAYERS = ("deal", "play", "draw", "close", "melds")
"""The articles that tell what differs where more than two play tricks."""
_PHASE_OF_ARTICLE = {"play": 0}
"""The phase whose rule of following an article tells; all others tell that of the last."""


class SheetArticle(msgspec.Struct, frozen=True):
    """An article of the sheet in English, with its laws."""

    id: Annotated[
        NonEmptyText, Meta(description="its name: the `rule` of a finding is sheet/article")
    ]
    heading: Annotated[NonEmptyText, Meta(description="its heading")]
    says: Annotated[
        tuple[str, ...], Meta(description="its sentences, with every option at its default")
    ]
    laws: Annotated[
        tuple[str, ...], Meta(description="the laws and rulings that it rests on, by id")
    ]
    follows: Annotated[
        str | None,
        Meta(
            description="which of the rules of law C8 it follows, by the name that `follow` has, if it cites that law"
        ),
    ]
    sources: Annotated[tuple[str, ...], Meta(description="the tags of the rulebooks that say it")]
    points_from: Annotated[
        tuple[str, ...],
        Meta(description="the tags of the rulebooks that its points are from, if those are others"),
    ]

    def citing(self, rules: SheetRules) -> "SheetArticle":
        """The article with the laws of following and of reuse that these rules have."""
        phase = rules.phases[_PHASE_OF_ARTICLE.get(self.id, -1)]
        law_of = dict.fromkeys(REUSE_RULES, rules.reuse.law)
        if self.id in _PHASE_OF_ARTICLE:
            owed = FREE_PLAY_LAW if phase.follow is Follow.ANY else FOLLOWING_LAW
            law_of |= dict.fromkeys((FREE_PLAY_LAW, FOLLOWING_LAW), owed)
        cited = [law for law in self.laws if law != MORE_PLAYERS_LAW]
        if rules.tricks_of_more and self.id in _OF_MORE_PLAYERS:
            cited = [*[law for law in cited if law != TWO_PLAYERS_LAW], MORE_PLAYERS_LAW]
        laws = tuple(dict.fromkeys([law_of.get(law, law) for law in cited]))
        follows = phase.follow.value if FOLLOWING_LAW in laws else None
        return msgspec.structs.replace(self, laws=laws, follows=follows)

    @property
    def cited(self) -> str:
        """Laws and sources as a rulebook cites them: `C8 head, A-08; [EW], points [PG]`."""
        laws = [
            f"{law} {self.follows}" if law == FOLLOWING_LAW and self.follows else law
            for law in self.laws
        ]
        said = ", ".join([f"[{tag}]" for tag in self.sources])
        points = "points " + ", ".join([f"[{tag}]" for tag in self.points_from])
        sources = ", ".join(filter(None, [said, points if self.points_from else ""]))
        return "; ".join(filter(None, [", ".join(laws), sources]))


class SheetLaw(msgspec.Struct, frozen=True):
    """A law or ruling that the sheet cites."""

    id: Annotated[NonEmptyText, Meta(description="its number")]
    says: Annotated[tuple[str, ...], Meta(description="its paragraphs")]


class SheetSource(msgspec.Struct, frozen=True):
    """A rulebook."""

    tag: Annotated[NonEmptyText, Meta(description="the tag by which it is cited")]
    title: Annotated[NonEmptyText, Meta(description="what it is")]


class RuleSheet(msgspec.Struct, frozen=True, eq=False):
    """One rule sheet."""

    format: Annotated[Literal["bezique-sheet"], Meta(description="the name of this format")]
    version: Annotated[str, Meta(description="the version of this format", pattern=r"^1\.[0-9]+$")]
    id: Annotated[str, Meta(description="the `rules.id` of a record", pattern="^[a-z-]+$")]
    edition: Annotated[int, Meta(description="the `rules.edition` of a record", ge=1)]
    name: Annotated[NonEmptyText, Meta(description="what people call the game")]
    says: Annotated[NonEmptyText, Meta(description="the game in a sentence")]
    rules: Annotated[SheetRules, Meta(description="the rules, with every option at its default")]
    options: Annotated[
        tuple[Option, ...],
        Meta(
            description="the options. Two of them contradict each other, and a record may not have both, if"
            " they set one path to different values"
        ),
    ]
    articles: Annotated[tuple[SheetArticle, ...], Meta(description="the same rules in English")]
    laws: Annotated[tuple[SheetLaw, ...], Meta(description="the laws and rulings cited, in full")]
    sources: Annotated[tuple[SheetSource, ...], Meta(description="the rulebooks")]

    def cited(self, article: str) -> str:
        """The laws and sources of an article; empty if the sheet has no such article."""
        return next((each.cited for each in self.articles if each.id == article), "")
