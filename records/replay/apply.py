"""What an event changes. Nothing here judges: an event is taken as done, whatever a check said."""

from collections.abc import Callable

from records.cards import FACE_OF, covers, is_unknown
from records.events import (
    Declare,
    Dix,
    Draw,
    Event,
    Irregular,
    Meld,
    Play,
    Score,
    Trick,
)
from records.replay.readings import (
    CAP,
    SEEN,
    SPENT,
    Readings,
    after_fresh_meld,
    after_leaving,
    after_marking,
    after_meld,
    taken_up,
    without_card,
)
from records.replay.reuse import bit_of, rule_of
from records.replay.table import DRAW, LEAD, OVER, REPLY, Table
from records.rules import vocabulary as v



def apply(table: Table, event: Event) -> None:
    """Change the table as the event says."""
    APPLY[type(event)](table, event)


def play(table: Table, event: Play) -> None:
    """A card leaves its seat and goes to the trick."""
    seat, card = event.seat, event.card
    held = table.held[seat]
    count = held.get(card)
    if count is None:
        count = pull(table, seat, card)
    if card in table.sevens:
        _play_seven(table, event, count)
    elif card in table.marked[seat]:
        if count == 1:
            table.readings[seat] = without_card(table.readings[seat], card)
            table.marked[seat] -= {card}
        else:
            leave(table, seat, card, count, where=event.source)
    if count == 1:
        del held[card]
    else:
        held[card] = count - 1
    if table.step == REPLY:
        _take(table, seat, card)
    else:
        if table.due:
            _forgo_draws(table)
        table.leader = seat
        table.led = card
        table.winner = table.window = None
        table.seat = 1 - seat
        table.step = REPLY


def leave(table: Table, seat: int, card: str, count: int, *, where: str | None = None) -> None:
    """Keep the readings in which a copy may leave from there; if there is none, from anywhere."""
    readings = table.readings[seat]
    narrow(
        table,
        seat,
        after_leaving(readings, card, count, where=where) or after_leaving(readings, card, count),
    )


def narrow(table: Table, seat: int, readings: Readings) -> None:
    """Keep these readings, unless there is none or there are too many to know."""
    if len(readings) > CAP:
        table.capped = True
        readings = tuple(sorted(readings)[:CAP])
    if readings:
        table.set_readings(seat, readings)


def pull(table: Table, seat: int, card: str) -> int:
    """Show a card from among a seat's unknown ones; returns how many copies it then holds."""
    held = table.held[seat]
    table.pulled[seat].append(card)
    table.guessed = True
    held[card] = held.get(card, 0) + 1
    if card in table.unseen:
        table.unseen[card] -= 1
    return held[card]


def can_pull(table: Table, seat: int, cards: list[str]) -> bool:
    """Whether these cards can all be among a seat's unknown ones, beside those already shown."""
    tokens = table.hidden[seat]
    wanted = [*table.pulled[seat], *cards]
    if len(wanted) > len(tokens):
        return False
    owner: dict[int, int] = {}
    return all(_match(tokens, wanted, i, owner, set()) for i in range(len(wanted)))


def _match(
    tokens: list[str], wanted: list[str], card: int, owner: dict[int, int], tried: set[int]
) -> bool:
    for i, token in enumerate(tokens):
        if i in tried or not (covers(token, wanted[card]) or covers(wanted[card], token)):
            continue
        tried.add(i)
        if i not in owner or _match(tokens, wanted, owner[i], owner, tried):
            owner[i] = card
            return True
    return False


def _play_seven(table: Table, event: Play, count: int) -> None:
    """Play a seven of trumps, which may earn points (rulings A-02, A-03).

    Of two sevens that look alike the one that a later claim needs is taken to be the one played.
    """
    seat, card = event.seat, event.card
    dix = table.book.sheet.dix
    readings = table.readings[seat]
    earns = dix is not None and dix.played and (dix.in_last_tricks or table.phase.draws)
    if card not in table.marked[seat]:
        _score_seven(table, seat, card, dix.points if dix and earns else 0)
        return
    fresh = after_leaving(readings, card, count, where=event.source, lacks=SPENT)
    spent = after_leaving(readings, card, count, where=event.source, has=SPENT)
    if dix is not None and not dix.once_per_card:
        left, points = after_leaving(readings, card, count, where=event.source), dix.points
    elif earns and fresh and not (spent and _claims_later_seven(table, event)):
        left, points = fresh, dix.points if dix else 0
    elif earns:
        left, points = spent, 0
    else:
        left, points = (*fresh, *spent), 0
    narrow(table, seat, left or after_leaving(readings, card, count))
    _score_seven(table, seat, card, points if earns else 0)


def _score_seven(table: Table, seat: int, card: str, points: int) -> None:
    table.seven_played = (seat, card, points)
    if points:
        table.award(seat, "dix", points)


def _claims_later_seven(table: Table, event: Play) -> bool:
    """Whether the record claims nothing for this seven, and points for a later one of this seat."""
    this_play = True
    for later in table.events[table.index + 1 :]:
        if isinstance(later, Play):
            this_play = False
        elif isinstance(later, Dix) and later.seat == event.seat:
            return not (this_play and later.action == "play")
    return False


def _take(table: Table, seat: int, card: str) -> None:
    """Complete the trick: its winner may meld, then both draw or the winner leads."""
    led, leader = table.led or "??", table.leader
    if table.guessed and ("?" in led or "?" in card):
        winner = _said_winner(table, leader)
    else:
        winner = seat if card in table.beaters[led] else leader
    table.winner = table.window = table.seat = winner
    table.taken = (leader, led, seat, card)
    table.trick_claimed = False
    table.led = None
    table.tricks += 1
    table.tricks_won[winner] += 1
    table.won[winner] += (led, card)
    worth = table.worth
    table.brisques[winner] += worth[led] + worth[card]
    table.melds_left = table.phase.melds
    if table.phase.draws:
        table.step = DRAW
        table.due = (winner, 1 - winner)
        if table.down <= 1:
            _last_from_stock(table)
    else:
        table.step = LEAD
        table.closed_tricks[winner] += 1
        if not table.held[0] and not table.held[1]:
            _finish(table)


def _last_from_stock(table: Table) -> None:
    """The winner of this trick takes the last face-down card."""
    if table.down + (table.turn_up is not None) <= table.seats:
        _bonuses(table, v.When.LAST_STOCK_TRICK)


def _said_winner(table: Table, leader: int) -> int:
    """Who took a trick with an unknown card in it: whoever the record says, or lets act next."""
    for later in table.events[table.index + 1 :]:
        if isinstance(later, Trick) and later.winner in (0, 1):
            return later.winner
        if isinstance(later, Play | Draw | Meld) and later.seat in (0, 1):
            return later.seat
    return leader


def _bonuses(table: Table, when: v.When) -> None:
    winner = table.winner or 0
    for bonus in table.book.sheet.bonuses:
        if bonus.when is when:
            seat = winner if bonus.to is v.To.WINNER else 1 - winner
            table.award(seat, bonus.name, bonus.points)
            table.earned[seat, bonus.name] = bonus.points


def _finish(table: Table) -> None:
    """The last trick is taken: its bonuses, then the brisques."""
    if any(map(table.unknown_held, range(table.seats))):
        return
    _bonuses(table, v.When.LAST_TRICK)
    if table.whole_close and sum(table.closed_tricks) in table.closed_tricks:
        _bonuses(table, v.When.ALL_CLOSED_TRICKS)
    table.step = OVER
    brisques = table.book.sheet.brisques
    for seat in range(table.seats):
        points = table.brisque_points(seat)
        if brisques.count is v.Count.AT_THE_END and points:
            table.award(seat, "brisques", points)
            table.earned[seat, "brisques"] = points


def draw(table: Table, event: Draw) -> None:
    """A card comes from the stock, or the turn-up when the stock is gone."""
    seat, card = event.seat, event.card
    down = table.down
    if down:
        table.down = down - 1
        unseen = table.unseen
        if card in unseen:
            unseen[card] -= 1
            held = table.held[seat]
            held[card] = held.get(card, 0) + 1
        else:
            _see_unlisted(table, seat, card)
    elif table.turn_up is not None:
        _take_turn_up(table, seat, card)
    else:
        _see_unlisted(table, seat, card)
    table.window = None
    due = table.due
    if due and due[0] == seat:
        table.due = due = due[1:]
    elif seat in due:
        table.due = due = due[:1]
    if due:
        table.seat = due[0]
    elif table.step == DRAW:
        _drawn_all(table)


def _see_unlisted(table: Table, seat: int, card: str) -> None:
    """A card comes to a hand that nobody knows, or that the pack should not have."""
    if is_unknown(card):
        table.hidden[seat].append(card)
        table.guessed = True
    else:
        held = table.held[seat]
        held[card] = held.get(card, 0) + 1


def _take_turn_up(table: Table, seat: int, card: str) -> None:
    lies, table.turn_up = table.turn_up, None
    known = is_unknown(card) and lies is not None and not is_unknown(lies)
    taken = lies if known and lies is not None else card
    if is_unknown(taken):
        table.hidden[seat].append(taken)
        return
    held = table.held[seat]
    held[taken] = held.get(taken, 0) + 1
    if taken in table.sevens and table.turn_up_spent:
        marked = after_marking(table.readings[seat], taken, held[taken], SPENT, without=SPENT)
        narrow(table, seat, marked)


def _drawn_all(table: Table) -> None:
    """Both have drawn: the winner leads, in the next phase if nothing is left to draw."""
    table.step = LEAD
    if table.winner is not None:
        table.seat = table.winner
    if table.down == 0 and table.turn_up is None:
        enter(table, table.phase_no + 1)


def draw_from_stock(table: Table) -> None:
    """Take the cards that are due from the stock the record writes, in order, then the turn-up."""
    order = table.order or []
    for seat in table.due:
        card = order[-table.down] if 0 < table.down <= len(order) else table.turn_up
        draw(table, Draw(seat=seat, card=card or "??"))


def _forgo_draws(table: Table) -> None:
    """Somebody leads though cards are due: the missing draws are taken as unseen cards."""
    for seat in table.due:
        if table.down:
            table.down -= 1
            table.hidden[seat].append("??")
        elif table.turn_up is not None:
            _take_turn_up(table, seat, table.turn_up)
    table.due = ()
    table.guessed = True
    _drawn_all(table)


def enter(table: Table, phase_no: int) -> None:
    """Begin a phase; laid cards go back to the hand (C7)."""
    table.phase_no = phase_no
    table.phase = table.book.phases[phase_no]
    for seat in range(table.seats):
        if table.marked[seat]:
            table.set_readings(seat, taken_up(table.readings[seat], scoring=table.phase.melds > 0))
        table.laid[seat].clear()


def trick(table: Table, event: Trick) -> None:
    """A claim, kept beside the winner computed, which rules."""
    table.trick_claimed = True
    table.named.append((table.index, event.winner, table.winner))


def meld(table: Table, event: Meld) -> None:
    """Cards are laid and scored; cards that form no such meld score nothing."""
    seat = event.seat
    before = table.readings[seat], len(table.scored[seat]), len(table.laid[seat])
    _pull_missing(table, seat, event.cards)
    if table.pulled[seat]:
        table.melded = None
    row = meld_row(table, event)
    if row is None:
        _lay(table, seat, event.meld, event.cards, bit=0)
        return
    scored = table.scored[seat]
    readings = melded(table, event, row)
    if readings:
        narrow(table, seat, readings)
        _show(table, seat, event.meld, event.cards)
    else:
        _lay(table, seat, event.meld, event.cards, bit=bit_of(row, table.book, scored))
    scored.append((row.kind, len(event.cards)))
    table.melds_left -= 1
    table.award(seat, "meld", row.points, row.name)
    table.undo = (seat, before[0], before[1], before[2], row.points)


def melded(table: Table, event: Meld, row: v.Meld) -> Readings:
    """The readings in which the sheet's reuse rule allows this meld, with the meld made."""
    if table.melded is event:
        return table.melded_readings
    seat, cards = event.seat, event.cards
    scored, before = table.scored[seat], table.readings[seat]
    bit = bit_of(row, table.book, scored)
    if table.marked[seat].isdisjoint(cards):
        after = after_fresh_meld(before, cards, bit)
    else:
        after = after_meld(before, cards, table.held[seat], rule_of(row, table.book, scored), bit)
    table.melded, table.melded_readings = event, after
    return after


def _pull_missing(table: Table, seat: int, cards: list[str]) -> None:
    held = table.held[seat]
    if not table.hidden[seat]:
        return
    for card in dict.fromkeys(cards):
        for _ in range(cards.count(card) - held.get(card, 0)):
            pull(table, seat, card)


def _show(table: Table, seat: int, name: str, cards: list[str]) -> None:
    laid = table.laid[seat]
    group = laid[-1][0] + 1 if laid else 1
    laid += [(group, name, card) for card in cards]


def _lay(table: Table, seat: int, name: str, cards: list[str], *, bit: int) -> None:
    readings = after_meld(table.readings[seat], cards, table.held[seat], lambda _: True, bit)
    narrow(table, seat, readings)
    _show(table, seat, name, cards)


def meld_row(table: Table, event: Meld | Declare) -> v.Meld | None:
    """The meld of the sheet that these cards form under this name, if they do."""
    return table.book.row(table.trump, event.meld, tuple(event.cards))


def declare(table: Table, event: Declare) -> None:
    """Cards are laid and not scored."""
    _pull_missing(table, event.seat, event.cards)
    _lay(table, event.seat, event.meld, event.cards, bit=0)


def dix_points(table: Table, event: Dix) -> int:
    """What a dix event earns: nothing for a dix that has scored, or was played (scored as it was)."""
    dix = table.book.sheet.dix
    if dix is None:
        return 0
    if event.action == "play":
        return table.seven_played[2] if table.seven_played else 0
    return 0 if _spent_is_meant(table, event) else dix.points


def _spent_is_meant(table: Table, event: Dix) -> bool:
    seat, seven = event.seat, seven_of(table, event)
    if seven not in table.marked[seat]:
        return False
    count = table.held[seat].get(seven, 0)
    readings = table.readings[seat]
    fresh = after_leaving(readings, seven, count, lacks=SPENT)
    spent = after_leaving(readings, seven, count, has=SPENT)
    return bool(spent) and (not fresh or (event.points == 0 and event.action == "exchange"))


def seven_of(table: Table, event: Dix) -> str:
    """The card a dix event is about, labelled if the record labels it."""
    if event.card is not None:
        return event.card
    seven = table.seven or "7?"
    held = [card for card in table.held[event.seat] if FACE_OF[card] == seven]
    if len(held) < 2:
        return held[0] if held else seven
    readings = table.readings[event.seat]
    fresh = (card for card in held if after_leaving(readings, card, 1, lacks=SPENT))
    return next(fresh, held[0])


def dix(table: Table, event: Dix) -> None:
    """A dix is exchanged or shown; a played one has scored as it was played."""
    if event.action == "play":
        table.seven_played = None
        return
    points = dix_points(table, event)
    spent = _spent_is_meant(table, event)
    seat, seven = event.seat, seven_of(table, event)
    if table.held[seat].get(seven) is None:
        pull(table, seat, seven)
    if event.action == "show":
        marked = after_marking(
            table.readings[seat], seven, table.held[seat][seven], SPENT | SEEN, without=SPENT
        )
        narrow(table, seat, marked)
    else:
        _exchange(table, seat, seven, spent=spent)
    if points:
        table.award(seat, "dix", points)


def _exchange(table: Table, seat: int, seven: str, *, spent: bool) -> None:
    held = table.held[seat]
    count = held[seven]
    readings = table.readings[seat]
    bits = {"has": SPENT} if spent else {"lacks": SPENT}
    left = after_leaving(readings, seven, count, **bits) or after_leaving(readings, seven, count)
    narrow(table, seat, left)
    held[seven] = count - 1
    if count == 1:
        del held[seven]
    gained, table.turn_up = table.turn_up, seven
    rule = table.book.sheet.dix
    table.turn_up_spent = spent or (rule is not None and rule.points > 0 and rule.once_per_card)
    if gained is not None and not is_unknown(gained):
        held[gained] = held.get(gained, 0) + 1
        narrow(table, seat, after_marking(table.readings[seat], gained, held[gained], SEEN))
    elif gained is not None:
        table.hidden[seat].append(gained)
    if rule is not None and rule.exchange_is_the_meld:
        table.melds_left -= 1


def score(table: Table, event: Score) -> None:
    """A claim; remembered, so that a second one is seen."""
    if event.what == "brisques":
        table.brisque_claims[event.seat] += event.points or 0
    table.claimed[event.seat, event.what] = event.points


def irregular(table: Table, event: Irregular) -> None:
    """What was ruled: points given or taken, a meld taken back."""
    if event.what == "withdrawn_meld" and table.undo and table.undo[0] == event.seat:
        seat, readings, scored, laid, points = table.undo
        table.set_readings(seat, readings)
        del table.scored[seat][scored:]
        del table.laid[seat][laid:]
        table.melds_left += 1
        table.award(seat, "ruling", -points)
        table.undo = None
    if event.points:
        table.award(event.seat, "ruling", event.points)


def ignore(table: Table, event: Event) -> None:
    """An event that the sheet's game does not have changes nothing."""


APPLY: dict[type[Event], Callable[..., None]] = {
    Play: play,
    Trick: trick,
    Draw: draw,
    Meld: meld,
    Declare: declare,
    Dix: dix,
    Score: score,
    Irregular: irregular,
}
