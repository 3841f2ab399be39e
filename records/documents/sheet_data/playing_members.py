"""The members of a published sheet that are about the cards and the play: who deals, leads, follows, draws, and when."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

SuitLetter = Literal["S", "H", "D", "C"]
SeatCount = Literal["2", "3", "4", "5", "6"]
DixWindow = Literal["never", "after_trick_won", "at_any_time"]
OwedGroup = Literal["higher_of_suit_led", "suit_led", "trumps", "any"]

NaturalNumber = Annotated[int, Meta(ge=0)]
PointCount = Annotated[int, Meta(ge=0)]
RankSign = Annotated[str, Meta(pattern="^[AKQJT2-9]$")]


class Partnership(msgspec.Struct, frozen=True):
    """Players who may form sides; partners sit alternately."""

    players: Annotated[int, Meta(description="the number of players")]
    side: Annotated[int, Meta(description="the players of one side")]


class SheetPack(msgspec.Struct, frozen=True):
    """The cards of the game."""

    ranks: Annotated[list[RankSign], Meta(description="the ranks, from high to low, in every suit")]
    copies: Annotated[
        dict[SuitLetter, NaturalNumber], Meta(description="how often each card of a suit is there")
    ]
    cards: Annotated[int, Meta(description="how many cards that makes")]
    row: Annotated[
        list[RankSign] | None,
        Meta(
            description="the ranks in the order of a row, for melds of cards in a row: any stretch of this"
            " list is a row; null if there are no such melds"
        ),
    ]


class TurnUpTrumps(msgspec.Struct, frozen=True, tag_field="by", tag="turn_up"):
    """Trumps are the suit of a card turned up after the deal. It lies under the stock and is drawn last."""

    dealer_seven: Annotated[
        PointCount,
        Meta(description="what the dealer scores if that card is a seven (`turned_seven`)"),
    ]


class MeldTrumps(msgspec.Struct, frozen=True, tag_field="by", tag="first_meld"):
    """There are no trumps until the first of some melds makes them; it scores as one of trumps itself."""

    melds: Annotated[list[str], Meta(description="the names of melds that make trumps")]
    when: Annotated[
        Literal["laid", "scored"],
        Meta(
            description="`laid`: as soon as it lies on the table, pending or not; `scored`: when it scores"
        ),
    ]


class NoTrumpSuit(msgspec.Struct, frozen=True, tag_field="by", tag="nothing"):
    """There are no trumps."""


class SheetDix(msgspec.Struct, frozen=True):
    """The seven of trumps. A seven that has scored is spent; a turned-up seven cannot be exchanged."""

    points: Annotated[PointCount, Meta(description="for exchanging, showing or playing one")]
    exchange: Annotated[
        DixWindow,
        Meta(
            description="when a seven in the hand may be given for the turn-up, as long as that lies there;"
            " `after_trick_won` is before the winner draws"
        ),
    ]
    show: Annotated[
        DixWindow,
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


class SheetCarteBlanche(msgspec.Struct, frozen=True):
    """A dealt hand without court cards, and after it every own draw that brings none, until the first that does."""

    points: Annotated[PointCount, Meta(description="for each showing")]
    courts: Annotated[list[RankSign], Meta(description="the ranks of court cards")]
    first: Annotated[
        Literal["before_own_first_card", "before_first_lead"],
        Meta(description="until when the dealt hand may be shown"),
    ]
    later: Annotated[
        Literal["before_next_card"],
        Meta(description="until when a drawn card may be shown: the next card that anybody plays"),
    ]


class SheetCut(msgspec.Struct, frozen=True):
    """The dealer lifts a packet, and the other player guesses how many cards it has."""

    packet: Annotated[int, Meta(description="the size that scores for the dealer")]
    dealer_points: Annotated[PointCount, Meta(description="for a packet of that size (`cut`)")]
    guess_points: Annotated[PointCount, Meta(description="for a right guess (`guess`)")]


class SheetTableau(msgspec.Struct, frozen=True):
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
        Literal["one", "each_pair"],
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
        Literal["stock_empty", "whole_hand"],
        Meta(
            description="when one of two players who has scored a zetema must go on: discard every card that"
            " completes another pile, then one card more"
        ),
    ]


class TrickPlay(msgspec.Struct, frozen=True, tag_field="by", tag="tricks"):
    """Two players play tricks."""

    dealer: Annotated[Literal["next_seat"], Meta(description="who deals next")]
    first_lead: Annotated[
        Literal["seat_after_dealer"], Meta(description="who leads to the first trick")
    ]
    lead: Annotated[Literal["winner"], Meta(description="who leads to the next one")]
    takes: Annotated[
        list[Literal["highest_trump", "highest_of_suit_led"]],
        Meta(description="which card takes the trick: the first of these that was played"),
    ]
    like_cards: Annotated[
        Literal["first_played"], Meta(description="which of two identical cards takes it")
    ]
    draws: Annotated[
        Literal["winner_then_loser"],
        Meta(description="the order of the draws after a trick, one card each"),
    ]
    last_card: Annotated[
        Literal["turn_up", "stock"],
        Meta(
            description="what the loser of the last trick before the close draws: the turn-up (or the seven"
            " given for it), or the last card of the stock"
        ),
    ]
    melds_by: Annotated[
        Literal["winner"],
        Meta(
            description="who may meld: the winner of a trick, before drawing; after the close before leading"
        ),
    ]
    melds_from: Annotated[
        Literal["held", "captured"],
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


class MustPlay(msgspec.Struct, frozen=True):
    """What the second player may play: the cards of the first of these groups of which the hand has any."""

    plain_led: Annotated[list[OwedGroup], Meta(description="if a plain suit was led")]
    trumps_led: Annotated[list[OwedGroup], Meta(description="if trumps were led")]


class SheetPhase(msgspec.Struct, frozen=True):
    """A stretch of the deal in which every trick or turn has the same steps."""

    name: Annotated[Literal["stock", "close"], Meta(description="its name")]
    steps: Annotated[
        list[Literal["trick", "declare", "draw", "draw_up", "combine", "discard"]],
        Meta(
            description="in order. `declare`: the winner exchanges, shows and melds; `draw`: both draw;"
            " `draw_up`: the player fills the hand; `combine`: the player may meld; `discard`: the player"
            " lays one card on the pile of its rank"
        ),
    ]
    follow: Annotated[
        Literal["any", "head", "suit"], Meta(description="the duty to follow, as law C8 names it")
    ]
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
    until: Annotated[Literal["stock_empty", "hands_empty"], Meta(description="when it ends")]
