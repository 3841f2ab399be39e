"""Greedy players in fast play: they win brisques cheaply, throw what is worth least, and make the dearest meld at once.

They choose as `records.selfplay.choose_greedy_card` does. Of like copies they play one that has scored, so that the
others stay free.
"""

from collections.abc import Callable
from typing import NamedTuple

from analyzer.play.fast_deal import CLOSED_CHAIN, FastDeal
from analyzer.play.fast_rules import ALL_CARDS, FastMeld, forget_card, lawful_set

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
            # Whoever won the last trick has done all that may be done before the draws.
            while deal.due:
                deal.draw()
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
    seat, has_dixes = deal.window, deal.rules.has_dixes
    assert seat is not None
    while deal.left > 0:
        sevens = has_dixes and deal.hands[seat] & deal.view.cards.sevens
        if sevens and (dix := next(deal.lawful_dixes(), None)):
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
    if not hopeful:
        return None
    scored, law, bound = deal.scored[seat], deal.law, deal.bound
    if deal.rules.compiled.melds_captured:
        pool, wanted = deal.captured[seat] & ~scored.used, scored.new
        if scored.used:
            hopeful &= deal.view.melds_of(wanted)
    else:
        pool, wanted = deal.hands[seat], ALL_CARDS
    while hopeful:
        bit = hopeful & -hopeful
        meld = melds[bit.bit_length() - 1]
        for mask, number in meld.needs:
            if (pool & mask).bit_count() < number:
                break
        else:
            free = pool & ~bound(meld, scored)
            if free & wanted & meld.full and (
                chosen := lawful_set(law, meld, free, scored, scored.ever)
            ):
                deal.hopeful[seat] = hopeful
                return meld, chosen
        hopeful ^= bit
    deal.hopeful[seat] = 0
    return None


def end_trick(
    deal: FastDeal,
    seat: int,
    own: int,
    other: int,
    stop: int,
    note: Callable[[FastMeld], None] | None = None,
) -> bool:
    """End a trick after which its winner may meld, or which is one of the last, and begin the next.

    The hands are those of the winner and of the other seat. Returns whether something happened that is not plain, or no
    more than `stop` cards are in the stock: then the draws, if any, are still due.
    """
    view, draws = deal.view, deal.phase.draws
    deal.hands[seat], deal.hands[1 - seat] = own, other
    deal.seat = deal.window = seat
    deal.led, deal.left = 0, deal.phase.melds
    if draws:
        deal.due = (seat, 1 - seat)
        if len(deal.stock) + (deal.turn_up > 0) <= 2:
            deal.award_last_stock_trick(seat)
    else:
        deal.closes[seat] += 1
        if not own and not other:
            deal.finish(seat)
            return True
    make_melds(deal, note)
    is_last = deal.view is not view or (draws and len(deal.stock) <= stop)
    if not (draws and is_last):
        deal.window, deal.due = None, ()
    return is_last


def _play_tricks(deal: FastDeal, rest: int) -> None:  # noqa: C901 - one loop, for its speed
    """Play from a lead until something happens that is not plain: the last draws, trumps made, the end of the deal.

    At the latest it ends when no more than `rest` cards are in the stock.

    One long loop, since a call costs as much as ten of its lines: it makes the choices that `next_choice` makes.
    The table is in local variables, named from the seat that leads, and written back where the loop ends.
    """
    rules, view, phase = deal.rules, deal.view, deal.phase
    cards, melds_with, melds_freed = view.cards, view.melds_with, view.melds_freed
    is_brisque, beats, alike = cards.is_brisque, cards.beats, cards.alike
    sevens = cards.sevens
    captures, draws, free = rules.compiled.melds_captured, phase.draws, not phase.must_follow
    seat = deal.seat
    own, other = deal.hands[seat], deal.hands[1 - seat]
    scored, others_scored = deal.scored[seat], deal.scored[1 - seat]
    paired = deal.paired
    stock, hopeful, brisques = deal.stock, deal.hopeful, deal.brisques
    stop = max(2 - bool(deal.turn_up), rest + 2)
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
        if not draws or len(stock) <= stop or (rules.has_dixes and own & sevens) or hopeful[seat]:
            if end_trick(deal, seat, own, other, stop):
                return
            own = deal.hands[seat]
            if not draws:
                continue
        card, next_card = stock.pop(), stock.pop()
        if paired and seat:
            card, next_card = next_card, card
        own |= card
        other |= next_card
        if not captures:
            place, answer = card.bit_length() - 1, next_card.bit_length() - 1
            hopeful[seat] |= melds_with[place][(own & alike[place]).bit_count()]
            hopeful[1 - seat] |= melds_with[answer][(other & alike[answer]).bit_count()]
