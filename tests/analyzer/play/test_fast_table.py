"""The fast table agrees with the engine: whole games event by event, what may be done at every table, and perft."""

import json
from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from analyzer.play.fast_deal import FastDeal
from analyzer.play.fast_rules import each_bit
from analyzer.play.greedy import make_choice, next_choice, play_out
from analyzer.play.setting_up import ImpossiblePack, deal_cards, fast_deal_at
from records.cards import FACE_OF
from records.conformance.answers import Perft, draws_made
from records.engine.table import Table
from records.events import Dix, Meld, Play
from records.format.codec import decode
from records.record import Deal
from records.rules.compiled import compile_sheet
from records.rules.registry import ALL_SHEETS, get_sheet
from records.rules.vocabulary import BrisqueCount, RuleSheet, TurnUp
from records.selfplay import play_game, shuffle_deal
from tests.analyzer.play.pairs import Pair
from tests.playouts.games import OPTIONED, STANDARD, Way
from tests.referee.perft import SAMPLES

WAYS = [way for way in [*STANDARD, *OPTIONED] if way.sheet.rules.tableau is None]
SHEETS = [sheet.id for sheet in ALL_SHEETS if sheet.rules.tableau is None]
TAKEN_OVER = 0.05
"""At this share of the events the fast table is made anew from the engine's."""
MOST_GAMES, FEW_MELDS = 40, 5
"""Games are played until more melds than a few have been compared."""
MOST_PATHS = 300
"""Perft counts no deeper than this many ways to go on."""


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_random_games_are_the_same_event_by_event(way: Way):
    melds = 0
    for seed in range(MOST_GAMES):
        melds += compare(Pair(way, seed))
        if melds > FEW_MELDS:
            return
    pytest.fail(f"only {melds} melds were compared")


@pytest.mark.parametrize(
    "way", [way for way in STANDARD if isinstance(way.sheet.rules.trumps, TurnUp)], ids=str
)
def test_a_seven_turned_up_is_the_same(way: Way):
    """It has scored for the dealer, where it scores at all, and not again for who draws it."""
    for seed in range(MOST_GAMES * 10):
        pair = Pair(way, seed)
        if pair.table.stock.turn_up[0] == "7":
            compare(pair, taken_over=0)
            return
    pytest.fail("no seven was turned up")


@pytest.mark.parametrize("way", [way for way in STANDARD if way.sheet.rules.carte_blanche], ids=str)
def test_carte_blanche_is_the_same(way: Way):
    assert way.sheet.rules.carte_blanche is not None
    for seed in range(4):
        compare(Pair(way, seed, courts=way.sheet.rules.carte_blanche.courts))


def compare(pair: Pair, taken_over: float = TAKEN_OVER) -> int:
    """Play a deal at both tables; returns how many melds were compared."""
    pair.assert_same()
    while not pair.fast.over:
        if pair.random.random() < taken_over:
            pair.take_over()
        pair.step()
        pair.assert_same()
    return pair.melds


def dealt(sheet: RuleSheet, random: Random) -> FastDeal:
    """A deal of a shuffled pack."""
    rules, dealer = compile_sheet(sheet), random.randrange(2)
    return deal_cards(sheet, shuffle_deal(rules, dealer, random, seats=2, labels=True))


@pytest.mark.parametrize("name", SHEETS)
def test_the_loop_of_greedy_play_makes_the_same_choices_as_its_steps(name: str):
    sheet, random = get_sheet(name), Random(name)
    for _ in range(20):
        deal = dealt(sheet, random)
        stepped = deal.copy()
        while not stepped.over or stepped.window is not None:
            make_choice(stepped, next_choice(stepped))
        lead = play_out(deal)
        assert deal.points == stepped.points
        assert lead == deal.points[0] - deal.points[1]


@pytest.mark.parametrize("name", SHEETS)
def test_play_that_is_to_end_early_ends_after_so_many_tricks(name: str):
    sheet, random = get_sheet(name), Random(name)
    brisques = sheet.rules.brisques
    for _ in range(10):
        deal, tricks = dealt(sheet, random), random.randrange(1, 8)
        stepped = deal.copy()
        while stepped.tricks < tricks or stepped.window is not None or stepped.due:
            make_choice(stepped, next_choice(stepped))
        lead = play_out(deal, tricks)
        assert (deal.points, deal.hands, deal.stock) == (
            stepped.points,
            stepped.hands,
            stepped.stock,
        )
        at_the_end = brisques.points * (brisques.count is BrisqueCount.AT_THE_END)
        totals = [
            points + at_the_end * taken
            for points, taken in zip(stepped.points, stepped.brisques, strict=True)
        ]
        assert lead == totals[0] - totals[1]


@pytest.mark.parametrize("name", SHEETS)
def test_perft_counts_what_the_samples_count_with_their_points(name: str):
    """Cards are told apart by their faces: a way to go on is one if some copies allow it."""
    for position in json.loads((SAMPLES / f"{name}.json").read_bytes())["positions"]:
        record = decode(msgspec.json.encode(position["record"])).record
        assert record is not None
        engine = Perft(record)
        table = engine.table([])
        first = fast_deal_at(table, table.stock.order or ())
        paths: dict[tuple[object, ...], list[FastDeal]] = {(): [first]}
        for nodes in position["nodes"]:
            if nodes > MOST_PATHS:
                break
            paths = longer(paths)
            assert len(paths) == nodes
        for path, deals in Random(name).sample(sorted(paths.items(), key=str), min(20, len(paths))):
            assert points_after(engine, table, path) in [deal.points for deal in deals]


def longer(
    paths: dict[tuple[object, ...], list[FastDeal]],
) -> dict[tuple[object, ...], list[FastDeal]]:
    """Every way to go on by one choice, by faces, with the tables that it leads to."""
    found: dict[tuple[object, ...], list[FastDeal]] = {}
    for path, deals in paths.items():
        for deal in deals:
            for choice, after in choices(deal):
                found.setdefault((*path, choice), []).append(after)
    return found


def likeness(deal: FastDeal, seat: int, card: int) -> str:
    """The face of a card and what it has scored: copies with the same likeness can do the same."""
    scored = deal.scored[seat]
    masks = [*scored.kinds, scored.ever, scored.new, scored.used, deal.spent]
    masks += [mask for each in scored.sets for mask in (each.cards, each.moved)]
    return FACE_OF[deal.view.cards.names_of(card)[0]] + "".join(
        "01"[mask & card > 0] for mask in masks
    )


def choices(deal: FastDeal) -> Iterator[tuple[object, FastDeal]]:
    """Every choice at a table up to like copies, and the table after it; the draws come before the next card."""
    names = deal.view.cards.names_of
    seen: set[object] = set()

    def is_new(what: str, seat: int, cards: int) -> bool:
        key = what, *sorted(likeness(deal, seat, card) for card in each_bit(cards))
        known = key in seen
        seen.add(key)
        return not known

    if deal.window is not None:
        for meld, cards in deal.lawful_melds():
            if not is_new(meld.rule.name, deal.window, cards):
                continue
            after = deal.copy()
            after.meld(meld, cards)
            yield ("meld", meld.rule.name, *sorted(FACE_OF[card] for card in names(cards))), after
        for action, seven in deal.lawful_dixes():
            after = deal.copy()
            after.dix(action, seven)
            yield ("dix", action), after
    if deal.over:
        return
    drawn = deal.copy()
    while drawn.due:
        drawn.draw()
    for card in each_bit(drawn.lawful_cards()):
        if not is_new("play", drawn.seat, card):
            continue
        after = drawn.copy()
        after.play(card)
        yield ("play", FACE_OF[names(card)[0]]), after


def points_after(engine: Perft, table: Table, path: tuple[object, ...]) -> list[int]:
    """The points after these choices at the engine's table."""
    events: list[object] = []
    for what, *rest in path:  # type: ignore[misc]
        now = engine.table(events)
        seat = now.seat if now.melding.seat is None else now.melding.seat
        if what == "play":
            events += draws_made(now) if now.draws_due else []
            events.append(Play(seat=engine.table(events).seat, card=rest[0]))
        elif what == "dix":
            events.append(Dix(seat=seat, action=rest[0]))
        else:
            events.append(Meld(seat=seat, meld=rest[0], cards=rest[1:]))
    return engine.table(events).points


def test_a_table_with_too_many_of_a_card_is_refused():
    record = play_game("bezique", seed=1, deals=1)
    table = Perft(record).table([])
    with pytest.raises(ImpossiblePack):
        fast_deal_at(table, ["7S", "7S", "7S"])
    with pytest.raises(ImpossiblePack):
        fast_deal_at(table, ["2S"])


def test_a_game_without_tricks_is_refused():
    with pytest.raises(ValueError, match="has no tricks"):
        deal_cards(get_sheet("zetema"), Deal(dealer=0))
