"""What a player owes to the cards played before, and who takes the trick, as far as the table shows (laws C3, C4 and C8).

Which cards are owed, and which card beats which, is said in `records.rules.tricks` alone; here it is asked of hands that
may be hidden in part.
"""

from collections.abc import Sequence
from functools import lru_cache

from records.cards import FACE_OF, SUITS, cards_missing, covers, is_unknown
from records.engine.hidden_cards import can_reveal, trumps_unknown
from records.engine.table import Table
from records.events import Declare, Dix, Draw, Meld, Play, Score, Trick
from records.record import CLAIMS_REACH
from records.rules.compiled import CompiledSheet
from records.rules.tricks import NO_CARDS, CardGroups, trumped_duties
from records.rules.vocabulary import When, Window


def is_lawful_reply(table: Table, seat: int, led: str, reply: str) -> bool:
    """Whether `reply` is one of the `lawful_replies`: the same law for one card, without making the list.

    It is called for every reply, so it uses set operations instead of a list. tests/referee/test_perft.py and the
    playouts check both.
    """
    hand = table.held[seat]
    owed = table.phase.duties[table.trump][led] if not table.trick.replies else _owed_in_turn(table)
    for group in owed:
        if reply in group:
            return True
        if not group.isdisjoint(hand):
            return False
    return True


def lawful_replies(table: Table, seat: int, led: str) -> list[str]:
    """The known cards a seat may play to the card led; all of them where there is no duty to follow."""
    hand = list(table.held[seat])
    for group in duties_to(table, led):
        if owed := [card for card in hand if card in group]:
            return owed
    return hand


def replies_owed(table: Table, seat: int, led: str, reply: str) -> list[str]:
    """The cards that a seat surely held and owed to the card led, if `reply` surely is none of them; else none.

    For deals that hide cards: what is unknown of the cards, or of trumps, excuses the seat. Trumps are owed by a seat
    that surely has none of the suit led; one that may have some owes either, so nobody can say which.
    """
    if led[1] == "?" or reply[1] == "?":
        return []
    hand, before = _cards_surely_held(table, seat, reply), NO_CARDS
    for group in duties_to(table, led):
        if any([covers(reply, card) for card in group]):
            return []
        if owed := [card for card in hand if card in group]:
            excused = owed[0][1] != led[1] and _may_hold_one(table, seat, before, reply)
            return [] if excused else owed
        before |= group
    return []


def duties_to(table: Table, led: str) -> CardGroups:
    """The groups of cards owed to the trick in progress, in order: to the card led, or by a later hand to the best."""
    return _owed_in_turn(table) if table.trick.replies else table.phase.duties[table.trump][led]


def _owed_in_turn(table: Table) -> CardGroups:
    """What a third or later hand owes: to the best card of the suit led as if that were led, and to a trump on it."""
    best, led = card_to_beat(table), table.trick.led or "??"
    if is_unknown(best) or is_unknown(led):
        return ()
    if best[1] == led[1] or not table.phase.must_follow:
        return table.phase.duties[table.trump][best]
    return trumped_duties(table.rules.written.pack.ranks, led, best)


def card_to_beat(table: Table) -> str:
    """The card that has the trick in progress so far; `??` where unknown cards leave that open."""
    best = table.trick.led or "??"
    for _, card in table.trick.replies:
        taken = takes_trick(table, best, card)
        if taken is None:
            return "??"
        best = card if taken else best
    return best


def winner_of_round(table: Table, played: Sequence[tuple[int, str]]) -> int:
    """Who takes a trick of more than two cards, as these tell, or else by what the record goes on with."""
    (winner, best), table.trick.winner_open = played[0], False
    for seat, card in played[1:]:
        taken = takes_trick(table, best, card)
        if taken is None:
            winner, table.trick.winner_open = _recorded_winner(table, winner)
            break
        if taken:
            winner, best = seat, card
    cards = [card for _, card in played]
    if table.trick.winner_open or "?" in "".join(cards):
        _leave_trick_open(table, cards)
    return winner


def _may_hold_one(table: Table, seat: int, cards: frozenset[str], played: str) -> bool:
    """Whether a seat may hold one of these cards, besides the cards that it surely holds as it plays a card."""
    hidden = _held_unknown(table, seat, played) + _shown_of_unknown(table, seat, played)
    return any([can_reveal(table, seat, [*hidden, card]) for card in cards])


def _cards_surely_held(table: Table, seat: int, played: str) -> list[str]:
    """The cards that a seat surely holds as it plays a card: those known, and after the close those it shows later."""
    return list(dict.fromkeys([*table.held[seat], *_shown_of_unknown(table, seat, played)]))


def _held_unknown(table: Table, seat: int, played: str) -> list[str]:
    """The card played, if it is one of those that a seat is not known to hold."""
    return [] if is_unknown(played) or played in table.held[seat] else [played]


def _shown_of_unknown(table: Table, seat: int, played: str) -> list[str]:
    """The unknown cards of a hand that the seat shows later, after the close, besides the one it plays.

    After the close nobody draws, so what a seat shows later it held before. If it cannot have held all of that, nothing
    of it counts.
    """
    held = table.held[seat]
    if table.phase.draws or not table.unknown_held(seat):
        return []
    shown = _shown_later(table, seat, table.hand_count(seat) - 1)
    surely = dict(held)
    if surely.get(played):
        surely[played] -= 1
    missing = cards_missing(shown, surely)
    hidden = [*_held_unknown(table, seat, played), *missing]
    return missing if can_reveal(table, seat, hidden) else []


def _shown_later(table: Table, seat: int, most: int) -> dict[str, int]:
    """The known cards, with their numbers, among the next cards that a seat plays: at most so many."""
    shown: dict[str, int] = {}
    after = table.index + 1
    for later in table.events[after : after + CLAIMS_REACH * max(most, 0)]:
        if most <= 0:
            break
        match later:
            case Play(seat=player, card=card) if player == seat:
                most -= 1
                if not is_unknown(card):
                    shown[card] = shown.get(card, 0) + 1
    return shown


def could_have_taken(table: Table, seat: int, led: str, reply: str) -> bool | None:
    """Whether a seat that has just replied, and not taken the card led, held a legal reply that takes it.

    None where its cards are not fully known.
    """
    if table.knowledge.partial or table.unknown_held(seat):
        return None
    hand, beaters = table.held[seat], table.beaters[led]
    if beaters.isdisjoint(hand):
        return False
    for group in table.phase.duties[table.trump][led]:
        if reply in group or not group.isdisjoint(hand):
            return not beaters.isdisjoint(group.intersection(hand))
    return True


def is_taken_by_reply(table: Table, leader: int, led: str, reply: str) -> bool:
    """Whether a reply takes the trick, as its cards tell, or else by what the record goes on with."""
    taken, table.trick.winner_open = takes_trick(table, led, reply), False
    if taken is None:
        winner, table.trick.winner_open = _recorded_winner(table, leader)
        taken = winner != leader
    if table.trick.winner_open or "?" in led + reply:
        _leave_trick_open(table, [led, reply])
    return taken


def _leave_trick_open(table: Table, cards: Sequence[str]) -> None:
    """Nobody knows which brisques this trick has, or who took it and perhaps all tricks after the close."""
    worth, ranks = table.rules.is_brisque, ("?", *table.rules.brisque_rule.ranks)
    brisques = any(["?" in each and each[0] in ranks for each in cards])
    taken = table.trick.winner_open and sum([worth[card] for card in cards]) > 0
    table.leave_open(brisques=brisques or taken)
    if table.trick.winner_open and not table.phase.draws:
        for bonus in table.rules.written.bonuses:
            if bonus.tricks is When.ALL_CLOSED_TRICKS:
                table.leave_open(bonus=bonus.name)


def takes_trick(table: Table, led: str, reply: str) -> bool | None:
    """Whether a reply takes the trick; None where unknown cards, or unknown trumps, leave it open."""
    if not is_unknown(led) and not is_unknown(reply) and not trumps_unknown(table):
        return reply in table.beaters[led]
    if led == reply == "??":
        return None
    trumps = SUITS if trumps_unknown(table) else (table.trump,)
    takes = _possible_takings(table.rules, tuple(trumps), FACE_OF[led], FACE_OF[reply])
    return next(iter(takes)) if len(takes) == 1 else None


@lru_cache(maxsize=4096)
def _possible_takings(
    rules: CompiledSheet, trumps: tuple[str | None, ...], led: str, reply: str
) -> frozenset[bool]:
    """Whether the reply takes the trick, for all cards and trump suits that these may be."""
    return frozenset(
        other in rules.beaters(trump)[card]
        for card in _cards_like(rules, led)
        for other in _cards_like(rules, reply)
        for trump in trumps
    )


def _cards_like(rules: CompiledSheet, token: str) -> list[str]:
    """The cards of the pack that an unknown card may be, or the one that a known card is."""
    if not is_unknown(token):
        return [token]
    return [card for card in rules.copies if covers(token, card)]


def _recorded_winner(table: Table, leader: int) -> tuple[int, bool]:
    """Who took a trick that its cards leave open, and whether that stays open.

    It is whoever acts next as only the winner may, and the first to draw of all. Where nobody does, it is open: whom the
    record names, or who drew, or else the leader.
    """
    claimed, drawers = None, list[int]()
    after = table.index + 1
    for later in table.events[after : after + CLAIMS_REACH]:
        match later:
            case Play(seat=seat):
                return seat, False
            case Meld(seat=seat) | Declare(seat=seat) if not table.partners:
                return seat, False
            case Dix(seat=seat) if waits_for_trick(table.rules, later):
                return seat, False
            case Draw(seat=seat):
                drawers += [seat] if seat not in drawers else []
                if len(drawers) == table.seats:
                    return drawers[0], False
            case Trick(winner=seat) if claimed is None:
                claimed = seat
            case Score() if claimed is None:
                claimed = _winner_scoring(table, later)
    return next((seat for seat in (claimed, *drawers) if seat is not None), leader), True


def waits_for_trick(rules: CompiledSheet, event: Dix) -> bool:
    """Whether only the winner of a trick may exchange, or show, this dix."""
    rule = rules.written.dix
    if rule is None or event.action == "play":
        return False
    return rule.window(event.action) is Window.AFTER_TRICK_WON


def _winner_scoring(table: Table, event: Score) -> int | None:
    """Who took the trick, if a seat scores what only one of the two seats can."""
    for bonus in table.rules.written.bonuses:
        if bonus.name == event.what:
            return bonus.goes_to(event.seat)
    return None
