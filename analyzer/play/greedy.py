"""Greedy players in fast play: they win brisques cheaply, throw what is worth least, and make the dearest meld at once.

They choose as `records.selfplay.choose_greedy_card` does. Of like copies they play one that has scored, so that the
others stay free.
"""

from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

from analyzer.play.fast_deal import CLOSED_CHAIN, FastDeal
from analyzer.play.fast_rules import FastMeld, first_set_of, forget_card, sets_of
from records.rules.vocabulary import Window

WHOLE_DEAL = 1000
"""More tricks than any deal has."""
NO_CHAINS = [CLOSED_CHAIN, CLOSED_CHAIN]


def play_out(deal: FastDeal, most_tricks: int = WHOLE_DEAL) -> int:
    """Play a deal on; returns the lead of seat 0 in points. Changes the deal.

    It is played to its end, unless more than `most_tricks` are to come before the close: then it ends after these, and
    brisques that would count at the end count as they are.
    """
    return play_on(deal, most_tricks, next_choice, _play_tricks)


def play_on(
    deal: FastDeal,
    most_tricks: int,
    choose: "Callable[[FastDeal], Choice]",
    play_tricks: Callable[[FastDeal, int], None],
) -> int:
    """Play a deal on as `play_out` does, by players who choose so.

    `play_tricks` makes the same choices in one loop, from a lead until something happens that is not plain, or until no more
    than so many cards are in the stock.
    """
    rest = len(deal.stock) - 2 * most_tricks
    while not deal.over or deal.window is not None:
        if deal.led or deal.due or deal.chains != NO_CHAINS:
            make_choice(deal, choose(deal))
        elif deal.window is not None:
            make_melds(deal)
            deal.window = None
        elif rest > 0 and len(deal.stock) <= rest:
            return deal.lead_so_far
        else:
            play_tricks(deal, rest)
    return deal.points[0] - deal.points[1]


class Choice(NamedTuple):
    """What the players do next: `carte_blanche`, `exchange`, `show`, `meld`, `draw`, `play` or nothing (`""`).

    `cards` is a mask; `meld` is the meld that they form.
    """

    what: str
    seat: int
    cards: int = 0
    meld: FastMeld | None = None

    @property
    def name(self) -> str:
        """The name of the meld."""
        return self.meld.rule.name if self.meld else ""


def play_step(deal: FastDeal) -> None:
    """Make the next choice, whatever it is; `_play_tricks` makes the same ones in one loop."""
    make_choice(deal, next_choice(deal))


def make_choice(deal: FastDeal, choice: Choice) -> None:
    """Do what was chosen."""
    match choice.what:
        case "carte_blanche":
            deal.show_blanche(choice.seat)
        case "exchange" | "show":
            deal.dix(choice.what, choice.cards)
        case "meld" if choice.meld:
            deal.meld(choice.meld, choice.cards)
        case "draw":
            deal.draw()
        case "play":
            deal.play(choice.cards)
        case _:
            deal.window = None


def next_choice(deal: FastDeal, choose: Callable[[FastDeal, int], int] | None = None) -> Choice:
    """The next choice of these players, or of others who choose a card of those allowed so."""
    for seat in (0, 1):
        if deal.may_show_blanche(seat):
            return Choice("carte_blanche", seat)
    seat = deal.actor
    if deal.window is not None and deal.left > 0:
        for action, seven in deal.lawful_dixes():
            return Choice(action, seat, seven)
        if best := dearest_meld(deal):
            meld, cards = best
            return Choice("meld", seat, cards, meld)
    if deal.over:
        return Choice("", seat)
    if deal.due:
        return Choice("draw", deal.due[0], deal.stock[-1] if deal.stock else deal.turn_up)
    return Choice("play", deal.seat, (choose or choose_card)(deal, deal.lawful_cards()))


def choose_card(deal: FastDeal, lawful: int) -> int:
    """The card that a greedy player plays of those allowed."""
    cards = deal.view.cards
    if deal.led:
        place = deal.led.bit_length() - 1
        if cards.is_brisque[place]:
            lawful = lawful & cards.beats[place] or lawful
    low = lawful & -lawful
    alike = lawful & cards.alike[low.bit_length() - 1]
    scored = alike & deal.scored[deal.seat].ever
    return scored & -scored or low


def make_melds(deal: FastDeal, note: Callable[[FastMeld], None] | None = None) -> None:
    """Show or exchange sevens and score melds, as far as the winner of the trick may; `note` is called with each meld."""
    while deal.left > 0:
        if dix := next(deal.lawful_dixes(), None):
            deal.dix(*dix)
        elif best := dearest_meld(deal):
            deal.meld(*best)
            if note is not None:
                note(best[0])
        else:
            return


def dearest_meld(deal: FastDeal) -> tuple[FastMeld, int] | None:
    """The meld that scores most of those allowed, and its cards: first those that have scored before.

    Melds that cannot be made now are looked at again only when a card comes that they need, or when a card has left a
    meld, by which others may be formed again.
    """
    seat = deal.window
    assert seat is not None
    hopeful, melds = deal.hopeful[seat], deal.view.melds
    pool, scored, law, bound = deal.meldable(seat), deal.scored[seat], deal.law, deal.bound
    while hopeful:
        bit = hopeful & -hopeful
        meld = melds[bit.bit_length() - 1]
        for mask, number in meld.needs:
            if (pool & mask).bit_count() < number:
                break
        else:
            cards = pool & ~bound(meld, scored)
            chosen = first_set_of(meld, cards, scored.ever)
            # Mostly the first set will do; to list them all takes longer.
            if chosen and not law(meld, chosen, scored):
                sets = islice(sets_of(meld, cards, scored.ever), 1, None)
                chosen = next((some for some in sets if law(meld, some, scored)), 0)
            if chosen:
                deal.hopeful[seat] = hopeful
                return meld, chosen
        hopeful ^= bit
    deal.hopeful[seat] = 0
    return None


def _play_tricks(deal: FastDeal, rest: int) -> None:  # noqa: C901 - one loop, for its speed
    """Play from a lead until something happens that is not plain: the last draws, trumps made, the end of the deal.

    At the latest it ends when no more than `rest` cards are in the stock.

    One long loop, since a call costs as much as ten of its lines: what it mirrors is `play_step` and what that calls.
    The table is in local variables, named from the seat that leads, and written back where the loop ends.
    """
    rules, view, phase = deal.rules, deal.view, deal.phase
    cards, melds_with, melds_freed = view.cards, view.melds_with, view.melds_freed
    is_brisque, beats, alike = cards.is_brisque, cards.beats, cards.alike
    sevens = cards.sevens
    dix = rules.written.dix
    offers = dix is not None and (dix.exchange, dix.show) != (Window.NEVER, Window.NEVER)
    captures, draws, free = rules.compiled.melds_captured, phase.draws, not phase.must_follow
    seat = deal.seat
    own, other = deal.hands[seat], deal.hands[1 - seat]
    scored, others_scored = deal.scored[seat], deal.scored[1 - seat]
    paired = deal.paired
    stock, hopeful, brisques = deal.stock, deal.hopeful, deal.brisques
    last = 2 - bool(deal.turn_up)
    stop = max(last, rest + 2)
    while True:
        led = own & -own
        place = led.bit_length() - 1
        like = own & alike[place]
        if like != led and (like := like & scored.ever):
            led = like & -like
            place = led.bit_length() - 1
        own ^= led
        if free:
            reply = other & beats[place] if is_brisque[place] else 0
            reply = reply & -reply or other & -other
        else:
            deal.hands[1 - seat], deal.seat, deal.led = other, 1 - seat, led
            lawful = deal.lawful_cards()
            reply = lawful & beats[place] if is_brisque[place] else 0
            reply = reply & -reply or lawful & -lawful
        answer = reply.bit_length() - 1
        like = other & alike[answer]
        if like != reply and (like := like & others_scored.ever):
            reply = like & -like
            answer = reply.bit_length() - 1
        other ^= reply
        if sevens & (led | reply):
            if led & sevens:
                deal.score_seven(seat, led)
            if reply & sevens:
                deal.score_seven(1 - seat, reply)
        if led & scored.ever and not captures:
            hopeful[seat] |= forget_card(rules, melds_freed, scored, led)
        if reply & others_scored.ever and not captures:
            hopeful[1 - seat] |= forget_card(rules, melds_freed, others_scored, reply)
        if reply & beats[place]:
            seat = 1 - seat
            own, other = other, own
            scored, others_scored = others_scored, scored
        deal.tricks += 1
        brisques[seat] += is_brisque[place] + is_brisque[answer]
        if captures:
            deal.captured[seat] |= led | reply
            scored.new, scored.used = led | reply, 0
            hopeful[seat] |= melds_with[place][-1] | melds_with[answer][-1]
        if not draws or len(stock) <= stop or (offers and own & sevens) or hopeful[seat]:
            deal.hands[seat], deal.hands[1 - seat] = own, other
            deal.seat = deal.window = seat
            deal.led, deal.left = 0, phase.melds
            if not draws:
                deal.closes[seat] += 1
                if not own and not other:
                    deal.finish(seat)
                    return
            else:
                deal.due = (seat, 1 - seat)
                if len(stock) <= last:
                    deal.award_last_stock_trick(seat)
            make_melds(deal)
            if deal.view is not view or (draws and len(stock) <= stop):
                if not draws:
                    deal.window = None
                return
            deal.window = None
            own = deal.hands[seat]
            if not draws:
                continue
            deal.due = ()
        card, next_card = stock.pop(), stock.pop()
        if paired and seat:
            card, next_card = next_card, card
        own |= card
        other |= next_card
        if not captures:
            place, answer = card.bit_length() - 1, next_card.bit_length() - 1
            hopeful[seat] |= melds_with[place][(own & alike[place]).bit_count()]
            hopeful[1 - seat] |= melds_with[answer][(other & alike[answer]).bit_count()]
