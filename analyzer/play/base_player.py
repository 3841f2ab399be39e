"""The base player: weighs what every card may still score in melds, what a trick brings, and what winning it allows.

It is written once for every game with tricks between two, from the data of its sheet. A choice of a card is worth

- the brisques of the trick, for whoever wins it,
- what winning allows: to score a meld that is ready, the more the fewer tricks are left for that,
- less what the card could still do in the hand: in every meld that it belongs to, by the chance to complete it with the
  card and without; and in tricks to come, if it is a trump or high.

`analyzer.play.card_worth` has the tables of all that, `analyzer.play.base_choices` the choice of a card. The player knows what its
seat knows: its hand, what lies open, which cards it has not seen, and how many of these are in the other hand. Where they
are cannot change a choice.

It scores the dearest meld first, and shows or exchanges sevens at once: to weigh which melds could still be scored after
each was never worth half a point a deal.
"""

from functools import partial

from analyzer.play import greedy
from analyzer.play.base_choices import (
    HandWorth,
    PileWorth,
    capturing_lead,
    capturing_reply,
    choose_card_by,
    closed_lead,
    lead_card,
    reply_card,
    worth_of_winning,
)
from analyzer.play.card_worth import SheetWorth, worth_for
from analyzer.play.fast_deal import FastDeal
from analyzer.play.fast_rules import forget_card
from analyzer.play.greedy import WHOLE_DEAL, Choice, end_trick


def play_out(deal: FastDeal, most_tricks: int = WHOLE_DEAL) -> int:
    """Play a deal on; returns the lead of seat 0 in points. Changes the deal.

    It is played to its end, unless more than `most_tricks` are to come before the close: then it ends after these, and
    brisques that would count at the end count as they are.
    """
    worth = worth_for(deal.rules)
    return play_out_between(deal, (worth, worth), most_tricks)


def play_out_between(
    deal: FastDeal, players: tuple[SheetWorth, SheetWorth], most_tricks: int = WHOLE_DEAL
) -> int:
    """Play a deal on as `play_out` does, by players of other weights; those of seat 0 first."""
    return greedy.play_on(
        deal,
        most_tricks,
        lambda deal: choice_of(deal, players[deal.actor]),
        lambda deal, rest: _play_tricks(deal, players, rest),
    )


def next_choice(deal: FastDeal) -> Choice:
    """The next choice of these players."""
    return choice_of(deal, worth_for(deal.rules))


def choice_of(deal: FastDeal, worth: SheetWorth) -> Choice:
    """The next choice of a player to whom things are worth this."""
    return greedy.next_choice(deal, partial(choose_card_by, sheet_worth=worth))


def choose_card(deal: FastDeal, lawful: int) -> int:
    """The card that a base player plays of those allowed."""
    return choose_card_by(deal, lawful, worth_for(deal.rules))


# The loop.


def _play_tricks(  # noqa: C901 - one loop, for its speed
    deal: FastDeal, players: tuple[SheetWorth, SheetWorth], rest: int
) -> None:
    """Play from a lead until something happens that is not plain: the last draws, trumps made, the end of the deal.

    At the latest it ends when no more than `rest` cards are in the stock. It makes the choices that `choice_of` makes
    (`analyzer.play.greedy` has the same loop for greedy players, and says why it is one). What the seats know is kept
    from trick to trick: the cards face down, and what hands or piles are worth.
    """
    rules, view, phase = deal.rules, deal.view, deal.phase
    worths = [player.under[view.trump] for player in players]
    cards, melds_with, melds_freed = view.cards, view.melds_with, view.melds_freed
    is_brisque, beats, alike = cards.is_brisque, cards.beats, cards.alike
    sevens = cards.sevens
    captures, draws, free = rules.compiled.melds_captured, phase.draws, not phase.must_follow
    seat = deal.seat
    own, other = deal.hands[seat], deal.hands[1 - seat]
    paired = deal.paired
    stock, hopeful, brisques = deal.stock, deal.hopeful, deal.brisques
    turned = int(deal.turn_up > 0)
    era = len(stock) + turned
    stop = max(2 - turned, rest + 2)
    # Idle cards are led and thrown as `lead_card` and `reply_card` do it; to ask them takes longer.
    idle = worths[0].idle
    owed, down = view.duties[phase.name], sum(stock)
    piles: list[list[PileWorth]] = []
    if captures:
        players_apart = worths[: 1 + (worths[0] is not worths[1])]
        piles = [[PileWorth(each, pile) for pile in deal.captured] for each in players_apart]
    piles_of = piles[:1] + piles[-1:]
    first, second = HandWorth(deal, seat, worths[seat]), HandWorth(deal, 1 - seat, worths[1 - seat])
    while True:
        left = len(stock) + turned
        if captures and left <= era:
            era = (left - 1) // 8 * 8
            for each in piles:
                each[0].begin(left)
                each[1].begin(left)
        worth = first.worth
        stage = worth.stages[left] or worth.stage(left)
        if not own & (own - 1):
            led = own
        elif captures:
            led = capturing_lead(
                worth, stage, own, down | other, piles_of[seat][seat], piles_of[seat][1 - seat]
            )
        elif draws and not stage.now and own & idle:
            led = own & idle
            led &= -led
        else:
            win = worth_of_winning(deal, stage, first, own) if hopeful[seat] else stage.win
            if draws:
                shown = other & second.scored.ever
                led = lead_card(stage, first, own, down | other ^ shown, shown, win)
            else:
                led = closed_lead(stage, first, own, other, owed, win)
        place = led.bit_length() - 1
        own ^= led
        if free:
            lawful = other
        else:
            deal.hands[1 - seat], deal.seat, deal.led = other, 1 - seat, led
            lawful = deal.lawful_cards()
        if second.worth is not worth:
            worth = second.worth
            stage = worth.stages[left] or worth.stage(left)
        if not lawful & (lawful - 1):
            reply = lawful
        elif captures:
            reply = capturing_reply(
                worth, stage, lawful, led, piles_of[1 - seat][1 - seat], piles_of[1 - seat][seat]
            )
        elif lawful & idle and not lawful & beats[place]:
            reply = lawful & idle
            reply &= -reply
        else:
            win = stage.win
            if hopeful[1 - seat] and stage.now and lawful & beats[place]:
                win = worth_of_winning(deal, stage, second, other)
            unseen = down | own & ~first.scored.ever
            reply = reply_card(stage, second, other, lawful, led, unseen, win)
        answer = reply.bit_length() - 1
        other ^= reply
        if sevens & (led | reply):
            if led & sevens:
                deal.score_seven(seat, led)
            if reply & sevens:
                deal.score_seven(1 - seat, reply)
        if not captures:
            if led & first.scored.ever:
                hopeful[seat] |= forget_card(rules, melds_freed, first.scored, led)
                first.lose_scored_card(place)
            if reply & second.scored.ever:
                hopeful[1 - seat] |= forget_card(rules, melds_freed, second.scored, reply)
                second.lose_scored_card(answer)
        if reply & beats[place]:
            seat = 1 - seat
            own, other = other, own
            first, second = second, first
        deal.tricks += 1
        brisques[seat] += is_brisque[place] + is_brisque[answer]
        if captures:
            deal.captured[seat] |= led | reply
            for each in piles:
                each[seat].take(place)
                each[seat].take(answer)
            first.scored.new, first.scored.used = led | reply, 0
            hopeful[seat] |= melds_with[place][-1] | melds_with[answer][-1]
        if not draws or len(stock) <= stop or (rules.has_dixes and own & sevens) or hopeful[seat]:
            if end_trick(deal, seat, own, other, stop, first.score):
                return
            own = deal.hands[seat]
            if not draws:
                continue
        card, next_card = stock.pop(), stock.pop()
        if paired and seat:
            card, next_card = next_card, card
        down ^= card | next_card
        own |= card
        other |= next_card
        if not captures:
            place, answer = card.bit_length() - 1, next_card.bit_length() - 1
            hopeful[seat] |= melds_with[place][(own & alike[place]).bit_count()]
            hopeful[1 - seat] |= melds_with[answer][(other & alike[answer]).bit_count()]
