"""A game and its positions as values: copied, compared, kept, sent to another process; and how one may be begun."""

import pickle
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from random import Random

import pytest

from bezique import (
    CardError,
    Draw,
    Game,
    IllegalMove,
    Play,
    Position,
    Setup,
    SheetError,
    UnreadableRecord,
    card,
    cards,
    check,
    replay,
    rulebook,
)
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game

ROOT = Path(__file__).parents[2]
SHEETS = [sheet.id for sheet in ALL_SHEETS]
KEYS = {"zique": "b930737d4d2a5f51881084d7", "rubicon-bezique": "a07abe1a0b2680ca620410fc"}
"""The keys of two positions as they have been since keys exist."""
LARGEST_PICKLE = 5_000


def played(sheet: str, moves: int, seed: int = 1) -> Game:
    game, random = Game(sheet, seed=seed), Random(2)
    for _ in range(moves):
        game.do(random.choice(game.legal()))
    return game


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_game_is_kept_in_few_bytes_and_is_the_same_again(sheet: str) -> None:
    game = played(sheet, 70)
    written = pickle.dumps(game)
    assert len(written) < LARGEST_PICKLE
    for again in (pickle.loads(written), deepcopy(game), game.copy()):
        assert again == game
        assert again.record == game.record
        assert (again.position, again.legal()) == (game.position, game.legal())
        for _ in range(70):
            again.undo()
        assert again == Game(sheet, seed=1)


def test_a_long_match_is_kept_in_few_bytes_and_goes_on_as_it_would_have() -> None:
    game = played("bezique", 700)
    assert game.position.deal > 2
    written = pickle.dumps(game)
    assert len(written) < LARGEST_PICKLE
    again = pickle.loads(written)
    for each in (game, again):
        random = Random(4)
        while moves := each.legal():
            each.do(random.choice(moves))
    assert again == game
    assert again.record == game.record


def test_games_differ_by_what_has_happened_and_by_the_cards_that_come() -> None:
    assert Game("zique", seed=1) == Game("zique", seed=1)
    assert Game("zique", seed=1) != Game("zique", seed=2)
    assert Game("zique", seed=1) != Game("zique", seed=1, names=["Eve", "Bob"])
    assert Game("zique") != "zique"
    game = played("zique", 20)
    twin = game.copy()
    twin.do(twin.legal()[0])
    assert twin != game
    twin.undo()
    assert twin == game


@pytest.mark.parametrize("sheet", KEYS)
def test_keys_are_those_of_other_versions_and_processes(sheet: str) -> None:
    assert played(sheet, 70).position.key == KEYS[sheet]
    code = f"from tests.package.test_game_values import played; print(played({sheet!r}, 70).position.key)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, text=True, capture_output=True, check=True,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'webui/public'}", "PYTHONHASHSEED": "7"},
    )  # fmt: skip
    assert done.stdout.strip() == KEYS[sheet]


@pytest.mark.parametrize("sheet", ["bezique", "polish-bezique", "zetema"])
def test_equal_positions_have_equal_keys_and_others_others(sheet: str) -> None:
    game, random, keys = Game(sheet, seed=5), Random(3), {}
    for _ in range(80):
        here = game.position
        assert keys.setdefault(here.key, here) == here
        assert pickle.loads(pickle.dumps(here)) == here
        assert Game(here).position.key == here.key
        game.do(random.choice(game.legal()))
    assert len(keys) == 80


def test_like_copies_names_and_the_way_there_do_not_tell() -> None:
    plain = Setup(hands=[["AS", "AS", "KH"], ["TS", "QH", "QH"]], seat=0, trump="S")
    labelled = Setup(hands=[["KH.1", "AS.2", "AS.1"], ["QH.2", "TS.2", "QH.1"]], seat=0, trump="S")
    games = [Game("zique", setup=each) for each in (plain, labelled)]
    games.append(Game("zique", setup=plain, names=["Eve", "Bob"]))
    assert len({game.position.key for game in games}) == 1
    assert len({game.view(0).key for game in games}) == 1
    assert games[0].view(0).key != games[0].view(1).key != games[0].position.key


def test_a_key_of_a_view_tells_nothing_of_what_it_hides() -> None:
    hands = [["AS", "KH"], ["TS", "QH"]]
    games = [
        Game("zique", setup=Setup(hands=[hands[0], other], seat=0, trump="S"))
        for other in (hands[1], ["9D", "8C"])
    ]
    assert games[0].view(0).key == games[1].view(0).key
    assert games[0].position.key != games[1].position.key


@pytest.mark.parametrize("sheet", SHEETS)
def test_no_move_names_a_card_that_lies_face_down(sheet: str) -> None:
    game, random = Game(sheet, seed=6), Random(4)
    drawn = 0
    for _ in range(100):
        for move in game.legal():
            if isinstance(move, Draw):
                stock = game._table.stock
                assert move.card == ("??" if stock.left else stock.turn_up)
                drawn += 1
        before = len(game._table.events)
        game.do(random.choice(game.legal()))
        assert all(getattr(e, "card", "") != "??" for e in game._table.events[before:])
    assert drawn > 10


@pytest.mark.parametrize("sheet", ["bezique", "six-pack-bezique", "polish-bezique", "zetema"])
def test_a_view_lists_the_moves_of_its_seat(sheet: str) -> None:
    game, random = Game(sheet, seed=6), Random(5)
    for _ in range(90):
        every = game.position.legal()
        assert every == game.legal()
        by_seat = [game.view(seat).legal() for seat in (0, 1)]
        assert [
            move for seat in (0, 1) for move in every if getattr(move, "seat", None) == seat
        ] == [move for moves in by_seat for move in moves]
        game.do(random.choice(every))


def test_positions_of_a_replay_list_moves_too() -> None:
    record = play_game("zique", seed=2, deals=1)
    step = list(replay(record))[40]
    assert step.position.legal() == Game(record, deal=0, step=40).legal()


def test_a_game_goes_through_the_notation_and_keeps_its_occasion() -> None:
    game = Game("zique", seed=1, meta={"event": "Club evening"})
    random = Random(1)
    while len(game.record.deals) == 1:
        game.do(random.choice(game.legal()))
    text = game.to_notation()
    again = Game.from_notation(text)
    assert again.meta == {"event": "Club evening"}
    assert again.record.deals[0] == game.record.deals[0]
    again.meta = {"event": "Final"}
    assert again.record.meta == {"event": "Final"}
    assert pickle.loads(pickle.dumps(again)).meta == {"event": "Final"}
    assert (
        Game.from_record(game.record, deal=0, step=10).position
        == Game(game.record, deal=0, step=10).position
    )
    with pytest.raises(UnreadableRecord):
        Game.from_notation("[bezique 1.0]")


HOUSE = {
    "id": "ours", "name": "Our Bezique", "base": "bezique",
    "changes": [{"path": "/rules/melds/0/points", "value": 30}],
}  # fmt: skip


@pytest.mark.parametrize("way", ["values", "toml"])
def test_a_rulebook_of_ones_own_is_played_and_carried(way: str, tmp_path: Path) -> None:
    if way == "toml":
        path = tmp_path / "ours.toml"
        path.write_text(
            'id = "ours"\nname = "Our Bezique"\nbase = "bezique"\n'
            '[[changes]]\npath = "/rules/melds/0/points"\nvalue = 30\n'
        )
        game = Game(path, seed=1)
    else:
        game = Game(rulebook(HOUSE), seed=1)
    random = Random(1)
    for _ in range(60):
        game.do(random.choice(game.legal()))
    assert game.record.rules.sheet
    assert check(game.record).verdict in ("legal", "incomplete")
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert again.position.key == game.position.key


def test_a_rulebook_that_cannot_be_played_by_says_where() -> None:
    with pytest.raises(SheetError, match="1:") as caught:
        rulebook({**HOUSE, "changes": [{"path": "/rules/melds/99/points", "value": 30}]})
    assert pickle.loads(pickle.dumps(caught.value)) == caught.value


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("There is no seat 99: the seats are 0 to 1", lambda game: game.view(99)),
        ("There is no seat True", lambda game: game.view(True)),
        ("'hand' or|\"hand\" or", lambda game: game.play("KS", source="sleeve")),
        ("`seed` is a whole number", lambda _: Game("zique", seed="one")),
        ("places in a record", lambda _: Game("zique", deal=0)),
        ("`names` is for a new game", lambda game: Game(game.record, names=["Ann", "Bob"])),
        ("`names` is a list", lambda _: Game("zique", names="AB")),
    ],
)
def test_wrong_arguments_are_told_in_a_sentence(words: str, wrong) -> None:
    with pytest.raises((ValueError, IllegalMove), match=words):
        wrong(Game("zique"))


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("10♥", "TH"),
        ("th", "TH"),
        (" Q♠ ", "QS"),
        ("A♦\ufe0f", "AD"),
        ("qs.2", "QS.2"),
        ("??", "??"),
    ],
)
def test_a_card_is_read_as_people_write_it(text: str, read: str) -> None:
    assert card(text) == read
    assert cards(f"{text}, AS\n7d") == [read, "AS", "7D"]


@pytest.mark.parametrize("text", ["", "1H", "HT", "QS.9", "queen of spades", 7, None])
def test_what_is_no_card_is_refused(text: object) -> None:
    with pytest.raises(CardError, match="card"):
        card(text)


def test_cards_are_read_in_moves_too() -> None:
    game = Game("zique", seed=1)
    first = game.view(1 - game.record.deals[0].dealer).legal()[0]
    assert isinstance(first, Play)
    game.play(first.card.lower())
    assert game.position.trick == [(first.seat, first.card)]
    assert isinstance(game.position, Position)
