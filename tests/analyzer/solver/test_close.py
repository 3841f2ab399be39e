"""The solver for the whole close, with melds and the bonus for all tricks, agrees with minimax by the referee."""

import os
from collections.abc import Iterator
from itertools import islice

import pytest

from analyzer.solver.close import certain_dix_points, close_solver_for, showing_dix_scores
from analyzer.solver.moves import best_line, make_move, value_moves
from records.cards import FACE_OF
from records.engine.choices import legal_melds
from records.engine.table import Table, TableStep, is_closed
from records.events import AnyEvent, Meld, Play
from records.record import Record
from records.replay import replay
from records.rules.registry import resolve_sheet
from records.selfplay import play_game
from tests.analyzer.solver.endings import Ending, endings, every_way
from tests.make import tables
from tests.playouts.referee import TooManyWorldsError, judge
from tests.referee.minimax import Minimax, Worlds, close_worlds, dixes_to_come, unshown

NUMBER = int(os.environ.get("BEZIQUE_ENDINGS", "4"))
"""Endings of every way: `BEZIQUE_ENDINGS=500` for the proof."""
MANY = 100
"""From so many on the ways are not those of the list but every one that the sheets have."""
FROM_GAMES = 20
"""At most so many endings of every size are taken from games: melds behind them make them slow to judge."""
MOST_WORLDS = 24
"""The referee is spared games that may be read in more ways, and follows several only in the shortest endings."""
TWO_PACKS = 2

pytestmark = pytest.mark.timeout(900 if NUMBER < MANY else 0)

WAYS = [
    ("bezique", {}),
    ("bezique", {"dix_in_last_tricks": False}),
    ("bezique", {"dix_once_per_card": False}),
    ("bezique", {"meld_after_close": True}),
    ("bezique", {"meld_after_close": True, "follow": "any"}),
    ("bezique", {"meld_after_close": True, "singles_then_double": True}),
    ("bezique", {"meld_after_close": True, "sequence_then_marriage": True}),
    ("bezique-enhanced", {}),
    ("bezique-enhanced", {"double_then_single": False, "follow": "suit"}),
    ("bezique-enhanced", {"sequence_then_marriage": False}),
    ("bezique-enhanced", {"dix_once_per_card": False}),
    ("polish-bezique", {}),
    ("polish-bezique", {"polish_once_ever": True}),
    ("polish-bezique", {"sequence_then_marriage": False}),
    ("polish-bezique", {"dix_once_per_card": False}),
    ("zique", {}),
    ("zique", {"dix": True}),
    ("zique", {"bezique_cards": "by_trump"}),
    ("marjolet", {}),
    ("marjolet", {"meld_after_close": True}),
    ("marjolet-oxford", {}),
    ("marjolet-oxford", {"follow": "any"}),
    ("rubicon-bezique", {}),
    ("rubicon-bezique", {"card_leaves_by": "played"}),
    ("rubicon-bezique-recommended", {}),
    ("rubicon-bezique-club", {"meld_after_close": True}),
    ("rubicon-bezique-club", {"meld_after_close": True, "card_leaves_by": "played_or_melded"}),
    ("chinese-bezique", {}),
    ("chinese-bezique", {"card_leaves_by": "played"}),
    ("six-pack-bezique", {"meld_after_close": True}),
]
PROVEN = WAYS if NUMBER < MANY else list(every_way())


def from_games(sheet: str, options: dict, *sizes: int) -> Iterator[Ending]:
    """Positions with so many cards a side and melds behind them, somebody to lead; two styles of play."""
    seed = 0
    while True:
        style = "greedy" if seed % 2 else "random"
        record = play_game(sheet, seed=seed, style=style, deals=1, options=options)
        for table, worlds, event in followed(record):
            counts = [sum(held.values()) for held in table.held]
            to_lead = table.step is TableStep.LEAD and isinstance(event, Play)
            fits = counts in [[size, size] for size in sizes]
            few = len(worlds) == 1 or counts[0] == min(sizes)
            if to_lead and not table.phase.draws and fits and few:
                yield Ending(table, worlds)
        seed += 1


def followed(record: Record) -> Iterator[tuple[Table, Worlds, AnyEvent]]:
    """After every event of a deal the table, the worlds of the referee, and the event; nothing if they are too many."""
    try:
        judgement = judge(record, most_worlds=MOST_WORLDS)
    except TooManyWorldsError:
        return
    assert judgement.right, judgement.why
    (trail,) = judgement.trails
    for frame in replay(record):
        if frame.event is not None:
            yield frame.table.copy(), trail.worlds[frame.index + 1], frame.event


def ways_of(sheet: str, options: dict) -> Iterator[Ending]:
    yield from islice(endings(sheet, options, seed=5), NUMBER)
    packs = resolve_sheet(sheet, None, options).sheet.rules.pack.packs
    # The referee takes long over the deals of many packs.
    some = min(NUMBER // (3 if packs <= TWO_PACKS else 6), FROM_GAMES)
    yield from islice(from_games(sheet, options, 2, 3), 2 * some)


def key(event: AnyEvent) -> tuple:
    """What is done, labels apart."""
    if isinstance(event, Play):
        return ("play", event.card)
    return ("meld", event.meld) if isinstance(event, Meld) else ("dix",)


@pytest.mark.sampled(10)
@pytest.mark.long
@pytest.mark.parametrize(("sheet", "options"), PROVEN, ids=str)
def test_every_way_is_worth_what_trying_everything_says(sheet: str, options: dict) -> None:
    rules = resolve_sheet(sheet, None, options).sheet
    for table, worlds in ways_of(sheet, options):
        judge, solver = Minimax(rules), close_solver_for(table.rules)
        position = solver.position_at(table)
        seat, dix = position.trick_position.seat, dixes_to_come(rules, worlds)
        sign = 1 - 2 * seat
        assert certain_dix_points(table) == dix
        assert solver.value(position) == judge.value(worlds) - dix
        wanted: dict[tuple, int] = {}
        for event, value in judge.ways(worlds):
            if key(event)[0] != "dix" or showing_dix_scores(table.rules.sheet):
                best = sign * (value - dix) + unshown(rules, worlds, event)
                wanted[key(event)] = max(best, wanted.get(key(event), best))
        found: dict[tuple, int] = {}
        for way in value_moves(solver, position):
            name = ("play", way.ply.card) if way.ply.card else ("meld", way.ply.meld)
            name = ("dix",) if way.ply.shows else name
            found[name] = max(way.value, found.get(name, way.value))
        assert found == wanted


@pytest.mark.parametrize(("sheet", "options"), WAYS[::3], ids=str)
def test_the_best_line_comes_to_the_value(sheet: str, options: dict) -> None:
    for table, _ in islice(endings(sheet, options, seed=6), 4):
        solver = close_solver_for(table.rules)
        position = solver.position_at(table)
        scored, at = 0, position
        for ply in best_line(solver, position):
            way = next(way for way in value_moves(solver, at) if way.ply == ply)
            points, at = make_move(solver, at, way)
            scored += points
        assert scored == solver.value(position)
        assert not any(map(any, at.trick_position.hands))


def test_the_positions_of_a_game_are_solved_as_they_stand() -> None:
    """Also where a card was led, and after the last trick."""
    rules = resolve_sheet("polish-bezique").sheet
    seen = set()
    for seed in range(3):
        for table, worlds, event in followed(
            play_game("polish-bezique", seed=seed, style="random", deals=1)
        ):
            few = not table.phase.draws and sum(table.held[0].values()) <= 2
            if few and (isinstance(event, Play) or table.step is TableStep.OVER):
                seen.add(table.step)
                solver = close_solver_for(table.rules)
                position = solver.position_at(table)
                value = Minimax(rules).value(worlds) - dixes_to_come(rules, worlds)
                assert solver.value(position) == value
                best = max(way.value for way in value_moves(solver, position))
                assert best == value * (1 - 2 * position.trick_position.seat)
    assert len(seen) == 3


def test_like_cards_with_labels_are_told_apart() -> None:
    rules = resolve_sheet("rubicon-bezique").sheet
    for seed in range(3):
        for table, worlds, _ in followed(play_game("rubicon-bezique", seed=seed, labels=True)):
            counts = [sum(held.values()) for held in table.held]
            if not table.phase.draws and table.step is TableStep.LEAD and counts == [3, 3]:
                solver = close_solver_for(table.rules)
                assert solver.value(solver.position_at(table)) == Minimax(rules).value(worlds)
                assert {way.ply.card for way in value_moves(solver, solver.position_at(table))} <= {
                    *table.held[table.seat], *map(FACE_OF.get, table.held[table.seat]), None,
                }  # fmt: skip
                break


LABELLED = "N: AS.1 KS.1 7S.1 7S.2 9H.1 | S: QS.1 8S.1 9H.2 TD.1 AC.1"


ENHANCED, ONCE_MELDS_ARE_OVER = "bezique-enhanced", "bezique"


@pytest.mark.parametrize(
    ("sheet", "hands", "played"),
    [
        (ONCE_MELDS_ARE_OVER, "N: AS 7S 9H | S: 8H 8C 9C", ""),
        (ONCE_MELDS_ARE_OVER, "N: AS KS 7S 9H | S: QS 8S TD AC", "N AS, S 8S"),
        (ENHANCED, LABELLED, ""),
        (ENHANCED, LABELLED, "N AS.1, S 8S.1"),
        (ENHANCED, LABELLED, "N AS.1, S 8S.1, N dix show 7S.1 10"),
        (ENHANCED, "N: AS KS 7S 7S 9H | S: QS 8S 9H TD AC", "N AS, S 8S, N dix show 10"),
        (ENHANCED, "N: TH 7S 8H 9D | S: AH 7S AD QD", "N TH, S AH, S dix show 10"),
    ],
)
def test_a_seven_shown_is_not_one_that_was_not(sheet: str, hands: str, played: str) -> None:
    """And none is shown once melds are over."""
    told = tables.table(
        f"{hands} | trump S | N leads", played, sheet=sheet, dix_once_per_card=False
    )
    *_, frame = replay(told.record)
    table, solver, judge, worlds = frame.table, close_solver_for(frame.table.rules), *judged(told)
    sign, dix = 1 - 2 * table.seat, dixes_to_come(judge.sheet, worlds)
    found = {way.ply.card: way.value for way in value_moves(solver, solver.position_at(table))}
    shown = set()
    for event, value in judge.ways(worlds):
        if isinstance(event, Play):
            own = found.get(event.card, found.get(FACE_OF[event.card]))
        else:
            own = found.get(None)
            shown.add(None)
        assert own == sign * (value - dix)
    assert (None in found) == (None in shown)


def judged(told: tables.Told) -> tuple[Minimax, Worlds]:
    """Minimax by the rules of a deal told from a position, and the worlds at its end."""
    rules, (deal,) = told.record.rules, told.record.deals
    judge = Minimax(resolve_sheet(rules.id, None, rules.options).sheet)
    return judge, close_worlds(judge.sheet, deal, judge)


def test_both_cards_of_a_trick_may_serve_in_melds_of_one_kind() -> None:
    """Polish: two kings of clubs just won marry two queens won before, one each (A-25, A-26)."""
    told = tables.table(
        "N: JS JS KC | S: KC QH QS | N captured 7C | S captured QC QC 9C | trump S | S leads",
        sheet="polish-bezique",
    )
    (frame, *_) = replay(told.record)
    solver, judge, worlds = close_solver_for(frame.table.rules), *judged(told)
    values = {
        way.ply.card: way.value for way in value_moves(solver, solver.position_at(frame.table))
    }
    wanted = {event.card: -value for event, value in judge.ways(worlds)}
    assert values == wanted
    assert max(values, key=lambda card: values[card]) == "KC"


@pytest.mark.parametrize("sheet", ["marjolet", "bezique-enhanced", "zique"])
def test_a_goal_between_two_values_is_reached_like_the_next_value(sheet: str) -> None:
    asked = 0
    for seed in range(4):
        for frame in replay(play_game(sheet, seed=seed, deals=2)):
            if not is_closed(frame.table):
                continue
            known, solver = close_solver_for(frame.table.rules), close_solver_for(frame.table.rules)
            value = known.value(known.position_at(frame.table))
            position = solver.position_at(frame.table)
            if position.only_tricks_left:
                continue
            for goal in (value + 1, value - 3, value - solver.unit + 1, value + solver.unit - 1):
                assert solver.reaches(position, goal) == (goal <= value)
            assert solver.value(position) == value
            asked += 1
    assert asked > 3


@pytest.mark.long
@pytest.mark.parametrize("options", [{}, {"polish_once_ever": True}], ids=str)
def test_what_may_be_melded_is_what_the_engine_lists(options: dict) -> None:
    """Also after the first of two melds, where it may be open which card of the trick served in it."""
    second = 0
    for seed in (48, 159, 322, 337, 356, 426):
        for frame in replay(
            play_game("polish-bezique", seed=seed, options=options, style="random")
        ):
            table = frame.table
            if (
                table.phase.draws
                or table.melding.seat is None
                or not isinstance(frame.event, Play | Meld)
            ):
                continue
            solver = close_solver_for(table.rules)
            listed = {row.name for row, _ in legal_melds(table)}
            assert {
                option.meld.name for option in solver.possible_melds(solver.position_at(table))
            } == listed
            second += isinstance(frame.event, Meld) and bool(listed)
    assert second
