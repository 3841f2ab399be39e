"""Everything a rule sheet can say: the words of the rulebooks as frozen data, no behaviour.

A sheet is complete in itself. The engine matches on these words and never on a sheet's name. The
vocabulary is that of all the family's rulebooks: trick games with and without a turn-up, and Zetema,
which has no tricks.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


class Follow(Enum):
    """What the second player owes to the card led."""

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
    """Winner, then loser, take a card from the stock."""
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


ANY_NUMBER_OF_MELDS = 99
"""As many melds as the winner likes."""


@dataclass(frozen=True, slots=True, eq=False)
class Phase:
    """A stretch of the deal with one order of steps. `melds` limits the melds scored after one trick."""

    name: str
    steps: tuple[PhaseStep, ...]
    follow: Follow
    melds: int
    until: Until


@dataclass(frozen=True, slots=True, eq=False)
class Pack:
    """The cards: ranks from high to low, packs shuffled together, suits that come twice (Zetema).

    `runs` are the ranks in the order of a run, the ace at both ends where it may be high.
    """

    ranks: str
    copies: int
    doubled_suits: str
    runs: str


@dataclass(frozen=True, slots=True, eq=False)
class TurnUp:
    """A card turned up after the deal fixes trumps; the dealer scores when it is a seven."""

    dealer_seven: int


class TrumpsBy(Enum):
    """Whether a meld makes trumps as soon as it lies on the table, or only once it scores (A-46)."""

    LAID = "laid"
    SCORED = "scored"


@dataclass(frozen=True, slots=True, eq=False)
class FirstMeld:
    """The first meld of these `kinds` fixes trumps for the deal, by being laid or by scoring."""

    kinds: tuple[str, ...]
    by: TrumpsBy


@dataclass(frozen=True, slots=True, eq=False)
class NoTrumps:
    """There are no trumps."""


Trumps = TurnUp | FirstMeld | NoTrumps


class Window(Enum):
    """When a dix may be exchanged or shown."""

    NEVER = "never"
    AFTER_TRICK_WON = "after_trick_won"
    """By the winner of a trick, before he draws or leads."""
    AT_ANY_TIME = "at_any_time"
    """Own turn or not, no trick needed."""


@dataclass(frozen=True, slots=True, eq=False)
class DixRule:
    """The seven of trumps.

    `played` says whether playing an unspent one scores, `in_last_tricks` whether also after the
    close; `once_per_card` makes each dix score once a deal (ruling A-02); `spent_exchanges` lets a
    dix that has scored be exchanged for nothing.
    """

    points: int
    exchange: Window
    show: Window
    played: bool
    in_last_tricks: bool
    once_per_card: bool
    exchange_is_the_meld: bool
    spent_exchanges: bool

    def window(self, action: str) -> Window:
        """When a dix may be exchanged, or shown."""
        return self.exchange if action == "exchange" else self.show


@dataclass(frozen=True, slots=True, eq=False)
class MeldRule:
    """A combination: its name in a record, its cards, its points, and its place among the kinds.

    `cards` is a pattern: rank and suit, where the suit `t` is trumps, `p` one plain suit, `x` any
    suit card by card, and `b` the suit of the bezique cards (queen of spades, jack of diamonds
    unless an option says otherwise), or the shape of so many cards: `records.rules.compiled` explains
    it. `kind` is what the reuse rules call one kind; `family` groups kinds of
    which the higher `level` contains the lower.
    """

    name: str
    words: str
    cards: str
    points: int
    kind: str
    family: str
    level: int


class MeldsFrom(Enum):
    """Which cards a meld is made of."""

    HELD = "held"
    CAPTURED = "captured"


class Pending(Enum):
    """Whether melds may be shown without being scored, and scored after a later trick."""

    NO = "no"
    YES = "yes"


class ReuseRule(Enum):
    """When a card that has scored may score again: each rule is one named function of the replay."""

    ONCE_PER_SET = "once_per_set"
    ONCE_PER_KIND = "once_per_kind"
    UPWARD_IN_CLASS = "upward_in_class"
    REFORMED_AFTER_LEAVING = "reformed_after_leaving"
    AUGMENT_OR_RESTORE = "augment_or_restore"
    LEAVES_THE_HAND = "leaves_the_hand"


class LeavesBy(Enum):
    """How a card leaves a scored meld so that the meld may be formed again."""

    PLAYED = "played"
    PLAYED_OR_MELDED = "played_or_melded"


@dataclass(frozen=True, slots=True, eq=False)
class Reuse:
    """The rule of reuse and the readings people differ on (rulings A-15, A-17, A-18, A-20)."""

    rule: ReuseRule
    sequence_then_marriage: bool
    singles_then_double: bool
    double_then_single: bool
    leaves_by: LeavesBy
    once_ever: bool


class BeziqueCards(Enum):
    """Which queen and jack make bezique."""

    FIXED = "fixed"
    """Queen of spades and jack of diamonds whatever trumps are (law C11)."""
    BY_TRUMP = "by_trump"
    """Queen of clubs and jack of hearts when spades or diamonds are trumps."""


@dataclass(frozen=True, slots=True, eq=False)
class CarteBlancheRule:
    """A hand without court cards, and each draw that keeps it so."""

    points: int
    courts: str
    before_first_lead: bool


@dataclass(frozen=True, slots=True, eq=False)
class CutRule:
    """The dealer cuts for the exact number of cards; the other player guesses (six-pack)."""

    packet: int
    dealer_points: int
    guess_points: int


class HandCards(Enum):
    """How many cards of marriages must come from the hand and not from the tableau (A-38)."""

    ONE = "one"
    EACH_PAIR = "each_pair"


class Chain(Enum):
    """When one of two players must go on discarding after a zetema (A-36)."""

    STOCK_EMPTY = "stock_empty"
    WHOLE_HAND = "whole_hand"


@dataclass(frozen=True, slots=True, eq=False)
class TableauRule:
    """The piles of Zetema, one a rank: the card that makes `full` scores that rank's zetema.

    `draw_up_to` is the full hand by number of players. A marriage in a doubled suit scores
    `imperial_points` more when fewer than `imperial_below` are declared.
    """

    full: int
    zetemas: Mapping[str, int]
    draw_up_to: Mapping[int, int]
    marriage_hand_cards: HandCards
    imperial_points: int
    imperial_below: int
    chain: Chain


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


@dataclass(frozen=True, slots=True, eq=False)
class Bonus:
    """Points for a trick or a run of tricks; `name` is the `for` of the record's score event."""

    name: str
    when: When
    to: To
    points: int

    def goes_to(self, winner: int) -> int:
        """Which of two seats scores it, as one of them has won the trick; and who has won, as one of them scores it."""
        return winner if self.to is To.WINNER else 1 - winner


class BrisqueCount(Enum):
    """When brisques count."""

    AT_THE_END = "at_the_end"
    TO_SETTLE = "to_settle"
    """Only to break a tie or to save the rubicon."""
    NEVER = "never"


@dataclass(frozen=True, slots=True, eq=False)
class Brisques:
    """Aces and tens taken in tricks."""

    ranks: str
    points: int
    count: BrisqueCount

    @property
    def points_at_the_end(self) -> int:
        """What each scores as the deal ends: nothing where brisques do not count then."""
        return self.points if self.count is BrisqueCount.AT_THE_END else 0


class GameEnd(Enum):
    """Whether the deal in which the target is reached is played out."""

    FINISH_HAND = "finish_hand"
    AT_ONCE = "at_once"


@dataclass(frozen=True, slots=True, eq=False)
class RaceTo:
    """Deals are played until a side has `target` points; an equal lead means another deal (A-11).

    `many_target` holds from `many_from` players on (Zetema); `end` says whether the hand is finished.
    """

    target: int
    many_from: int
    many_target: int
    end: GameEnd


class Settlement(Enum):
    """How one deal becomes a game of its own: each a named function of the replay."""

    RUBICON = "rubicon"
    CLUB = "club"
    PORTLAND = "portland"
    SIX_PACK = "six_pack"


class Rounding(Enum):
    """What the difference of two scores is worth without a rubicon (A-51)."""

    HUNDREDS = "hundreds"
    """That of the scores rounded down to hundreds, where the settlement rounds them."""
    NONE = "none"
    """The difference as it is."""
    CLOSE = "close"
    """As it is where the rounded scores are equal, otherwise that of the rounded scores."""


@dataclass(frozen=True, slots=True, eq=False)
class OneDeal:
    """A deal is a game, settled against a rubicon of so many points; winning it is worth `win_bonus`."""

    settlement: Settlement
    rubicon: int
    win_bonus: int
    rounding: Rounding


GameKind = RaceTo | OneDeal

RuleOptionValue = bool | int | str
Changes = Mapping[str, object]
"""Fields that an option replaces, by path: `{"close.follow": Follow.SUIT}`."""


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceOption:
    """An option with named values; each value is a clause that replaces fields."""

    name: str
    says: str
    default: RuleOptionValue
    values: Mapping[RuleOptionValue, Changes]
    ruling: str


@dataclass(frozen=True, slots=True, eq=False)
class NumberOption:
    """An option that is a number of points or cards, from `low` to `high`."""

    name: str
    says: str
    default: int
    low: int
    high: int
    path: str
    ruling: str


Option = ChoiceOption | NumberOption


@dataclass(frozen=True, slots=True, eq=False)
class RuleSheet:
    """One rulebook, in the order in which a rulebook tells a game.

    `hand` gives the cards dealt by number of players, `partners` the sizes of the sides that so many
    players may form. `laws` gives, for each article (deal, trumps, dix, play, draw, close, melds,
    reuse, pending, tableau, bonuses, brisques, game), its law, its rulings and its source.
    """

    id: str
    edition: int
    name: str
    says: str
    sources: tuple[str, ...]
    players: tuple[int, ...]
    partners: Mapping[int, tuple[int, ...]]
    pack: Pack
    hand: Mapping[int, int]
    trumps: Trumps
    dix: DixRule | None
    carte_blanche: CarteBlancheRule | None
    cut: CutRule | None
    tableau: TableauRule | None
    phases: tuple[Phase, ...]
    melds: tuple[MeldRule, ...]
    melds_from: MeldsFrom
    bezique_cards: BeziqueCards
    pending: Pending
    reuse: Reuse
    bonuses: tuple[Bonus, ...]
    brisques: Brisques
    game: GameKind
    options: tuple[Option, ...]
    laws: Mapping[str, str]
