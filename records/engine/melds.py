"""Melds: laid, scored, and remembered in the readings (laws C5, C7, C10, C11)."""

from functools import lru_cache

from records.cards import SUITS, is_unknown
from records.engine.copies import LEAST_FOLLOWED, MOST_AFTER_ILLEGAL_MELDS, Readings
from records.engine.copy_history import search_given_up
from records.engine.deal_state import MeldUndo
from records.engine.hidden_cards import (
    can_reveal,
    may_be_among,
    narrow_meld_readings,
    reveal_card,
    trumps_unknown,
)
from records.engine.readings import after_fresh_meld, after_meld, allow_any_copies
from records.engine.reuse import mark_bits_of, reuse_rule_of, superseded_bits
from records.engine.table import Table
from records.events import MELD_NAMES, Declare, Meld
from records.rules import vocabulary as v
from records.rules.compiled import MOST_MELDED, CompiledSheet

MELD_CLAIM_NAMES = {name: f"meld {name}" for name in MELD_NAMES}
"""What a report calls the points claimed for a meld."""


RULES_THAT_ALLOW_AGAIN = (v.ReuseRule.REFORMED_AFTER_LEAVING, v.ReuseRule.AUGMENT_OR_RESTORE)
"""The rules of reuse by which a later meld or play may free cards to score again."""


def meld(table: Table, event: Meld) -> None:
    """Cards are laid and scored; cards that form no such meld score nothing."""
    seat = event.seat
    readings_before, laid, trump = (
        table.melding.readings[seat],
        len(table.melding.laid[seat]),
        table.trump,
    )
    _reveal_missing(table, seat, event.cards)
    # Cards revealed since the check have changed what its answer rested on.
    if table.hidden.revealed[seat]:
        table.melding.checked = None
    # What is illegal counts nothing: no points, no trumps, and its cards have not scored.
    meld_rule = None if table.counts_nothing else find_meld_rule(table, event)
    worth = _certain_worth(table, event, meld_rule)
    table.state(MELD_CLAIM_NAMES[event.meld], event.points, worth)
    scored = table.melding.scored[seat]
    if meld_rule is None:
        table.melding.checked = None
        before = readings_before, len(scored), laid
        table.melding.undo = _undo_of(table, seat, before, points=0, trump=trump, counted=0)
        if table.counts_nothing:
            _follow_fewer_readings(table, seat)
        _lay_unchecked(table, seat, event.meld, event.cards, bit=0)
        return
    _lay_scored(table, event, meld_rule)
    scored.append((meld_rule.kind, len(event.cards)))
    table.melding.scored_at[seat].append(table.index)
    table.melding.left -= 1
    table.award(seat, "meld", meld_rule.points, meld_rule.name)
    if meld_rule.kind in table.rules.makes_trumps:
        _make_trumps(table, event)
    before = readings_before, len(scored) - 1, laid
    table.melding.undo = _undo_of(
        table, seat, before, points=meld_rule.points, trump=trump, counted=1
    )


def _follow_fewer_readings(table: Table, seat: int) -> None:
    """Keep few readings once illegal melds were laid in many: each would multiply them, and decide nothing."""
    tracking, readings = table.tracking, table.melding.readings[seat]
    tracking.in_illegal_melds += len(readings)
    if tracking.in_illegal_melds > MOST_AFTER_ILLEGAL_MELDS:
        tracking.limit = LEAST_FOLLOWED
        narrow_meld_readings(table, seat, readings)


def _lay_scored(table: Table, event: Meld, meld_rule: v.MeldRule) -> None:
    """Lay a meld that scores, in the readings that allow it; if there is none, whatever its cards have scored."""
    seat = event.seat
    hides = "?" in "".join(event.cards) or is_reuse_open(table, seat)
    readings = () if hides else readings_with_meld(table, event, meld_rule)
    table.melding.checked = None
    if readings:
        narrow_meld_readings(table, seat, readings)
        list_laid(table, seat, event.meld, event.cards)
        return
    if may_have_married_before(table, seat, meld_rule):
        table.leave_open()
    # No reading allows it: an illegal meld, or one whose readings were dropped. It scores all the same;
    # the check has said what is wrong, and later melds are judged by what was scored.
    if not hides:
        table.tracking.exhausted = table.tracking.exhausted or table.tracking.incomplete
    bit = mark_bits_of(meld_rule, table.rules, table.melding.scored[seat])
    _lay_unchecked(table, seat, event.meld, event.cards, bit=bit)


def may_have_married_before(table: Table, seat: int, meld_rule: v.MeldRule) -> bool:
    """Whether the cards of a marriage may have married before a position set up after the close: then they may again.

    By R-RUB a king and a queen that have both married may be rearranged, and such a position does not say it. It says
    how many points the seat had: enough for a marriage, or none.
    """
    rearranges = table.rules.written.reuse.rule is v.ReuseRule.REFORMED_AFTER_LEAVING
    if not rearranges or meld_rule.kind != "marriage" or table.whole_close:
        return False
    since = sum([award.points for award in table.awards if award.seat == seat])
    marriages = [row.points for row in table.rules.written.melds if row.kind == "marriage"]
    return table.points[seat] - since >= min(marriages)


def is_reuse_open(table: Table, seat: int) -> bool:
    """Whether unknown cards or melds may have made legal what the rule of reuse forbids the known ones.

    More melds only forbid more, unless a card leaves a meld by them, or by a play, or a broken one is restored.
    """
    if (
        table.rules.written.reuse.rule not in RULES_THAT_ALLOW_AGAIN
        or not table.knowledge.uncertain
    ):
        return False
    return (
        table.knowledge.plays_only
        or bool(table.hidden.given[seat])
        or any(
            isinstance(earlier, Meld) and earlier.seat == seat and "?" in "".join(earlier.cards)
            for earlier in table.events[: table.index]
        )
    )


def _undo_of(
    table: Table,
    seat: int,
    before: tuple[Readings, int, int],
    *,
    points: int,
    trump: str | None,
    counted: int,
) -> MeldUndo:
    """What takes a meld back, by the readings and the numbers of melds scored and cards laid before it."""
    led, stock = table.trick.led, table.stock.with_turn_up
    return MeldUndo(seat, table.tricks, led, stock, *before, points, trump, counted)


def _make_trumps(table: Table, event: Meld | Declare) -> None:
    """The first marriage or sequence fixes trumps (law C13), as far as its suit is known.

    Where melds may be left out, none need be the first.
    """
    if table.trump is not None or table.knowledge.trumps_open:
        return
    suit = next((card[1] for card in event.cards if card[1] != "?"), None)
    if suit is None:
        table.knowledge.trumps_open = True
        table.leave_open()
    else:
        table.set_trump(suit)


def _certain_worth(table: Table, event: Meld, meld_rule: v.MeldRule | None) -> int | None:
    """The points of a meld; None, and its points left open, if they depend on what the record does not show.

    Points claimed that no such meld has are wrong all the same, beside any it may have.
    """
    if meld_rule is None:
        return 0
    if table.knowledge.uncertain:
        possible = {row.points for row in _possible_meld_rules(table, event)}
        if len(possible) > 1:
            table.leave_open(points=True)
            is_wrong = event.points is not None and event.points not in possible
            return meld_rule.points if is_wrong else None
    return meld_rule.points


def score_plain_meld(table: Table, event: Meld) -> bool:
    """Score a meld for plain play and return True; False, with the meld not made, if it needs the checks.

    It mirrors `check_meld` of `records.validate.check_melds`, and `meld`, for melds whose cards are all known and held.
    """
    seat, cards, name = event.seat, event.cards, event.meld
    rules, melding = table.rules, table.melding
    meld_rule = rules.meld_rule(table.trump, name, tuple(cards))
    marked, held = table.marked[seat], table.held[seat]
    if meld_rule is None or event.points != (points := meld_rule.points):
        return False
    # A meld that makes trumps changes which card takes which; only the checked way follows that up.
    makes_trumps = table.trump is None and meld_rule.kind in rules.makes_trumps
    if makes_trumps or seat != melding.seat or melding.left < 1:
        return False
    for card in cards:
        if card not in held or held[card] < cards.count(card):
            return False
    before, laid, scored = table.readings[seat], melding.laid[seat], melding.scored[seat]
    # No like card has a mark: the rule of reuse cannot forbid the meld, and nothing needs to be searched.
    if marked.isdisjoint(cards):
        bit = mark_bits_of(meld_rule, rules, scored)
        table.readings[seat] = after_fresh_meld(before, cards, held, bit)
        table.marked[seat] = marked.union(cards)
    elif readings := readings_with_meld(table, event, meld_rule):
        narrow_meld_readings(table, seat, readings)
        melding.checked = None
    else:
        # The meld is not made: the check starts from the same position and says what is wrong.
        return False
    stock = table.stock.with_turn_up
    melding.undo = MeldUndo(
        seat, table.tricks, table.trick.led, stock,
        before, len(scored), len(laid), points, table.trump, 1,
    )  # fmt: skip
    scored.append((meld_rule.kind, len(cards)))
    melding.scored_at[seat].append(table.index)
    # As `list_laid` does. A call, and in Python 3.11 a comprehension is one too, would cost more than the loop.
    group = laid[-1][0] + 1 if laid else 1
    for card in cards:
        laid.append((group, name, card))
    melding.left -= 1
    table.award(seat, "meld", points, meld_rule.name)
    table.claims.points.append((table.index, MELD_CLAIM_NAMES[name], points, points))
    return True


def readings_with_meld(table: Table, event: Meld, meld_rule: v.MeldRule) -> Readings:
    """The readings in which the sheet's rule of reuse allows this meld, with the meld made.

    The check and then the effect ask for them, so the last answer is kept.
    """
    checked = table.melding.checked
    if checked is not None and checked[0] is event:
        return checked[1]
    seat, cards = event.seat, event.cards
    scored, before = table.melding.scored[seat], table.melding.readings[seat]
    bit = mark_bits_of(meld_rule, table.rules, scored)
    if table.melding.marked[seat].isdisjoint(cards) and not table.rules.melds_captured:
        after = after_fresh_meld(before, cards, table.melding.cards[seat], bit)
    else:
        after = after_meld(
            before,
            cards,
            table.melding.cards[seat],
            reuse_rule_of(meld_rule, table.rules, scored),
            bit,
            supersedes=superseded_bits(meld_rule, table.rules, scored),
            tracking=table.tracking,
        )
    table.tracking.incomplete = table.tracking.incomplete or search_given_up(after)
    table.melding.checked = event, after
    return after


def _reveal_missing(table: Table, seat: int, cards: list[str]) -> None:
    """Cards melded that the seat is not known to hold come from among its unknown ones.

    A card that nobody can hold is not revealed: it would be a fact that accuses others.
    """
    held = table.held[seat]
    hides = "?" in "".join(cards)
    if hides:
        table.leave_open()
    if table.rules.melds_captured or not (table.hidden.given[seat] or hides):
        return
    for card in dict.fromkeys(cards):
        if is_unknown(card):
            table.leave_open()
            table.hidden.laid += [(seat, card)] * cards.count(card)
            continue
        for _ in range(cards.count(card) - held.get(card, 0)):
            if can_reveal(table, seat, [card]):
                reveal_card(table, seat, card)


def list_laid(table: Table, seat: int, name: str, cards: list[str]) -> None:
    """List the cards of a meld as lying on the table."""
    laid = table.melding.laid[seat]
    group = laid[-1][0] + 1 if laid else 1
    laid += [(group, name, card) for card in cards]


def _lay_unchecked(table: Table, seat: int, name: str, cards: list[str], *, bit: int) -> None:
    """Lay a meld whatever its cards have scored; an unknown card is one of those held, nobody knows which."""
    known = [card for card in cards if not is_unknown(card)]
    readings = after_meld(
        table.melding.readings[seat],
        known,
        table.melding.cards[seat],
        allow_any_copies,
        bit,
        tracking=table.tracking,
    )
    narrow_meld_readings(table, seat, readings)
    list_laid(table, seat, name, cards)


def find_meld_rule(table: Table, event: Meld | Declare) -> v.MeldRule | None:
    """The meld of the sheet that these cards form under this name, if they do."""
    cards = tuple(event.cards)
    meld_rule = table.rules.meld_rule(table.trump, event.meld, cards)
    if table.knowledge.uncertain and trumps_unknown(table):
        return _possible_meld_rule(table, event)
    if meld_rule is None and "?" in "".join(cards):
        return _possible_meld_rule(table, event)
    return meld_rule


def _possible_meld_rule(table: Table, event: Meld | Declare) -> v.MeldRule | None:
    """A meld that the cards may form, as far as they and trumps are known: one with the points claimed, else the least."""
    claimed = event.points if isinstance(event, Meld) else None
    return min(
        _possible_meld_rules(table, event),
        key=lambda meld_rule: (meld_rule.points != claimed, meld_rule.points),
        default=None,
    )


def _possible_meld_rules(table: Table, event: Meld | Declare) -> frozenset[v.MeldRule]:
    """The melds of this name that the cards may form, as far as they and trumps are known."""
    if len(event.cards) > MOST_MELDED:
        return frozenset()
    trumps = (*SUITS, None) if trumps_unknown(table) else (table.trump,)
    return _melds_formed(table.rules, trumps, event.meld, tuple(event.cards))


@lru_cache(maxsize=4096)
def _melds_formed(
    rules: CompiledSheet, trumps: tuple[str | None, ...], name: str, cards: tuple[str, ...]
) -> frozenset[v.MeldRule]:
    """The melds of a name that these cards may form under one of these trump suits."""
    return frozenset(
        meld_rule
        for trump in trumps
        for faces, found in rules.melds(trump).items()
        for meld_rule in found
        if meld_rule.name == name and len(faces) == len(cards) and may_be_among(cards, faces)
    )


def declare(table: Table, event: Declare) -> None:
    """Cards are laid and not scored; where laying makes trumps, the first marriage or sequence does (A-46)."""
    seat = event.seat
    before = (
        table.melding.readings[seat],
        len(table.melding.scored[seat]),
        len(table.melding.laid[seat]),
    )
    table.melding.undo = _undo_of(table, seat, before, points=0, trump=table.trump, counted=0)
    _reveal_missing(table, seat, event.cards)
    _lay_unchecked(table, seat, event.meld, event.cards, bit=0)
    meld_rule = None if table.counts_nothing else find_meld_rule(table, event)
    if meld_rule is not None and meld_rule.kind in table.rules.laid_makes_trumps:
        _make_trumps(table, event)


def withdraw_meld(table: Table, undo: MeldUndo) -> None:
    """Take a meld back, with its points and the trumps it made."""
    table.set_meld_readings(undo.seat, undo.readings)
    del table.melding.scored[undo.seat][undo.scored :]
    del table.melding.scored_at[undo.seat][undo.scored :]
    del table.melding.laid[undo.seat][undo.laid :]
    table.melding.left += undo.counted
    if undo.points:
        table.award(undo.seat, "ruling", -undo.points)
    table.melding.undo = None
    if table.trump != undo.trump:
        table.set_trump(undo.trump)
