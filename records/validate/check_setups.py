"""Checks of a position set up in mid-deal: whether the game could have come to it.

Every check is sound for unknown cards, and for cards listed in two melds: these may be one card or two, so
the cards on the table are counted from the least to the most that there can be.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from records.cards import (
    RANK_NAMES,
    SUIT_NAMES,
    SUITS,
    count_cards,
    is_unknown,
    sorted_faces,
)
from records.engine.hidden_cards import may_be_among, trumps_unknown
from records.engine.table import Table
from records.phrases import list_cards, name_card, name_meld, pluralize
from records.record import Deal, Laid, Setup
from records.rules.compiled import CompiledSheet
from records.rules.vocabulary import FirstMeld, NoTrumps, TurnUp
from records.validate.breach import Breach, breach_by, make_breach, seat_name


class _Bounds(NamedTuple):
    """The least and the largest number of cards that there can be."""

    least: int
    most: int


def check_setup(table: Table, deal: Deal, setup: Setup) -> list[Breach]:
    """Everything that shows that a position cannot have come about."""
    breaches = [*_not_in_rules(table, setup), *_pending_melds(table, setup)]
    breaches += [*_trumps(table, setup), *_melds(table, setup)]
    if table.rules.has_tableau:
        return [*breaches, *_piles(table, setup), *_zetema_hands(table, setup)]
    position = _Position(table, deal, setup)
    return [
        *breaches,
        *_trick(position),
        *_hands(position),
        *_stock(position),
        *_captured(position),
        *_brisques(position),
        *_spent_dixes(table, setup),
    ]


# What the game has.


def _not_in_rules(table: Table, setup: Setup) -> Iterator[Breach]:
    sheet, members = table.rules.sheet, ["tableau"]
    if table.rules.has_tableau:
        members = ["tables", "brisques", "won", "trick", "spent_dixes", "captured"]
    elif sheet.rules.dix is None:
        members.append("spent_dixes")
    if isinstance(sheet.rules.trumps, NoTrumps):
        members.append("trump")
    for name in members:
        value = getattr(setup, name)
        if value and value is not True and not isinstance(value, str) and not any(value):
            continue  # lists of nothing say nothing
        if value:
            yield make_breach(
                "setup-not-in-rules", member=f"`{name}`", found=name, pointer=f"/setup/{name}"
            )
    if setup.turn_up is not None and not isinstance(sheet.rules.trumps, TurnUp):
        card, found = name_card(setup.turn_up), setup.turn_up
        yield make_breach("turn-up-not-in-rules", card=card, found=found, pointer="/setup/turn_up")


def _pending_melds(table: Table, setup: Setup) -> Iterator[Breach]:
    if table.rules.written.pending:
        return
    for seat, groups in enumerate((setup.tables or [])[: table.seats]):
        for number, group in enumerate(groups):
            if not group.scored:
                pointer = f"/setup/tables/{seat}/{number}/scored"
                yield make_breach(
                    "setup-not-in-rules", member="a pending meld", found="scored", pointer=pointer
                )


def _trumps(table: Table, setup: Setup) -> Iterator[Breach]:
    turned = isinstance(table.rules.written.trumps, TurnUp) and setup.turn_up
    if not turned or setup.trump is None or setup.turn_up is None:
        return
    if setup.turn_up[1] not in ("?", setup.trump):
        yield make_breach(
            "trumps-not-turned-up",
            trumps=SUIT_NAMES[setup.trump],
            card=name_card(setup.turn_up),
            expected=setup.turn_up[1],
            found=setup.trump,
            pointer="/setup/trump",
        )


# The melds on the table.


def _melds(table: Table, setup: Setup) -> Iterator[Breach]:
    judged: dict[tuple[str, tuple[str, ...]], str | None] = {}
    for seat, groups in enumerate((setup.tables or [])[: table.seats]):
        for number, group in enumerate(groups):
            cards = sorted_faces(group.cards)
            if (group.meld, cards) not in judged:
                judged[group.meld, cards] = _why_no_meld(table, group.meld, cards)
            clause = judged[group.meld, cards]
            if clause is not None:
                yield breach_by(
                    table,
                    seat,
                    "no-meld-on-table",
                    clause=clause,
                    cards=list_cards(group.cards) or "no card",
                    meld=name_meld(group.meld),
                    found=list_cards(group.cards),
                    pointer=f"/setup/tables/{seat}/{number}",
                )


def _why_no_meld(table: Table, name: str, cards: tuple[str, ...]) -> str | None:
    """The clause that says why these cards are not what is left of such a meld; None if they may be."""
    rules = table.rules
    if rules.any_meld_named(name) is None:
        return "not-in-rules"
    if not cards:
        return "empty"
    wanted = count_cards(cards)
    unknown = any(map(is_unknown, cards))
    for trump in _trumps_of_melds(table):
        for faces, melds in rules.melds(trump).items():
            if len(faces) < len(cards) or not any(meld.name == name for meld in melds):
                continue
            if may_be_among(cards, faces) if unknown else _is_part(wanted, faces):
                return None
    return "no-meld"


def _is_part(wanted: dict[str, int], faces: tuple[str, ...]) -> bool:
    return all([faces.count(card) >= count for card, count in wanted.items()])


def _trumps_of_melds(table: Table) -> tuple[str | None, ...]:
    """The trumps under which a meld on the table may have been made: a meld may have made them only later."""
    if table.trump is None and trumps_unknown(table):
        return (None, *SUITS)
    if isinstance(table.rules.written.trumps, FirstMeld) and table.trump is not None:
        return (None, table.trump)
    return (table.trump,)


# Zetema.


def _piles(table: Table, setup: Setup) -> Iterator[Breach]:
    rule = table.rules.written.tableau
    for rank, count in count_cards(card[0] for card in setup.tableau or []).items():
        if rule is not None and rank in RANK_NAMES and count >= rule.full:
            yield make_breach(
                "impossible-pile",
                cards=pluralize(count, "card"),
                rank=RANK_NAMES[rank],
                expected=f"at most {rule.full - 1}",
                found=str(count),
                pointer="/setup/tableau",
            )


def _zetema_hands(table: Table, setup: Setup) -> Iterator[Breach]:
    sheet = table.rules.sheet
    dealt, full = (
        sheet.rules.hand[table.seats],
        sheet.rules.tableau.draw_up_to if sheet.rules.tableau else {},
    )
    most = max(dealt, full.get(table.seats, 0))
    for seat, hand in enumerate(setup.hands[: table.seats]):
        if len(hand) > most:
            yield _too_many(table, seat, len(hand), most)
    left = table.rules.pack_size - sum(map(len, setup.hands)) - len(setup.tableau or [])
    if setup.stock > left:
        yield _too_large_stock(setup, left)


# Games with tricks.


class _Position:
    """A position of a game with tricks, with its cards counted."""

    def __init__(self, table: Table, deal: Deal, setup: Setup) -> None:
        self.table, self.setup, self.rules = table, setup, table.rules
        seats = range(table.seats)
        groups = [*(setup.tables or []), *([] for _ in seats)]
        self.laid = [_lying(self.rules, groups[seat]) for seat in seats]
        self.hands = [*setup.hands, *([] for _ in seats)]
        self.trick = setup.trick or []
        self.turned = isinstance(self.rules.written.trumps, TurnUp)
        self.captured = setup.captured or []
        self.ordered = deal.stock or []

    @property
    def held_laid(self) -> list[_Bounds]:
        """The cards on the table that are still held: none where melds are made of captured cards."""
        return [_Bounds(0, 0)] * self.table.seats if self.rules.melds_captured else self.laid

    @property
    def room(self) -> int:
        """How many cards of the pack are neither held nor led nor turned up: those left to draw or won."""
        held = sum(map(len, self.hands)) + sum(bounds.least for bounds in self.held_laid)
        turn_up = self.turned and (self.setup.turn_up is not None or self.setup.stock > 0)
        return self.rules.pack_size - held - len(self.trick) - turn_up

    def known_elsewhere(self) -> list[str]:
        """The known cards that nobody has won."""
        cards = [card for hand in self.hands for card in hand]
        cards += [*self.trick, *self.ordered]
        cards += [self.setup.turn_up] if self.setup.turn_up else []
        if not self.rules.melds_captured:
            for groups in self.setup.tables or []:
                cards += _surely_lying(groups)
        return cards


def _lying(rules: CompiledSheet, groups: list[Laid]) -> _Bounds:
    """How many cards lie in these melds: a card may be listed in several, and two like cards may be one."""
    listed = [card for group in groups for card in group.cards]
    known = count_cards(card for card in listed if not is_unknown(card))
    most = sum(
        1 if len(card) > 2 else min(count, rules.copies.get(card, count))
        for card, count in known.items()
    )
    longest = max((len(group.cards) for group in groups), default=0)
    return _Bounds(
        max(longest, len(_surely_lying(groups))), most + len(listed) - sum(known.values())
    )


def _surely_lying(groups: list[Laid]) -> list[str]:
    """The known cards of these melds, each as often as the meld with most of it lists it."""
    most: dict[str, int] = {}
    for group in groups:
        for card, count in count_cards(group.cards).items():
            if not is_unknown(card):
                most[card] = max(most.get(card, 0), 1 if len(card) > 2 else count)
    return [card for card, count in most.items() for _ in range(count)]


def _for(table: Table, two: str, more: str) -> str:
    """The clause that speaks of two players, or its like for more."""
    return two if table.seats == 2 else more


def _trick(position: _Position) -> Iterator[Breach]:
    table, setup = position.table, position.setup
    if len(position.trick) >= table.seats:
        clause = _for(table, "completed", "more-completed")
    elif position.trick and setup.won:
        clause = "led"
    else:
        return
    cards = pluralize(len(position.trick), "card")
    found = list_cards(position.trick)
    yield breach_by(
        table, setup.seat, "impossible-trick", clause=clause, cards=cards, found=found or "won",
        pointer="/setup/trick" if position.trick else "/setup/won",
    )  # fmt: skip


def _hands(position: _Position) -> Iterator[Breach]:
    table, setup = position.table, position.setup
    held = [
        _Bounds(size + laid.least, size + laid.most)
        for seat in range(table.seats)
        for size, laid in [(len(position.hands[seat]), position.held_laid[seat])]
    ]
    most = table.rules.written.hand[table.seats]
    for seat, cards in enumerate(held):
        if cards.least > most:
            yield _too_many(table, seat, cards.least, most)
            break
    acting, have_played = held[setup.seat], len(position.trick) % table.seats
    for place, seat in enumerate(table.seats_from(setup.seat)[:0:-1]):
        played, other = place < have_played, held[seat]
        if acting.least - played <= other.most and other.least <= acting.most - played:
            continue
        yield breach_by(
            table,
            setup.seat,
            "uneven-hands",
            clause=_for(table, "led", "more-led") if played else _for(table, "even", "more-even"),
            cards=pluralize(acting.least, "card"),
            other=seat_name(table, seat),
            others=str(other.least),
            expected=f"{pluralize(acting.least - played, 'card')} of seat {seat}",
            found=str(other.least),
            pointer="/setup/hands",
        )
        return


def _too_many(table: Table, seat: int, cards: int, most: int) -> Breach:
    return breach_by(
        table,
        seat,
        "hand-too-large",
        cards=pluralize(cards, "card"),
        expected=str(most),
        found=str(cards),
        pointer=f"/setup/hands/{seat}",
    )


def _stock(position: _Position) -> Iterator[Breach]:
    setup, seats = position.setup, position.table.seats
    won = sum(map(len, position.captured))
    if position.rules.melds_captured:
        won += sum(bounds.least for bounds in position.laid)
    most = position.room - won
    if setup.stock > most:
        yield _too_large_stock(setup, most)
    elif setup.turn_up is not None and position.turned and (setup.stock + 1) % seats:
        expected = "an odd number" if seats == 2 else f"a multiple of {seats} with the turn-up"
        yield _impossible_stock(
            setup, _for(position.table, "turned-up", "more-turned-up"), expected
        )
    elif not position.turned and setup.stock % seats:
        expected = "an even number" if seats == 2 else f"a multiple of {seats}"
        yield _impossible_stock(setup, _for(position.table, "even", "more-even"), expected)
    if position.ordered and len(position.ordered) != setup.stock:
        yield make_breach(
            "wrong-stock-size",
            cards=pluralize(len(position.ordered), "card"),
            expected=str(setup.stock),
            found=str(len(position.ordered)),
            pointer="/stock",
        )


def _too_large_stock(setup: Setup, left: int) -> Breach:
    most = max(0, left)
    return _impossible_stock(setup, "left", f"at most {most}", most)


def _impossible_stock(setup: Setup, clause: str, expected: str, most: int = 0) -> Breach:
    """A stock that is too large, or of which one player draws the last card, and the other none."""
    return make_breach(
        "impossible-stock",
        clause=clause,
        cards=pluralize(setup.stock, "card"),
        most=most,
        expected=expected,
        found=str(setup.stock),
        pointer="/setup/stock",
    )


def _captured(position: _Position) -> Iterator[Breach]:
    setup = position.setup
    for seat, cards in enumerate(position.captured[: position.table.seats]):
        laid = position.laid[seat] if position.rules.melds_captured else _Bounds(0, 0)
        odd = laid.least == laid.most and (len(cards) + laid.least) % position.table.seats
        if setup.won and seat == setup.seat and len(cards) < position.table.seats:
            clause = _for(position.table, "just-won", "more-just-won")
        elif odd:
            clause = _for(position.table, "odd", "more-odd")
        else:
            continue
        yield breach_by(
            position.table,
            seat,
            "impossible-captures",
            clause=clause,
            cards=pluralize(len(cards) + laid.least, "card"),
            found=str(len(cards) + laid.least),
            pointer=f"/setup/captured/{seat}",
        )


def _brisques(position: _Position) -> Iterator[Breach]:
    setup, rules = position.setup, position.rules
    if setup.brisques is None:
        return
    left = rules.brisques_in_pack - _count_brisques(rules, position.known_elsewhere())
    most = min(left, position.room - setup.stock)
    if sum(setup.brisques) > max(0, most):
        yield make_breach(
            "impossible-brisques",
            clause="most",
            brisques=pluralize(sum(setup.brisques), "brisque"),
            most=str(max(0, most)),
            expected=f"at most {max(0, most)}",
            found=str(sum(setup.brisques)),
            pointer="/setup/brisques",
        )
    for seat, cards in enumerate(position.captured[: position.table.seats]):
        yield from _brisques_captured(position, seat, cards, setup.brisques[seat])


def _brisques_captured(
    position: _Position, seat: int, cards: list[str], counted: int
) -> Iterator[Breach]:
    """Where the captured cards are shown, the brisques are those among them."""
    rules, groups = position.rules, [*(position.setup.tables or []), [], []][seat]
    laid = groups if rules.melds_captured else []
    listed = [card for group in laid for card in group.cards]
    least = _count_brisques(rules, [*cards, *_surely_lying(laid)])
    most = _count_brisques(rules, [*cards, *listed]) + sum(map(is_unknown, [*cards, *listed]))
    if least <= counted <= most:
        return
    yield breach_by(
        position.table,
        seat,
        "impossible-brisques",
        clause="captured",
        brisques=pluralize(counted, "brisque"),
        most=str(least),
        expected=str(least),
        found=str(counted),
        pointer=f"/setup/brisques/{seat}",
    )


def _count_brisques(rules: CompiledSheet, cards: Iterable[str]) -> int:
    return sum([rules.is_brisque[card] for card in cards])


def _spent_dixes(table: Table, setup: Setup) -> Iterator[Breach]:
    if table.rules.written.dix is None:
        return
    dix = table.seven or "7?"
    sevens = [card for hand in setup.hands for card in hand if _may_be(card, dix)]
    for card, count in count_cards(setup.spent_dixes or []).items():
        held = sum([_may_be(card, seven) for seven in sevens])
        if not _may_be(card, dix):
            clause, expected, found = "not-dix", dix, card
        elif held < count:
            clause = "too-many" if held else "not-held"
            expected, found = f"at most {held}", str(count)
        else:
            continue
        yield make_breach(
            "impossible-spent-dix",
            clause=clause,
            card=name_card(card),
            dix=name_card(dix),
            count=count,
            held=held,
            expected=expected,
            found=found,
            pointer="/setup/spent_dixes",
        )


def _may_be(card: str, other: str) -> bool:
    """Whether two cards, known or not, may be one."""
    if len(card) > 2 and len(other) > 2:
        return card == other
    return all(one == two or "?" in (one, two) for one, two in zip(card[:2], other, strict=False))
