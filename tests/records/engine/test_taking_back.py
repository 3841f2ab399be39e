"""What a table is made to remember is all that lawful play changes: taken back, it is the same table."""

import re
from pathlib import Path
from random import Random

import pytest

from bezique import EndDeal, Game, IllegalMove, Play
from records.rules.registry import ALL_SHEETS
from records.validate.dispatch import checking_stepper
from tests.make.tables import everything

ADDRESS = re.compile(r" at 0x[0-9a-f]+")
RULEBOOKS = Path(__file__).parents[3] / "samples" / "rulebooks"
MOVES = 130
"""So many, and at least the half of them, are made in a deal: Rubicon games have one of ninety moves or more."""


def make_some_move(game: Game, random: Random) -> None:
    """Any legal move; in a match that is over, the last one again."""
    if game.over:
        game.undo()
    game.do(random.choice(game.legal()))


@pytest.mark.long
@pytest.mark.sampled(3)
@pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL_SHEETS])
def test_a_move_that_is_taken_back_leaves_nothing_behind(sheet: str) -> None:
    take_moves_back(Game(sheet, seed=7), Random(sheet))


@pytest.mark.long
@pytest.mark.parametrize(
    ("rulebook", "sides"), [("three-hands", None), ("four-partners", [[0, 2], [1, 3]])]
)
def test_nor_with_more_than_two_players(rulebook: str, sides: list[list[int]] | None) -> None:
    names = ["Ann", "Ben", "Cora", "Dan"][: 4 if sides else 3]
    game = Game(RULEBOOKS / f"bezique-{rulebook}.toml", seed=7, names=names, sides=sides)
    take_moves_back(game, Random(rulebook))


def take_moves_back(game: Game, random: Random) -> None:
    for _ in range(MOVES):
        moves = game.legal()
        before = everything(game._table)
        for move in random.sample(moves, min(2, len(moves))):
            game.do(move)
            game.undo()
            assert everything(game._table) == before, move
        make_some_move(game, random)


@pytest.mark.long
@pytest.mark.sampled(3)
@pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL_SHEETS])
def test_moves_are_taken_back_one_after_the_other(sheet: str) -> None:
    game, random, seen = Game(sheet, seed=8), Random(sheet), []
    for _ in range(MOVES):
        seen.append(everything(game._table))
        make_some_move(game, random)
        if random.random() < 0.3:
            for _ in range(random.randrange(1, 6)):
                if len(seen) > 1:
                    game.undo()
                    assert everything(game._table) == seen.pop()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL_SHEETS])
def test_a_game_with_moves_taken_back_is_at_the_table_of_its_events(sheet: str) -> None:
    game, random = Game(sheet, seed=11), Random(sheet)
    for number in range(MOVES):
        make_some_move(game, random)
        for move in random.sample(moves := game.legal(), min(2, len(moves))):
            game.do(move)
            game.undo()
        if number % 10 == 0:
            stepper = checking_stepper(game._table_as_dealt())
            stepper.table.events = game._deals[-1].events
            for event in stepper.table.events:
                assert not stepper.advance(event)
            assert ADDRESS.sub("", everything(stepper.table)) == ADDRESS.sub(
                "", everything(game._table)
            )


@pytest.mark.long
@pytest.mark.parametrize("sheet", ["bezique", "polish-bezique", "zique", "zetema"])
def test_a_move_that_is_refused_leaves_nothing_behind(sheet: str) -> None:
    game, random, refused = Game(sheet, seed=9), Random(sheet), 0
    for _ in range(MOVES):
        before = everything(game._table)
        cards = [card for hand in game.position.hands for card in hand]
        for move in (
            EndDeal(),
            *(Play(seat=s, card=random.choice([*cards, "7S"])) for s in (0, 1)),
        ):
            try:
                game.do(move)
            except IllegalMove:
                refused += 1
            else:
                game.undo()
            assert everything(game._table) == before
        make_some_move(game, random)
    assert refused > MOVES


@pytest.mark.long
@pytest.mark.parametrize("sheet", ["bezique", "six-pack-bezique", "zetema"])
def test_a_copied_game_goes_on_and_back_alone(sheet: str) -> None:
    game, random, end = Game(sheet, seed=10), Random(sheet), 80
    play_on(game, random, end)
    here, table = game.record, everything(game._table)
    twin = game.copy()
    assert twin == game
    play_back(twin, end)
    assert (game.record, everything(game._table)) == (here, table)
    play_on(twin, random, 2 * end)
    assert twin != game
    seen = everything(twin._table)
    play_back(game, end)
    assert everything(twin._table) == seen
    play_back(twin, 2 * end)
    assert twin == game
    assert everything(twin._table) == everything(game._table)


def play_on(game: Game, random: Random, number: int) -> None:
    for _ in range(number):
        game.do(random.choice(game.legal()))


def play_back(game: Game, number: int) -> None:
    for _ in range(number):
        game.undo()
