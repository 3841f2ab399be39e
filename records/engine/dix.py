"""The seven of trumps: played, exchanged, shown (rulings A-01 to A-06, A-44)."""

from collections.abc import Callable
from functools import partial

import msgspec

from records.cards import FACE_OF, SUITS, covers, is_unknown, may_be_same
from records.engine.copies import SEEN_BIT, SPENT_BIT, Readings
from records.engine.deal_state import MeldUndo
from records.engine.hidden_cards import (
    can_reveal,
    doubt_cards,
    is_draw_written,
    is_only_copy,
    make_unknown,
    may_have_scored,
    narrow_readings,
    reveal_card,
    reveal_if_marked,
)
from records.engine.readings import after_leaving, after_marking
from records.engine.table import Table
from records.events import Dix, Draw, Play, actor_of
from records.rules.compiled import CompiledPhase
from records.rules.vocabulary import DixRule, Window

# Bound once: to read a member of an enumeration costs more than to compare it.
NEVER = Window.NEVER


def play_seven(table: Table, event: Play, count: int) -> int:
    """Play a seven of trumps, which may earn points (rulings A-02, A-03); returns how many were held.

    Of two sevens that look alike, one spent and one not, the claims of the record show which was played: if it
    claims nothing now and a dix for a later seven, this was the spent one.
    """
    seat, card = event.seat, event.card
    dix = table.rules.written.dix
    scores_again = dix is not None and not dix.once_per_card
    if not scores_again and table.hidden.given[seat] and _claims_this_seven(table, event):
        count = reveal_if_marked(table, seat, card, where=event.source, lacks=SPENT_BIT)
    elif (
        not scores_again and table.knowledge.uncertain and _may_be_another_seven(table, seat, card)
    ):
        table.leave_open(points=True)
    readings, incomplete = table.readings[seat], table.tracking.incomplete
    if card not in table.marked[seat] and not incomplete:
        score_seven(table, seat, card, worth_of_fresh_seven(dix, table.phase))
        return count
    earns = worth_of_fresh_seven(dix, table.phase) > 0
    fresh = after_leaving(readings, card, count, where=event.source, lacks=SPENT_BIT)
    spent = after_leaving(readings, card, count, where=event.source, has=SPENT_BIT)
    if dix is not None and scores_again:  # by the option a spent seven does
        left, points = after_leaving(readings, card, count, where=event.source), dix.points
    elif earns and incomplete and not (fresh and (spent or not _claims_later_seven(table, event))):
        leave_worth_open(table)
        left, points = (*fresh, *spent), dix.points if dix else 0
    elif earns and fresh and not (spent and _claims_later_seven(table, event)):
        left, points = fresh, dix.points if dix else 0
    elif earns:
        left, points = spent, 0
    else:
        left, points = (*fresh, *spent), 0
    narrow_readings(table, seat, left or after_leaving(readings, card, count))
    score_seven(table, seat, card, points if earns else 0)
    return count


def _may_be_another_seven(table: Table, seat: int, card: str) -> bool:
    """Whether one seven has scored, and the one played may be that, or another that nobody has seen."""
    if not _sevens_earn(table):
        return False
    if (seat, card) in table.hidden.spent:
        return not is_only_copy(table, card)
    return card in table.marked[seat] and can_reveal(table, seat, [card])


def worth_of_fresh_seven(rule: DixRule | None, phase: CompiledPhase) -> int:
    """What a seven of trumps that has not scored yet earns in a phase as it is played (A-03)."""
    if rule is None or not rule.played or not (rule.in_last_tricks or phase.draws):
        return 0
    return rule.points


def scores_when_shown(rule: DixRule, phase: CompiledPhase) -> bool:
    """Whether a dix that is shown in a phase scores: after melds have ended, only if it may be shown at any time."""
    declared = rule.show is Window.AT_ANY_TIME or phase.melds > 0
    return rule.points > 0 and declared and (rule.in_last_tricks or phase.draws)


def is_open(window: Window, *, trick_won: bool) -> bool:
    """Whether what has this window may be done, as its seat has just won a trick or not."""
    return trick_won if window is Window.AFTER_TRICK_WON else window is Window.AT_ANY_TIME


def _sevens_earn(table: Table) -> bool:
    return worth_of_fresh_seven(table.rules.written.dix, table.phase) > 0


def may_score_as_seven(table: Table, card: str) -> bool:
    """Whether a card that is played may be the seven of trumps and score, as the record leaves it or trumps open."""
    trump = table.trump or "?"
    fits = card[0] in "?7" and (card[1] == trump or "?" in (card[1], trump))
    return fits and "?" in card + trump and _sevens_earn(table)


def leave_worth_open(table: Table) -> None:
    """What a seven of trumps scores is open: for what the record hides, or as readings that were left out may tell."""
    table.tracking.exhausted = table.tracking.exhausted or table.tracking.incomplete
    table.leave_open(points=True)


def score_seven(table: Table, seat: int, card: str, points: int) -> None:
    """A seven of trumps is played for these points."""
    table.seven_played[seat] = (card, points)
    if points:
        table.award(seat, "dix", points)


def _claims_this_seven(table: Table, event: Play) -> bool:
    """Whether the event right after this play claims a dix for it."""
    after = table.events[table.index + 1 : table.index + 2]
    return any([isinstance(e, Dix) and e.action == "play" and e.seat == event.seat for e in after])


def _claims_later_seven(table: Table, event: Play) -> bool:
    """Whether the record claims nothing for this seven, and points for a later one of this seat."""
    this_play = True
    for later in table.events[table.index + 1 :]:
        if isinstance(later, Play):
            this_play = False
        elif isinstance(later, Dix) and later.seat == event.seat:
            return not (this_play and later.action == "play")
    return False


def dix_points(table: Table, event: Dix) -> int:
    """What a dix event earns: nothing for a dix that has scored, or that scored when it was played."""
    dix = table.rules.written.dix
    if dix is None:
        return 0
    if event.action == "play":
        played = table.seven_played.get(event.seat)
        if played is not None:
            return played[1]
        return dix.points if may_have_played_seven(table, event) else 0
    spent = has_scored_before(table, event)
    if spent is None and event.points == 0:
        return 0
    return 0 if spent else dix.points


def may_have_played_seven(table: Table, event: Dix) -> bool:
    """Whether the card that the seat played last may be the seven of trumps, and does not count as one yet."""
    last = _last_card_of(table, event.seat)
    if last is None or last[0] not in "7?":
        return False
    return table.seven is None or (is_unknown(last) and covers(last, table.seven))


def _last_card_of(table: Table, seat: int) -> str | None:
    """The card that a seat played last, in the trick that was begun or completed last."""
    return dict(table.current_trick() or table.last_trick()).get(seat)


def unwritten_draws(table: Table, event: Dix) -> int:
    """How many cards (1 or 0) a seat may have drawn before a dix by a draw that the record leaves out.

    A dix that has to come after the trick comes before such a draw.
    """
    rule, seat = table.rules.written.dix, event.seat
    if not table.knowledge.partial or seat not in table.draws_due:
        return 0
    before_draws = rule is None or rule.window(event.action) is Window.AFTER_TRICK_WON
    if before_draws or is_draw_written(table, seat):
        return 0
    return int(is_seven_due(table, seat))


def is_seven_due(table: Table, seat: int) -> bool:
    """Whether a draw that is due to a seat may bring a seven of trumps, as far as the order of the stock is known."""
    if table.stock.order is None or table.trick.winner_open:
        return True
    for before, drawer in enumerate(table.draws_due):
        left = table.stock.left - before
        top = table.stock.card_with(left) if left > 0 else table.stock.turn_up
        if drawer == seat and (top is None or may_be_same(top, table.seven or "7?")):
            return True
    return False


def has_scored_before(table: Table, event: Dix) -> bool | None:
    """Whether the seven shown or exchanged has scored before, as no other can be held; None if it may be either.

    It can have scored only if it is exchanged, and the rules let that be done for nothing. Of two that are held,
    it is the one that has scored if the exchange claims nothing.
    """
    rule, seat, seven = table.rules.written.dix, event.seat, seven_of(table, event)
    incomplete = table.tracking.incomplete
    if seven not in table.marked[seat] and (seat, seven) not in table.hidden.spent:
        gives = rule is not None and rule.spent_exchanges and event.action == "exchange"
        # At the level of plays, the showing for which it scored may be missing.
        if not incomplete or (gives and table.knowledge.plays_only):
            return None if gives and table.knowledge.plays_only else False
    count, readings = table.held[seat].get(seven, 0), table.readings[seat]
    spent = bool(count and after_leaving(readings, seven, count, has=SPENT_BIT))
    fresh = bool(count and after_leaving(readings, seven, count, lacks=SPENT_BIT))
    answers = {_is_spent(table, event, spent=spent, fresh=fresh)}
    if incomplete and count > 0:
        # A reading that was left out may have one that has scored, or one that has not.
        answers |= {
            _is_spent(table, event, spent=True, fresh=fresh),
            _is_spent(table, event, spent=spent, fresh=True),
            _is_spent(table, event, spent=True, fresh=True),
        }
    return answers.pop() if len(answers) == 1 else None


def _is_spent(table: Table, event: Dix, *, spent: bool, fresh: bool) -> bool | None:
    """Whether it is one that has scored, as the seat has such a seven in some reading, or one that has not."""
    rule, seat, seven = table.rules.written.dix, event.seat, seven_of(table, event)
    unseen = can_reveal(table, seat, [seven], drawn=unwritten_draws(table, event))
    claims_nothing = event.action == "exchange" and event.points == 0
    if rule is None or not rule.spent_exchanges or event.action != "exchange":
        return spent and (not (fresh or unseen) or claims_nothing)
    if (seat, seven) in table.hidden.spent:
        return is_only_copy(table, seven) or None
    if not spent:
        return False
    if fresh and event.points is None:
        # Where it claims nothing at all, a seven shown later is the one that had not scored.
        return _is_shown_later(table, seat) or (None if table.knowledge.partial else False)
    if fresh:
        return claims_nothing
    return None if unseen else True


def _is_shown_later(table: Table, seat: int) -> bool:
    """Whether the record tells further on that this seat shows a seven."""
    later = table.events[table.index + 1 :]
    return any([isinstance(e, Dix) and e.seat == seat and e.action == "show" for e in later])


def seven_of(table: Table, event: Dix) -> str:
    """The seven of a dix event, with its label if the record has labels; one that has not scored, if there is one.

    Where the event names neither of two labelled sevens, what the record tells later says which one it was.
    """
    if event.card is not None and not is_unknown(event.card):
        return event.card
    seven = table.seven or "7?"
    if seven in table.held[event.seat]:
        return seven
    held = [card for card in table.held[event.seat] if FACE_OF[card] == seven]
    readings = table.readings[event.seat]
    fresh = [card for card in held if after_leaving(readings, card, 1, lacks=SPENT_BIT)]
    if not fresh:
        other = _seven_not_shown(table, event)
        if other and held and event.action == "exchange" and event.points is None:
            return _unnamed_seven(table, event, [other, *held])
        return other or (held or [seven])[0]
    if len(fresh) < 2:
        return fresh[0]
    kept = _other_seven(table, event, fresh)
    return next(card for card in fresh if card != kept)


def _seven_not_shown(table: Table, event: Dix) -> str | None:
    """A labelled seven that the seat may hold beside one that has scored: among unknown cards, or by a draw not written."""
    # At the level of plays, the showing for which it scored may be missing.
    scored = event.points == 0 and not table.knowledge.plays_only
    if scored or not table.knowledge.partial:
        return None
    drawn = unwritten_draws(table, event)
    sevens = [
        card
        for card in sorted(table.sevens)
        if card in table.unseen
        and card not in table.held[event.seat]
        and (event.seat, card) not in table.hidden.spent
        and can_reveal(table, event.seat, [card], drawn=drawn)
    ]
    return _unnamed_seven(table, event, sevens) if len(sevens) > 1 else next(iter(sevens), None)


def _unnamed_seven(table: Table, event: Dix, sevens: list[str]) -> str:
    """Which of several sevens a dix was about that names none: one that is not drawn or played later from elsewhere.

    A seven given in exchange comes back as the last card drawn. Looks ahead only where the event moves or shows a seven.
    """
    exchanges, plays, rule = event.action == "exchange", 0, table.rules.written.dix
    moves = rule is not None and rule.window(event.action) is not NEVER
    if not moves or (exchanges and not may_be_exchanged(table)):
        return sevens[0]
    for later in table.events[table.index + 1 :]:
        told = getattr(later, "card", None)
        plays += isinstance(later, Play)
        if told not in sevens:
            continue
        own, is_drawn = actor_of(later) == event.seat, isinstance(later, Draw)
        # One card is drawn for every card played; the first two may be due now.
        comes_back = exchanges and plays >= table.stock.left - 1
        if is_drawn and comes_back:
            return str(told)
        elsewhere = is_drawn or (own and exchanges) or not (own or comes_back)
        sevens = [card for card in sevens if card != told or not elsewhere]
        if len(sevens) == 1:
            break
    return sevens[0]


def _other_seven(table: Table, event: Dix, sevens: list[str]) -> str | None:
    """Which of two labelled sevens a dix was not about, as the record tells later; None where it does not tell.

    Not the seven that this seat plays after an exchange, unless one was drawn before that: then the one not
    drawn. After a showing not the one whose play is claimed as a dix. Looks ahead once a deal: only where
    the event does change which seven is which.
    """
    rule = table.rules.written.dix
    if event.action == "exchange":
        ahead = table.events[table.index + 1 :] if may_be_exchanged(table) else ()
        for later in ahead:
            told = getattr(later, "card", None)
            if told in sevens and isinstance(later, Draw):
                return sevens[1 - sevens.index(told)]
            if told in sevens and isinstance(later, Play | Dix) and later.seat == event.seat:
                return str(told)
        return None
    played = None
    for later in table.events[table.index + 1 :] if rule and rule.show is not NEVER else ():
        if isinstance(later, Play) and later.seat == event.seat:
            played = later.card if later.card in sevens else None
        elif isinstance(later, Dix) and later.seat == event.seat and later.points != 0:
            return played if later.action == "play" else later.card
    return None


def dix(table: Table, event: Dix) -> None:
    """Exchange or show a dix; a dix that was played scored when it was played."""
    points = 0 if table.counts_nothing else dix_points(table, event)
    is_open = table.seven is None and table.rules.written.dix is not None
    if event.action != "play" and table.seven is not None:
        is_open = has_scored_before(table, event) is None
        if is_open:
            leave_worth_open(table)
    table.state("dix", event.points, None if is_open else points)
    if event.action == "play":
        played = table.seven_played.get(event.seat)
        # A card played face down may turn out to be the seven by this claim; a known one scored as it was played.
        if played is None and points:
            table.award(event.seat, "dix", points)
            _learn_trumps(table, event)
        if points or (played is not None and not table.counts_nothing):
            table.seven_played[event.seat] = (played[0] if played else event.card or "7?", 0)
        return
    rule = table.rules.written.dix
    if rule is None or rule.window(event.action) is NEVER:
        return
    if table.seven is None:
        _learn_trumps(table, event)
    if table.seven is None:
        _move_unknown_seven(table, event)
        if points:
            table.award(event.seat, "dix", points)
        return
    _move_seven(table, event, points)
    if table.knowledge.plays_only:
        doubt_sevens(table, event.seat)


def _learn_trumps(table: Table, event: Dix) -> None:
    """A known seven that counts as a dix tells which suit is trumps."""
    seven = event.card
    if seven is None and event.action == "play":
        seven = _last_card_of(table, event.seat)
    if table.trump is None and seven is not None and seven[0] == "7" and seven[1] != "?":
        table.set_trump(seven[1])


def _move_seven(table: Table, event: Dix, points: int) -> None:
    """A known seven is shown or exchanged, unless its seat cannot have it: then nothing is known of it."""
    seat, seven = event.seat, seven_of(table, event)
    drawn, spent = unwritten_draws(table, event), has_scored_before(table, event)
    if spent is None and table.knowledge.partial:
        # It may be one that has scored or another, so none is surely held any more.
        doubt_cards(table, seat, seven)
    if table.held[seat].get(seven) is None:
        if not can_reveal(table, seat, [seven], drawn=drawn):
            return
        reveal_card(table, seat, seven)
    elif (table.hidden.given[seat] or drawn) and points:
        reveal_if_marked(table, seat, seven, where=None, lacks=SPENT_BIT, drawn=drawn)
    if event.action == "show":
        count = table.held[seat][seven]
        shown = SEEN_BIT if table.counts_nothing else SPENT_BIT | SEEN_BIT
        shows = partial(after_marking, card=seven, held=count, bit=shown, lacks=SPENT_BIT)
        _mark(table, seat, shows)
    else:
        _exchange(table, seat, seven, spent=bool(spent))
    if points:
        table.award(seat, "dix", points)


def _mark(table: Table, seat: int, change: Callable[[Readings], Readings]) -> None:
    """Change what is known of a seat's copies, and what was known before a meld that may yet be withdrawn."""
    narrow_readings(table, seat, change(table.readings[seat]))
    undo = table.melding.undo
    # A meld of an earlier trick can be withdrawn no more.
    if not isinstance(undo, MeldUndo) or undo.tricks != table.tricks:
        return
    if undo.seat == seat and not table.rules.melds_captured:
        before = change(undo.readings) or undo.readings
        table.melding.undo = msgspec.structs.replace(undo, readings=before)


def _move_unknown_seven(table: Table, event: Dix) -> None:
    """An exchange where nobody knows the trump suit: some seven was given for some card."""
    seat = event.seat
    table.leave_open(points=True)
    if event.action != "exchange" or table.stock.turn_up is None:
        return
    # Any seven may be the one that was given, so none is surely held any more.
    doubt_cards(table, seat, "7?")
    table.hidden.revealed[seat].append("7?")
    # The card taken was seen by all, and may be called hand or table.
    table.hidden.given[seat].append(table.stock.turn_up)
    table.hidden.laid.append((seat, table.stock.turn_up))
    table.stock.turn_up = "7?"


def may_be_exchanged(table: Table) -> bool:
    """Whether the turn-up may be taken in exchange, as far as it is known: it is none if it is a seven."""
    rule, turn_up = table.rules.written.dix, table.stock.turn_up
    if rule is None or rule.exchange is Window.NEVER:
        return False
    return turn_up is not None and turn_up[0] != "7"


def doubt_sevens(table: Table, seat: int) -> None:
    """Where an exchange may have been left out, a seat that has a seven of trumps may have the turn-up instead."""
    if not may_be_exchanged(table):
        return
    given = table.hidden.given[seat]
    for suit in SUITS if table.trump is None else (table.trump,):
        for seven in table.rules.sevens[suit]:
            at = seat, seven
            if may_have_scored(table, seat, seven):
                table.hidden.spent.add(at)
            make_unknown(table, seat, seven, "?" + suit)
            left = table.hidden.doubtful.pop(at, 0)
            table.unseen[seven] = table.unseen.get(seven, 0) + left
            given[:] = ["?" + suit if token == seven else token for token in given]
    given[:] = ["??" if token == "7?" else token for token in given]


def _exchange(table: Table, seat: int, seven: str, *, spent: bool) -> None:
    """Put the seven under the stock and the turn-up into the hand; where no turn-up lies, nothing can move."""
    if table.stock.turn_up is None:
        return
    held = table.held[seat]
    count = held[seven]
    has, lacks = (SPENT_BIT, 0) if spent else (0, SPENT_BIT)
    _mark(table, seat, partial(_after_giving, seven=seven, count=count, has=has, lacks=lacks))
    held[seven] = count - 1
    if count == 1:
        del held[seven]
    # The card gained is seen by all, and may be called hand or table later (SEEN).
    gained, table.stock.turn_up = table.stock.turn_up, seven
    rule = table.rules.written.dix
    scores = rule is not None and rule.points > 0 and not table.counts_nothing
    table.stock.turn_up_spent = spent or scores
    if gained is not None and not is_unknown(gained):
        held[gained] = copies = held.get(gained, 0) + 1
        _mark(table, seat, partial(after_marking, card=gained, held=copies, bit=SEEN_BIT))
    elif gained is not None:
        table.hidden.given[seat].append(gained)
        table.hidden.laid.append((seat, gained))
        table.leave_open()
    if rule is not None and rule.exchange_is_the_meld and not table.counts_nothing:
        table.melding.left -= 1


def _after_giving(readings: Readings, seven: str, count: int, has: int, lacks: int) -> Readings:
    """The readings in which such a seven leaves a hand, or else any seven."""
    given = after_leaving(readings, seven, count, has=has, lacks=lacks)
    return given or after_leaving(readings, seven, count)
