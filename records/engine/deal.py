"""The table before the first event: a fresh deal, or a position set up in mid-deal."""

from collections import Counter
from collections.abc import Iterator, Mapping

from records.cards import FACE_OF, count_cards, is_unknown
from records.engine.copies import (
    LAID_BIT,
    SPENT_BIT,
    LaidCopies,
    ReadingBudget,
    ReusePredicate,
    has_single_cards,
    laid_copies,
    without_single_labels,
)
from records.engine.dix import doubt_sevens, may_be_exchanged
from records.engine.effects import begin_blanche_chains, enter_phase, set_up_blanche_chains
from records.engine.hidden_cards import (
    narrow_meld_readings,
    narrow_readings,
    trumps_unknown,
)
from records.engine.melds import list_laid
from records.engine.readings import (
    NOTHING_MARKED,
    after_breaking,
    after_capture,
    after_marking,
    after_meld,
)
from records.engine.reuse import mark_bits_of, superseded_bits
from records.engine.table import Table, TableStep
from records.engine.zetema import begin_turn
from records.events import AnyEvent, Cut, Declare, Discard, Dix, Draw, Irregular, Meld, Play, Trick
from records.record import Deal, Laid, Setup
from records.rules.compiled import CompiledSheet
from records.rules.vocabulary import TurnUp


def lay_out_deal(
    rules: CompiledSheet,
    deal: Deal,
    names: list[str],
    *,
    writes_draws: bool | None = None,
    budget: ReadingBudget | None = None,
    few_readings_budget: ReadingBudget | None = None,
    likely_only: bool = True,
) -> Table:
    """The table as dealt, or as set up; telling copies apart there spends the `budget`, a new one if none is given.

    With a `few_readings_budget`, as long as it is not spent, only a few readings are followed where these can prove the deal
    legal (`table.tracking.few`). With `likely_only`, they are followed by likely copies alone under the rule of reuse for which
    these mostly suffice.
    `writes_draws` says whether the record writes draws, where the events of this deal do not show
    it: those of a line may end before the first draw. The events of the table are those of the deal, with
    every card of which the pack has one written without a label.
    """
    labelled = _is_labelled(deal, rules)
    if labelled and has_single_cards(rules):
        deal = without_single_labels(rules, deal)
        labelled = _is_labelled(deal, rules)
    table = Table(rules, names, budget or ReadingBudget(), dealer=deal.dealer)
    table.events = deal.events
    if labelled:
        _label_copies(table)
    table.knowledge.partial = is_partial(deal)
    few = few_readings_budget
    if few is not None and not few.is_spent and _is_provable_by_few(table, deal):
        # Where melds grow and are restored, it is nearly always best to use up copies that have scored. By the other rules
        # these may score again once a card has left their meld.
        table.tracking.follow_few(few, likely_only=likely_only and bool(rules.traced_bits))
        table.readings[:] = [NOTHING_MARKED] * table.seats
    if deal.setup is not None:
        _set_up(table, deal.setup)
    else:
        _deal_out(table, deal)
    if deal.stock is not None:
        table.stock.order = list(deal.stock)
    if writes_draws is None:
        writes_draws = are_draws_written(deal)
    _note_omissions(table, deal, writes_draws=writes_draws)
    return table


def _label_copies(table: Table) -> None:
    """Every card that has copies is written with a label: there is one way to tell them apart, which needs no history."""
    table.readings[:] = [NOTHING_MARKED] * table.seats
    table.unseen = dict(table.rules.labelled_copies)


def _note_omissions(table: Table, deal: Deal, *, writes_draws: bool) -> None:
    """Note what the record leaves out of the deal."""
    # A partial record may leave out single draws; another one leaves out all that its stock tells, or none.
    table.knowledge.omits_draws = table.knowledge.partial or (
        deal.stock is not None and not writes_draws
    )
    if deal.knowledge == "scores":
        table.knowledge.scores_only = True
        table.leave_open(points=True, brisques=True)
    if deal.knowledge == "plays":
        _leave_out_all_but_plays(table)


def _is_provable_by_few(table: Table, deal: Deal) -> bool:
    """Whether all that readings decide at this table is what is legal.

    Where there is a dix, they decide what it scores, too; and what unknown cards leave open depends on all of them. So
    does what was melded before a position that is set up: no event shows that few readings ran out there.
    """
    if deal.setup is not None or table.knowledge.partial:
        return False
    return table.rules.written.dix is None and not table.rules.has_tableau


def _leave_out_all_but_plays(table: Table) -> None:
    """Where no meld is written, any may have made trumps; where no exchange is, a seven may be the turn-up instead."""
    table.knowledge.plays_only = True
    # Nothing tells whether all melds are written.
    table.leave_open(points=True)
    table.knowledge.trumps_open = bool(table.rules.makes_trumps) and table.trump is None
    if table.rules.written.cut is not None and Cut not in map(type, table.events):
        table.leave_open(bonus="cut")
        table.leave_open(bonus="guess")
    if table.rules.has_tableau:
        # Nobody knows whose turns there were, so neither who drew which card of the stock.
        table.stock.order = None
    for seat in range(table.seats):
        doubt_sevens(table, seat)
    turn_up = table.stock.turn_up
    if turn_up is not None and may_be_exchanged(table):
        table.stock.turn_up = "?" + turn_up[1]
        if not is_unknown(turn_up):
            table.unseen[turn_up] = table.unseen.get(turn_up, 0) + 1


def is_partial(deal: Deal) -> bool:
    """Whether the record does not show every card of the deal."""
    if deal.knowledge is not None:
        return deal.knowledge != "full"
    hands = deal.setup.hands if deal.setup is not None else deal.hands
    if hands is None or "?" in "".join(map("".join, hands)):
        return True
    if deal.setup is not None and not deal.setup.stock:
        return False
    return deal.stock is None and not are_draws_written(deal)


def are_draws_written(deal: Deal) -> bool:
    """Whether the record writes draws as events; if it does not, its stock may show what was drawn."""
    return Draw in map(type, deal.events)


def _is_labelled(deal: Deal, rules: CompiledSheet) -> bool:
    """Whether the record labels copies: it labels every card that has a copy, or none."""
    hands = deal.hands or (deal.setup.hands if deal.setup else [])
    # The first card that has a copy tells: a record that labels some and not others is refused when it is decoded.
    for cards in hands:
        for card in cards:
            if "." in card:
                return True
            if rules.copies.get(card, 0) > 1:
                return False
    return any(["." in card for card in _cards_before_play(deal)]) or _are_events_labelled(
        deal.events
    )


def _cards_before_play(deal: Deal) -> Iterator[str]:
    """Every card that a deal names before its first event."""
    setup = deal.setup or Setup(hands=[], seat=0)
    for cards in (*(deal.hands or []), *setup.hands, *(setup.captured or []), deal.stock):
        yield from cards or []
    for cards in (setup.trick, setup.tableau, setup.spent_dixes):
        yield from cards or []
    yield deal.turn_up or setup.turn_up or "??"
    for groups in setup.tables or []:
        for group in groups:
            yield from group.cards


def _are_events_labelled(events: list[AnyEvent]) -> bool:
    """Whether some event names a card with a label."""
    # This reads every event: to compare types, bound once as in plain play, takes a fraction of `isinstance` or `match`.
    a_play, a_draw, a_discard, a_trick = Play, Draw, Discard, Trick
    for event in events:
        if type(event) is a_play or type(event) is a_draw or type(event) is a_discard:
            if "." in event.card:
                return True
        elif type(event) is not a_trick and "." in "".join(_other_cards(event)):
            return True
    return False


def _other_cards(event: AnyEvent) -> list[str]:
    """The cards that are named by an event that does not move just one."""
    match event:
        case Meld(cards=cards) | Declare(cards=cards):
            return cards
        case Dix(card=str() as card):
            return [card]
        case Irregular(cards=list() as cards):
            return cards
        case _:
            return []


def _deal_out(table: Table, deal: Deal) -> None:
    sheet = table.rules.sheet
    size = sheet.rules.hand[table.seats]
    hands = deal.hands if deal.hands is not None else [["??"] * size] * table.seats
    for seat, hand in enumerate(hands[: table.seats]):
        give_cards(table, seat, hand)
    table.stock.left = table.rules.pack_size - sum(map(len, hands[: table.seats]))
    if isinstance(sheet.rules.trumps, TurnUp):
        _turn_up(table, deal.turn_up or "??")
        table.stock.left -= 1
    begin_blanche_chains(table)
    if table.rules.has_tableau:
        begin_turn(table, table.seat)


def give_cards(table: Table, seat: int, cards: list[str]) -> None:
    """Put cards in a seat's hand as dealt."""
    held, unseen = table.held[seat], table.unseen
    for card in cards:
        if card in unseen:
            held[card] = held[card] + 1 if card in held else 1
            unseen[card] -= 1
        elif "?" in card:
            table.hidden.given[seat].append(card)
            table.leave_open()
        else:
            held[card] = held.get(card, 0) + 1
            table.not_in_pack.append(card)


def _give_one(table: Table, seat: int, card: str) -> None:
    give_cards(table, seat, [card])


def _win(table: Table, seat: int, card: str) -> None:
    """Put a card among those a seat has won; face up where melds are made of them."""
    _has_been_seen(table, card)
    if is_unknown(card):
        table.leave_open(brisques=True)
    table.won[seat].append(card)
    table.brisques[seat] += table.rules.is_brisque[card]
    if table.rules.melds_captured:
        table.captured[seat][card] = table.captured[seat].get(card, 0) + 1


def _has_been_seen(table: Table, card: str) -> None:
    if is_unknown(card):
        table.leave_open()
    elif card in table.unseen:
        table.unseen[card] -= 1
    else:
        table.not_in_pack.append(card)


def _turn_up(table: Table, card: str) -> None:
    trumps = table.rules.written.trumps
    table.stock.turn_up = card
    _has_been_seen(table, card)
    if card[1] != "?":
        table.set_trump(card[1])
    if not isinstance(trumps, TurnUp) or not trumps.dealer_seven:
        return
    if card[0] == "?":
        table.leave_open(bonus="turned_seven")
    elif card[0] == "7":
        table.award(table.dealer, "turned_seven", trumps.dealer_seven)
        table.earned[table.dealer, "turned_seven"] = trumps.dealer_seven
        table.stock.turn_up_spent = True


def _set_up(table: Table, setup: Setup) -> None:
    """Place a mid-deal position; the cards melded there keep what they have scored."""
    _set_up_stock(table, setup)
    # Hands before melds: a card melded and still in hand is given only once.
    for seat, hand in enumerate(setup.hands[: table.seats]):
        give_cards(table, seat, hand)
    for seat, cards in enumerate((setup.captured or [])[: table.seats]):
        for card in cards:
            _win(table, seat, card)
    _set_up_tables(table, setup)
    for card in setup.tableau or []:
        _has_been_seen(table, card)
        if card[0] in table.tableau.piles:
            table.tableau.piles[card[0]].append(card)
    for card, count in count_cards(setup.spent_dixes or []).items():
        _mark_spent(table, card, count)
    if table.phase.draws:
        set_up_blanche_chains(table, setup)
    table.points = list(setup.scores or table.points)
    for seat, count in enumerate((setup.brisques or [])[: table.seats]):
        table.brisques[seat] = count
    _set_up_turn(table, setup)


def _set_up_tables(table: Table, setup: Setup) -> None:
    """Lay the melds, and what may lie beside those that are named."""
    partial, tables = table.knowledge.partial, setup.tables or []
    if not tables and not (partial and table.rules.melds_captured):
        return
    copies = laid_copies(table.rules, setup, table.events, partial=partial)
    for seat, laid in enumerate(copies[: table.seats]):
        lying: Counter[str] = Counter()
        for group in tables[seat] if seat < len(tables) else []:
            _place_meld(table, seat, group, laid.copies, lying)
            lying.update(group.cards)
        _lay_doubtful_copies(table, seat, laid)


def _set_up_stock(table: Table, setup: Setup) -> None:
    """The stock, the turn-up, trumps, and the phase that follows from them."""
    table.stock.left = setup.stock
    # Everybody draws a card, so where one is missing from the last round a turn-up lies there, written or not.
    turned = isinstance(table.rules.written.trumps, TurnUp) and setup.stock % table.seats
    if setup.turn_up is None and turned:
        table.stock.turn_up = "?" + (setup.trump or "?")
        table.stock.turn_up_spent = True
        if table.knowledge.partial:
            table.leave_open()
    if setup.turn_up is not None:
        table.stock.turn_up = setup.turn_up
        _has_been_seen(table, setup.turn_up)
        # A seven lies there because it was turned up or exchanged; either way it has scored.
        table.stock.turn_up_spent = setup.turn_up[0] == "7"
    trump = setup.trump or (setup.turn_up or "??")[1]
    if trump != "?":
        table.set_trump(trump)
    elif trumps_unknown(table):
        table.leave_open()
    if setup.stock == 0 and setup.turn_up is None and not table.rules.has_tableau:
        enter_phase(table, len(table.rules.phases) - 1)
        # Tricks of the endgame may have been played before, so nobody can be said to have won them all.
        table.whole_close = False


def _set_up_turn(table: Table, setup: Setup) -> None:
    """Set who acts next, and what the current or the last trick leaves to do."""
    table.seat = table.trick.leader = setup.seat
    if table.rules.has_tableau:
        begin_turn(table, setup.seat)
    elif setup.trick:
        _set_up_trick(table, setup.seat, setup.trick)
    elif setup.won:
        table.melding.seat = table.trick.winner = setup.seat
        table.melding.left = table.phase.melds
        if table.rules.melds_captured and setup.captured:
            # By the format the last two cards captured are those of the trick just won.
            new = after_capture(table.melding.readings[setup.seat], setup.captured[setup.seat][-2:])
            narrow_meld_readings(table, setup.seat, new)
        if table.phase.draws:
            table.step = TableStep.DRAW
            table.draws_due = table.seats_from(setup.seat)


def _set_up_trick(table: Table, seat: int, cards: list[str]) -> None:
    """Lay the cards of a trick in progress, of which the seats before the one to act have played one each."""
    first = (seat - len(cards)) % table.seats
    for card in cards:
        _has_been_seen(table, card)
    table.trick.leader, table.trick.led = first, cards[0]
    played = list(zip(table.seats_from(first), cards, strict=False))
    table.trick.replies = tuple(played[1 : table.seats - 1])
    table.step = TableStep.REPLY


def _place_meld(
    table: Table, seat: int, group: Laid, copies: Mapping[str, int], lying: Mapping[str, int]
) -> None:
    """Lay a meld of the setup; a card named in two groups is one that served in both, unless more `copies` lie there.

    `lying` counts the cards of the groups before.
    If cards of the meld are missing, they have been played to tricks.
    """
    name, cards, scored = group.meld, group.cards, group.scored
    held, give_one = table.melding.cards[seat], _win if table.rules.melds_captured else _give_one
    again = {
        card: max(0, min(count, lying.get(card, 0) + count - copies.get(card, 0)))
        for card, count in count_cards(cards).items()
    }
    for card, count in count_cards(cards).items():
        for _ in range(count - again[card]):
            give_one(table, seat, card)
    rules = table.rules
    whole = rules.meld_rule(table.trump, name, tuple(cards))
    meld_rule = whole or rules.any_meld_named(name)
    bit = mark_bits_of(meld_rule, rules, table.melding.scored[seat]) if meld_rule and scored else 0
    # A broken meld: its set either binds the cards left no more (forgotten), or may be restored (traced).
    broken = bit & (rules.forgotten_bits | rules.traced_bits) if whole is None else 0
    listed, allows = tuple(table.melding.readings[seat]), _names_laid_again(sum(again.values()))
    known = [card for card in cards if card in held]
    # As when it was scored, a meld takes the place of those of its class that its cards were in.
    old = superseded_bits(meld_rule, rules, table.melding.scored[seat]) if bit and meld_rule else 0
    tracking = table.tracking
    laid = after_meld(listed, known, held, allows, bit, supersedes=old, tracking=tracking)
    # None found where choices were left out proves nothing against the record.
    tracking.exhausted = tracking.exhausted or (tracking.incomplete and not laid)
    broken_sets = rules.forgotten_bits, rules.traced_bits
    narrow_meld_readings(
        table, seat, after_breaking(laid, broken, *broken_sets) if broken else laid
    )
    if meld_rule and scored:
        size = meld_rule.cards.size
        table.melding.scored[seat].append((meld_rule.kind, size))
        table.melding.scored_at[seat].append(-1)
    list_laid(table, seat, name, cards)
    table.hidden.laid += [(seat, card) for card in cards if is_unknown(card)]


def _names_laid_again(number: int) -> ReusePredicate:
    """So many cards of a group lie there already."""
    return lambda chosen, reading: sum(1 for _, mark in chosen if mark & LAID_BIT) == number


def _lay_doubtful_copies(table: Table, seat: int, laid: LaidCopies) -> None:
    """Some of the cards in two melds are two copies, and nobody knows which."""
    give_one = _win if table.rules.melds_captured else _give_one
    for _ in range(laid.more):
        give_one(table, seat, "??")
    if laid.more:
        table.hidden.laid += [(seat, card) for card in laid.in_two_melds]


def _mark_spent(table: Table, card: str, spent: int) -> None:
    """Mark so many sevens of trumps as spent in the seats that hold them, as far as it is known which they are."""
    if FACE_OF[card] != table.seven:
        return
    held = [cards.get(card, 0) for cards in table.held]
    unseen = sum(map(len, table.hidden.given))
    for seat, count in enumerate(held):
        surely = max(0, min(count, spent - (sum(held) - count) - unseen))
        for _ in range(surely):
            marked = after_marking(table.readings[seat], card, count, SPENT_BIT, lacks=SPENT_BIT)
            narrow_readings(table, seat, marked)
        if surely < min(count + unseen, spent):
            table.leave_open(points=True)
