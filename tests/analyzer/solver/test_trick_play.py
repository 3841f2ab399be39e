"""The solver for tricks after the close agrees with minimax by the referee."""

from itertools import islice

import pytest

from analyzer.solver.tricks import TrickPlaySolver, TrickPosition
from records.engine.deal import lay_out_deal
from records.engine.table import Table
from records.events import Play
from records.rules.compiled import compile_sheet
from records.rules.registry import resolve_sheet
from tests.analyzer.solver.endings import endings
from tests.make.tables import deal_of
from tests.referee.minimax import Minimax, Worlds, close_worlds, dixes_to_come

WAYS = [
    ("bezique", {}),
    ("bezique", {"follow": "suit"}),
    ("bezique", {"follow": "any"}),
    ("bezique", {"last_trick": "before_close"}),
    ("marjolet", {}),
    ("zique", {"meld_after_close": False}),
    ("rubicon-bezique-club", {}),
    ("rubicon-bezique-club", {"follow": "suit"}),
    ("six-pack-bezique", {}),
    ("six-pack-bezique", {"follow": "any"}),
]


def solved(table: Table) -> tuple[TrickPlaySolver, TrickPosition]:
    solver = TrickPlaySolver(table.rules, table.trump)
    hands = solver.code_hand(table.held[0]), solver.code_hand(table.held[1])
    return solver, TrickPosition(hands, table.seat)


@pytest.mark.parametrize(("sheet", "options"), WAYS, ids=str)
def test_every_value_is_the_minimax_of_the_lawful_moves(sheet: str, options: dict) -> None:
    rules = resolve_sheet(sheet, None, options).sheet
    for table, worlds in islice(endings(sheet, options, seed=1), 10):
        judge, (solver, close) = Minimax(rules), solved(table)
        sign, dix = 1 - 2 * close.seat, dixes_to_come(rules, worlds)
        assert sign * solver.value(close) == judge.value(worlds) - dix
        wanted = plays(judge, worlds)
        assert {card: sign * value for card, value in solver.card_values(close).items()} == {
            card: value - dix for card, value in wanted.items()
        }
        for card in wanted:
            after = judge.after(worlds, [Play(seat=close.seat, card=card)])
            left = dixes_to_come(rules, after)
            _, led = solver.after_card(close, card)
            assert {reply: -sign * value for reply, value in solver.card_values(led).items()} == {
                reply: value - left for reply, value in plays(judge, after).items()
            }


@pytest.mark.parametrize(
    "position",
    [
        "N: TS AS AC AS | S: TD TH TS TC | trump D | N leads",
        "N: AC TH TC AH AS AH | S: AD TD TD AD TC TS | trump S | S leads",
        "N: AS AH TH TD TD | S: TC TS AD AD TS | trump D | S leads",
    ],
)
def test_who_has_nothing_else_throws_aces_and_tens(position: str) -> None:
    rules, deal = resolve_sheet("bezique", None, {"follow": "any"}).sheet, deal_of(position)
    table = lay_out_deal(compile_sheet(rules), deal, ["North", "South"])
    solver, close = solved(table)
    sign = 1 - 2 * close.seat
    assert {card: sign * value for card, value in solver.card_values(close).items()} == plays(
        Minimax(rules), close_worlds(rules, deal)
    )


def plays(judge: Minimax, worlds: Worlds) -> dict[str, int]:
    """The value of every card that may be played."""
    return {event.card: value for event, value in judge.ways(worlds) if isinstance(event, Play)}


def test_a_position_asked_twice_is_answered_alike() -> None:
    for table, _ in islice(endings("bezique", {}, seed=2), 20):
        solver, close = solved(table)
        first = solver.card_values(close)
        assert (
            solver.card_values(close, guess=30)
            == first
            == solved(table)[0].card_values(close, guess=-10)
        )


def test_the_cards_of_both_seats_are_worth_what_they_bring() -> None:
    """All brisques and the last trick, if all tricks are surely won."""
    solver = TrickPlaySolver(compile_sheet(resolve_sheet("bezique").sheet), "S")
    hands = (
        solver.code_hand({"AS": 1, "TS": 1, "AH": 1}),
        solver.code_hand({"7S": 1, "TH": 1, "9D": 1}),
    )
    assert solver.value(TrickPosition(hands, seat=0)) == 50
    assert solver.card_values(TrickPosition(hands, seat=0)) == {"AS": 50, "TS": 50, "AH": 50}


def test_of_like_cards_the_first_wins() -> None:
    """C3: an ace led is not beaten by an ace."""
    solver = TrickPlaySolver(compile_sheet(resolve_sheet("bezique").sheet), "S")
    hands = solver.code_hand({"AS": 1}), solver.code_hand({"AS": 1})
    assert (
        solver.value(TrickPosition(hands, seat=0))
        == solver.value(TrickPosition(hands, seat=1))
        == 30
    )
