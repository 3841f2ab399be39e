"""Checks of melds and the dix: whose turn it is, how many are allowed, which cards they have, whether they may score."""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from records.cards import (
    FACE_OF,
    SUIT_NAMES,
    SUITS,
    cards_missing,
    count_cards,
    describe_card,
    sorted_faces,
)
from records.engine.copies import SPENT_BIT, USED_BIT
from records.engine.dix import dix_points, may_have_played_seven, seven_of, unwritten_draws
from records.engine.hidden_cards import may_have_captured, may_hold
from records.engine.melds import (
    find_meld_rule,
    is_reuse_open,
    may_have_married_before,
    readings_with_meld,
)
from records.engine.readings import after_leaving
from records.engine.reuse import Prohibition, find_prohibition, reuse_rule_of
from records.engine.table import Table, TableStep
from records.events import Declare, Dix, Meld, Play
from records.phrases import (
    join_words,
    list_cards,
    name_card,
    name_copies,
    name_meld,
    pluralize,
    with_article,
)
from records.rules.compiled import card_sets_for
from records.rules.english_melds import meld_limit_words
from records.rules.registry import apply_options
from records.rules.vocabulary import ChoiceOption, DixRule, MeldRule, RuleSheet, Window
from records.validate.breach import Breach, Breaches, breach_by, not_in_pack, seat_name

# The seven of trumps (rulings ).


def check_dix(table: Table, event: Dix) -> Breaches | None:
    """Everything that can be wrong with a dix."""
    rule = table.rules.written.dix
    if rule is None or not _in_rules(rule, event.action):
        return (_not_in_rules(table, event),)
    if event.action == "play":
        return _played(table, event, rule)
    if event.action == "show" and _too_late(table, rule):
        return (_not_after_close(table, event),)
    breaches = _wrong_time(table, event, rule)
    # Where nobody knows who drew which card after the last trick, either may have the seven or the turn-up.
    if not table.trick.winner_open:
        breaches += [*_dix_holding(table, event), *_exchange(table, event, rule)]
    if not breaches and table.seven is not None:
        breaches += _spent(table, event, rule) or _points(table, event)
    return tuple(breaches) or None


def _in_rules(rule: DixRule, action: str) -> bool:
    if action == "play":
        return rule.played
    return rule.window(action) is not Window.NEVER


def _not_in_rules(table: Table, event: Dix) -> Breach:
    act = event.action
    return breach_by(table, event.seat, "dix-not-in-rules", clause=act, found=act)


def _played(table: Table, event: Dix, rule: DixRule) -> Breaches | None:
    last = table.seven_played.get(event.seat)
    if last is None and may_have_played_seven(table, event):
        return None
    if last is None or (event.card is not None and event.card != last[0]):
        return (breach_by(table, event.seat, "dix-not-played", found="dix"),)
    # The engine gives a played seven no points after the close, or when it has scored before.
    if last[1] == 0 and _too_late(table, rule):
        return (_not_after_close(table, event),)
    if last[1] == 0:
        return (_has_scored(table, event),)
    return tuple(_points(table, event)) or None


def _too_late(table: Table, rule: DixRule) -> bool:
    return not rule.in_last_tricks and not table.phase.draws


def _not_after_close(table: Table, event: Dix) -> Breach:
    return breach_by(table, event.seat, "dix-not-in-rules", clause="close", found=event.action)


def _has_scored(table: Table, event: Dix) -> Breach:
    return breach_by(table, event.seat, "dix-spent", found=event.action)


def _wrong_time(table: Table, event: Dix, rule: DixRule) -> list[Breach]:
    window = rule.window(event.action)
    if table.step is TableStep.OVER:
        clause = "over"
    elif window is Window.AFTER_TRICK_WON and table.melding.seat != event.seat:
        clause = "no-trick"
    elif window is Window.AFTER_TRICK_WON and event.action == "show" and not table.phase.melds:
        clause = "close"
    else:
        return []
    act, found = f"{event.action}s", event.action
    return [breach_by(table, event.seat, "dix-out-of-window", clause=clause, act=act, found=found)]


def _dix_holding(table: Table, event: Dix) -> list[Breach]:
    seven = seven_of(table, event)
    is_held = seven in table.held[event.seat]
    if not is_held and (beyond := not_in_pack(table, event.seat, [seven], "show")):
        return beyond
    may_be_dix = seven[0] == "7" if table.seven is None else FACE_OF[seven] == table.seven
    if not may_be_dix:
        clause = "not-dix"
    elif is_held or _may_hold_unseen(table, event, seven):
        return []
    else:
        clause = "not-held"
    return [
        breach_by(
            table,
            event.seat,
            "dix-not-held",
            clause=clause,
            act=f"{event.action}s",
            card=name_card(seven),
            dix=name_card(table.seven or "7?"),
            # A dix that is not held is the card itself: nothing else was expected.
            expected=table.seven if clause == "not-dix" else None,
            found=seven,
        )
    ]


def _may_hold_unseen(table: Table, event: Dix, seven: str) -> bool:
    """Whether the seat may hold another seven: as an unknown card, or by a draw that the record leaves out."""
    return may_hold(table, event.seat, [seven], drawn=unwritten_draws(table, event))


def _exchange(table: Table, event: Dix, rule: DixRule) -> list[Breach]:
    if event.action != "exchange":
        return []
    if rule.exchange_is_the_meld and table.melding.seat == event.seat and table.melding.left <= 0:
        return [_too_many(table, event)]
    turn_up = table.stock.turn_up
    if turn_up is not None and turn_up[0] != "7":
        return []
    clause = "drawn" if turn_up is None else "seven"
    return [breach_by(table, event.seat, "nothing-to-exchange", clause=clause, found=turn_up)]


def _too_many(table: Table, event: Dix) -> Breach:
    allowed = meld_limit_words(table.phase.melds)
    return breach_by(
        table,
        event.seat,
        "too-many-melds",
        clause="exchange",
        allowed=allowed,
        expected=allowed,
        found=event.action,
    )


def _spent(table: Table, event: Dix, rule: DixRule) -> list[Breach]:
    seat, seven = event.seat, seven_of(table, event)
    count = table.held[seat].get(seven, 0)
    if not count or after_leaving(table.readings[seat], seven, count, lacks=SPENT_BIT):
        return []
    if event.action == "exchange" and rule.spent_exchanges:
        return []
    # In a reading that was left out it may be another one.
    if table.tracking.incomplete or _may_hold_unseen(table, event, seven):
        return []
    return [_has_scored(table, event)]


def _points(table: Table, event: Dix) -> list[Breach]:
    computed = dix_points(table, event)
    if event.points is None or event.points == computed:
        return []
    # A dix that has scored may be exchanged for nothing; that it has, may have been left out.
    rule = table.rules.written.dix
    may_be_spent = table.knowledge.plays_only and rule is not None and rule.spent_exchanges
    if may_be_spent and event.action == "exchange" and event.points == 0:
        return []
    return [
        breach_by(
            table,
            event.seat,
            "wrong-dix-points",
            points=pluralize(event.points, "point"),
            expected=str(computed),
            found=str(event.points),
            pointer="/points",
        )
    ]


# A meld that reuses cards: the card, the earlier meld and the clause of the rule of reuse that forbids it.
#
# Only a meld that the rule has refused comes here, so that legal melds cost nothing.

ALL_THREE = 3
"""So many different cards and more are "these cards", when all of a meld are meant."""
MOST_EVENTS_NAMED = 4
"""So many events are named where any of them may be meant."""


class _Earlier(NamedTuple):
    """A meld that the seat has scored in this deal: its name and its event, -1 where the setup laid it."""

    name: str
    event: int


def reuse_breach(table: Table, event: Meld, row: MeldRule) -> Breach:
    """The breach of a meld that the rule of reuse forbids in every reading."""
    seat, cards = event.seat, list_cards(event.cards)
    allows = reuse_rule_of(row, table.rules, table.melding.scored[seat])
    prohibition = find_prohibition(
        table.melding.readings[seat],
        count_cards(event.cards),
        table.melding.cards[seat],
        allows,
    )
    if prohibition is None:
        clause, used = "captured" if table.rules.melds_captured else "copies", ""
        earlier = list(_of_the_class(table, event, row))
    else:
        clause, used = prohibition.clause, _used_words(event, prohibition.cards)
        earlier = list(_forbidding(table, event, prohibition))
    events = [meld.event for meld in earlier if meld.event >= 0]
    return breach_by(
        table,
        seat,
        "meld-reuses-cards",
        clause=clause,
        meld=with_article(row.words),
        cards=cards,
        used=used,
        earlier=_earlier_words(earlier),
        found=cards,
        since=min(events, default=None),
    )


def _used_words(event: Meld, used: frozenset[str]) -> str:
    """The cards that a clause forbids in every reading: `the king of hearts`, `a queen of spades`, `these cards`."""
    if not used:
        return "whichever copies these are, one of them"
    if used == set(event.cards) and ALL_THREE <= len(used) == len(event.cards):
        return "these cards"
    return join_words(
        name_card(card) if event.cards.count(card) == 1 else with_article(describe_card(card))
        for card in sorted(used, key=event.cards.index)
    )


def _earlier_words(melds: Iterable[_Earlier]) -> str:
    """Melds with their events, counted from 1: `the marriage of event 3 or 9`."""
    events: dict[str, list[int]] = {}
    for meld in sorted(set(melds), key=lambda meld: meld.event):
        events.setdefault(meld.name, []).append(meld.event)
    parts = []
    for name, places in events.items():
        numbers = [str(1 + place) for place in places if place >= 0]
        if len(numbers) < len(places):
            parts.append(f"the {name} that lay there at the start")
        if len(numbers) > MOST_EVENTS_NAMED:
            numbers[MOST_EVENTS_NAMED - 1 :] = ["a later event"]
        if numbers:
            parts.append(f"the {name} of event {join_words(numbers, 'or')}")
    return join_words(parts, "or") if parts else "an earlier meld"


def _forbidding(table: Table, event: Meld, prohibition: Prohibition) -> Iterator[_Earlier]:
    """The earlier melds that forbid this one: one of them does in every reading."""
    rules, seat = table.rules, event.seat
    concerned = prohibition.cards or set(event.cards)
    by_kind = [
        number
        for number, (kind, _) in enumerate(table.melding.scored[seat])
        if prohibition.bits & rules.kind_bit[kind]
    ]
    if prohibition.bits & USED_BIT:
        by_kind = list(_melds_since_the_trick(table, seat))
    by_kind = [number for number in by_kind if _may_have_used(table, seat, number, concerned)]
    for number in _sure_to_be_held(table, seat, by_kind, prohibition) or by_kind:
        yield _earlier_meld(table, seat, number)
    for number in range(len(table.melding.scored[seat])):
        if prohibition.bits & 1 << (rules.first_set_bit + number):
            yield _earlier_meld(table, seat, number)


def _melds_since_the_trick(table: Table, seat: int) -> Iterator[int]:
    last_play = max(
        (i for i in range(table.index) if isinstance(table.events[i], Play)), default=-1
    )
    for number, place in enumerate(table.melding.scored_at[seat]):
        if place > last_play:
            yield number


def _may_have_used(table: Table, seat: int, number: int, cards: Iterable[str]) -> bool:
    """Whether an earlier meld has one of these cards; what a setup laid is not looked up."""
    return (melded := _cards_of(table, seat, number)) is None or not melded.isdisjoint(cards)


def _cards_of(table: Table, seat: int, number: int) -> frozenset[str] | None:
    place = table.melding.scored_at[seat][number]
    earlier = table.events[place] if place >= 0 else None
    return frozenset(earlier.cards) if isinstance(earlier, Meld) else None


def _sure_to_be_held(
    table: Table, seat: int, melds: list[int], prohibition: Prohibition
) -> list[int]:
    """Of these melds, those whose copies of the cards forbidden are still held, if that accounts for every marked copy."""
    played: set[str] = set()
    sure, at = [], table.index
    for number in reversed(melds):
        place = table.melding.scored_at[seat][number]
        while at > max(place, 0):
            at -= 1
            event = table.events[at]
            if isinstance(event, Play) and event.seat == seat:
                played.add(event.card)
        cards = _cards_of(table, seat, number)
        if cards is not None and not played & prohibition.cards & cards:
            sure.append(number)
    for card in prohibition.cards:
        marked = max(
            sum(1 for name, mark in reading if name == card and mark & prohibition.bits)
            for reading in table.melding.readings[seat]
        )
        used = sum(card in (_cards_of(table, seat, number) or ()) for number in sure)
        if used < marked:
            return []
    return sure[::-1]


def _earlier_meld(table: Table, seat: int, number: int) -> _Earlier:
    place = table.melding.scored_at[seat][number]
    event = table.events[place] if place >= 0 else None
    name = event.meld if isinstance(event, Meld) else table.melding.scored[seat][number][0]
    return _Earlier(name.replace("_", " "), place)


def _of_the_class(table: Table, event: Meld, row: MeldRule) -> Iterator[_Earlier]:
    """The earlier melds of the class that may have had one of these cards: some choice of copies took one from each."""
    faces = {FACE_OF[card] for card in event.cards}
    for number, (kind, _) in enumerate(table.melding.scored[event.seat]):
        cards = _cards_of(table, event.seat, number)
        related = table.rules.family[kind][0] == row.family
        if related and (cards is None or not faces.isdisjoint(FACE_OF[card] for card in cards)):
            yield _earlier_meld(table, event.seat, number)


# Melds: whose turn it is, how many are allowed, which cards they have, and whether they may score.


def check_meld(table: Table, event: Meld) -> Breaches | None:
    """Everything that can be wrong with a meld that is scored."""
    seat, row, held = event.seat, find_meld_rule(table, event), table.melding.cards[event.seat]
    melding = table.melding
    in_window = melding.left > 0 and (melding.seat == seat or seat in table.melders())
    if (
        row is not None
        and in_window
        and _holds(held, event.cards)
        and (readings_with_meld(table, event, row) or table.tracking.incomplete)
    ):
        return None
    breaches = [*_window(table, event), *_limit(table, event)]
    holding = _holding(table, event)
    breaches += holding
    if row is None:
        breaches.append(_wrong_cards(table, event))
    elif not holding and (melding.seat == seat or not table.rules.melds_captured):
        breaches += _reuse(table, event, row)
    return tuple(breaches) or None


def _holds(held: dict[str, int], cards: list[str]) -> bool:
    # Counting a card in the list takes long, so it is done only where there may be too few copies.
    for card in cards:
        if card not in held or (held[card] < len(cards) and held[card] < cards.count(card)):
            return False
    return True


def check_declare(table: Table, event: Declare) -> Breaches | None:
    """Everything that can be wrong with a meld that is shown and not scored."""
    breaches = [*_window(table, event), *_holding(table, event)]
    if table.rules.written.pending:
        breaches += _closed(table, event)
    else:
        breaches.append(_not_pending(table, event))
    if find_meld_rule(table, event) is None:
        breaches.append(_wrong_cards(table, event))
    return tuple(breaches) or None


def _not_pending(table: Table, event: Declare) -> Breach:
    meld = name_meld(event.meld)
    return breach_by(table, event.seat, "no-pending-melds", meld=meld, found=event.meld)


def _meld_and_cards(event: Meld | Declare) -> str:
    return f"{event.meld} {list_cards(event.cards)}"


def _window(table: Table, event: Meld | Declare) -> list[Breach]:
    if table.step is TableStep.OVER and not table.rules.melds_captured:
        return [_outside(table, event, "over")]
    if table.melding.seat is None:
        time = "draw" if table.phase.draws else "lead"
        return [_outside(table, event, "first" if _is_first_trick(table) else time)]
    if event.seat in table.melders():
        return []
    return [
        breach_by(
            table,
            event.seat,
            "meld-by-loser",
            melder="the winner of a trick" + (" or a partner" if table.partners else ""),
            winner=seat_name(table, table.melding.seat),
            expected=f"seat {table.melding.seat}",
            found=f"seat {event.seat}",
        )
    ]


def _is_first_trick(table: Table) -> bool:
    """Whether no trick was completed; before a position some were, unless its cards are still the whole pack."""
    lying = table.stock.with_turn_up + (table.trick.led is not None)
    held = sum([table.hand_count(seat) for seat in range(table.seats)])
    return not table.tricks and held + lying == table.rules.pack_size


def _outside(table: Table, event: Meld | Declare, clause: str) -> Breach:
    found = _meld_and_cards(event)
    return breach_by(table, event.seat, "meld-out-of-window", clause=clause, found=found)


def _limit(table: Table, event: Meld) -> list[Breach]:
    if table.melding.left > 0 or table.melding.seat is None:
        return []
    if table.phase.melds == 0:
        return _closed(table, event)
    allowed = meld_limit_words(table.phase.melds)
    return [
        breach_by(
            table,
            event.seat,
            "too-many-melds",
            clause="trick",
            meld=name_meld(event.meld),
            allowed=allowed,
            expected=allowed,
            found=_meld_and_cards(event),
        )
    ]


def _closed(table: Table, event: Meld | Declare) -> list[Breach]:
    if table.phase.melds or table.melding.seat is None:
        return []
    meld, found = name_meld(event.meld), _meld_and_cards(event)
    return [breach_by(table, event.seat, "meld-after-close", meld=meld, found=found)]


def _holding(table: Table, event: Meld | Declare) -> list[Breach]:
    held, captured = table.melding.cards[event.seat], table.rules.melds_captured
    missing = cards_missing(count_cards(event.cards), held)
    act = "meld" if isinstance(event, Meld) else "show"
    if beyond := not_in_pack(table, event.seat, missing, act):
        return beyond
    may = may_have_captured if captured else may_hold
    if not missing or may(table, event.seat, missing):
        return []
    return [
        breach_by(
            table,
            event.seat,
            "meld-card-not-held",
            clause="captured" if captured else "held",
            meld=name_meld(event.meld),
            cards=missing_cards_words(missing, event.cards),
            expected=f"cards among {list_cards(sorted(held))}",
            found=list_cards(event.cards),
        )
    ]


def _wrong_cards(table: Table, event: Meld | Declare) -> Breach:
    formed = table.rules.melds(table.trump).get(sorted_faces(event.cards), ())
    rows = [row for row in table.rules.written.melds if row.name == event.meld]
    if not rows:
        return breach_by(
            table,
            event.seat,
            "meld-not-in-rules",
            meld=name_meld(event.meld),
            found=event.meld,
            candidates=tuple(row.name for row in formed),
        )
    return wrong_cards_breach(
        table, event, formed, expected=" or ".join(dict.fromkeys(row.words for row in rows))
    )


def wrong_cards_breach(
    table: Table,
    event: Meld | Declare,
    formed: Sequence[MeldRule],
    *,
    expected: str | None = None,
) -> Breach:
    """The breach of a meld whose cards form other melds, `formed`, or none."""
    cards = list_cards(event.cards)
    suits = [] if formed else _suits_needed(table, event)
    trumps = join_words([SUIT_NAMES[suit] for suit in suits], "or") if suits else ""
    option = "" if formed or suits else _option_needed(table.rules.sheet, event)
    clause = "other" if formed else "trumps" if trumps else "option" if option else "no-meld"
    return breach_by(
        table,
        event.seat,
        "wrong-cards-for-meld",
        clause=clause,
        cards=cards,
        meld=name_meld(event.meld),
        trumps=trumps,
        option=option,
        formed=name_meld(formed[0].name) if formed else "",
        expected=expected,
        found=cards,
        candidates=tuple(row.name for row in formed),
    )


def _suits_needed(table: Table, event: Meld | Declare) -> list[str]:
    """The suits of which one would have to be trumps for the cards to be this meld."""
    rules, cards = table.rules, tuple(event.cards)
    return [suit for suit in SUITS if rules.meld_rule(suit, event.meld, cards) is not None]


def _option_needed(sheet: RuleSheet, event: Meld | Declare) -> str:
    """The option, with its value, by which the cards would be this meld, whatever is trumps; empty if there is none."""
    faces = sorted_faces(event.cards)
    for words, other in _options_of_melds(sheet):
        rows = [row for row in other.rules.melds if row.name == event.meld]
        if any(faces in card_sets_for(row, suit, other.rules) for row in rows for suit in SUITS):
            return words
    return ""


@lru_cache(maxsize=256)
def _options_of_melds(sheet: RuleSheet) -> tuple[tuple[str, RuleSheet], ...]:
    """The values of options that change which cards form melds, in words, each with the sheet that it makes."""
    return tuple(
        [
            (f"`{option.name}` is {json.dumps(value)}", other)
            for option in sheet.options
            if isinstance(option, ChoiceOption)
            for value in option.permitted
            for other in [apply_options(sheet, {option.name: value}).sheet]
            if _parts_of_melds(other) != _parts_of_melds(sheet)
        ]
    )


def _parts_of_melds(sheet: RuleSheet) -> tuple[object, ...]:
    return sheet.rules.melds, sheet.rules.bezique_cards, sheet.rules.pack


def missing_cards_words(missing: Sequence[str], cards: Sequence[str]) -> str:
    """Cards that a meld lacks, as many of each as it needs: `the king of hearts`, `two kings of hearts`."""
    needed = count_cards(cards)
    return join_words(
        name_card(card) if needed[card] == 1 else name_copies(card, needed[card])
        for card in dict.fromkeys(missing)
    )


def _reuse(table: Table, event: Meld, row: MeldRule) -> list[Breach]:
    if table.tracking.incomplete or _may_be_other_copies(table, event):
        return []
    if readings_with_meld(table, event, row) or may_have_married_before(table, event.seat, row):
        return []
    return [reuse_breach(table, event, row)]


def _may_be_other_copies(table: Table, event: Meld) -> bool:
    """Whether an unknown card, or an unknown meld, may make legal what the known ones forbid."""
    if "?" in "".join(event.cards):
        return True
    seat = event.seat
    if table.rules.melds_captured:
        if "?" in "".join(table.captured[seat]):
            return True
    elif table.hidden.given[seat]:
        return True
    return is_reuse_open(table, seat)
