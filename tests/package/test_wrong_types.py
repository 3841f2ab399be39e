"""What a program hands over is refused in a sentence that names it, whatever its type: in every function, for every argument."""

import inspect
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import bezique
from analyzer.ingest.loader import ingest
from analyzer.store.store import Store
from bezique import Collection, Game, Position
from records.errors import BeziqueError
from records.format.files import read_entries

WRONG = (
    5,
    -1,
    1.5,
    True,
    None,
    "zzz",
    b"x",
    [],
    ["a"],
    [1],
    {1: 2},
    {"a": 1},
    object(),
    int,
    str.upper,
)
"""Values of which each argument takes some, and refuses the others."""
WORDS = {
    "source": ("record", "rulebook", "does not hold"), "text": ("card", "record"), "from_record": ("record",), "question": ("name of a table",),
    "record": ("record", "not JSON"), "move": ("`move`", "`seat`"), "records": ("record", "not JSON"),
    "names": ("players",), "packet": ("cut",), "guess": ("cut",), "cards": ("card", "melds before"),
}  # fmt: skip
"""What a sentence may call an argument instead."""
SAME = ("Collection.arrow", "Collection.polars", "Collection.pandas")
"""They read a question as `rows` does, and need packages that may not be here."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a record as a file, and a collection that has it."""
    place = tmp_path_factory.mktemp("wrong")
    record = bezique.play("zique", ["simple", "simple"], deals=1, seed=1)
    bezique.write(record, place / "game.json")
    with Store(place / "data", files=place) as store:
        ingest(store, read_entries(place / "game.json"))
    shutil.copytree(place / "data", place / "opened")
    return place


@pytest.fixture(scope="module")
def collection(folder: Path) -> Iterator[Collection]:
    """The same collection, open for every call of a method."""
    with bezique.open(folder / "opened") as opened:
        yield opened


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function, and every public method of what does something."""
    for name in bezique.__all__:
        if inspect.isfunction(thing := getattr(bezique, name)):
            yield name, thing
    for kind in (Game, Collection, Position):
        for name, method in inspect.getmembers(kind, inspect.isroutine):
            if (name == "__init__" and kind is Game) or not name.startswith("_"):
                yield f"{kind.__name__}.{name}", method


def arguments() -> list[tuple[str, str]]:
    """The names of every function, and of every argument of it."""
    return [
        (name, argument)
        for name, function in functions()
        for argument in inspect.signature(function).parameters
        if argument != "self" and name not in SAME
    ]


def good(name: str, folder: Path) -> dict[str, Any]:
    """Arguments that a function takes."""
    record = next(bezique.read(folder / "game.json"))
    cards = {"name": "bezique", "cards": ["QS", "JD"]}
    return {
        "parse": {"source": record},
        "check": {"source": record},
        "card": {"text": "QS"},
        "cards": {"text": "QS"},
        "open": {"folder": folder / "data"},
        "rulebook": {"source": {}},
        "play": {"sheet": "zique", "players": ["simple", "simple"], "deals": 1},
        "write": {"records": record, "path": folder / "out.jsonl"},
        "Game.__init__": {"source": "zique"},
        "Game.from_notation": {"text": Game("zique", seed=1).to_notation()},
        "Game.do": {"move": Game("zique", seed=1).legal()[0]},
        "Game.play": {"card": "QS"},
        "Game.meld": cards,
        "Game.declare": cards,
        "Game.dix": {"action": "show"},
        "Game.carte_blanche": {"seat": 0},
        "Game.cut": {"packet": 3},
        "Game.view": {"seat": 0},
    }.get(name) or (
        {"path": folder / "game.json"} if name in ("read", "check_file") else {"record": record}
    )


def call(name: str, given: dict[str, Any], collection: Collection) -> None:
    """Call a function to its end."""
    kind, _, method = name.partition(".")
    if kind == "Collection":
        asked = given if method == "records" else {"question": given.get("question", "games")}
        answer = getattr(collection, method)(**{k: v for k, v in asked.items() if k != "record"})
        list(answer if method in ("records", "rows") else ())
    elif method == "__init__":
        Game(**given)
    elif kind == "Game":
        of = Game if method.startswith("from_") else Game("zique", seed=1)
        getattr(of, method)(**given)
    else:
        made = getattr(bezique, name)(**given)
        list(made if inspect.isgenerator(made) else ())


@pytest.mark.parametrize(("name", "argument"), arguments())
def test_a_wrong_type_is_told_in_a_sentence_that_names_the_argument(
    folder: Path,
    collection: Collection,
    name: str,
    argument: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    for wrong in WRONG:
        if type(wrong) in (int, bool) and argument == "path":
            continue  # no path, but a file that is open already
        if wrong == 5 and argument in ("worlds", "rollouts"):
            continue  # right, and long
        try:
            call(name, good(name, folder) | {argument: wrong}, collection)
        except (BeziqueError, ValueError, OSError) as error:
            said = str(error)
            assert not [word for word in ("$", "msgspec", "sequence element") if word in said]
            if not isinstance(error, OSError) and not isinstance(wrong, str | dict):
                words = (argument, *WORDS.get(argument, ()))
                assert any(word in said for word in words), said


def test_a_class_of_players_is_not_a_player() -> None:
    class Mine:
        def choose(self, view: Position) -> None: ...

    with pytest.raises(
        ValueError, match=r"`players` has the class Mine: make a player of it, Mine\(\)"
    ):
        bezique.play("zique", [Mine, "simple"])  # type: ignore[list-item]


def test_a_move_of_wrong_values_names_the_member() -> None:
    game = Game("zique", seed=1)
    for move, said in (
        (bezique.Meld(seat=0, meld="bezik", cards=["QS"]), "`meld` of a Meld is the name of a meld"),  # type: ignore[arg-type]
        (bezique.Play(seat="Ann", card="QS"), "`seat` of a Play is the number of a seat, from 0 to 5"),  # type: ignore[arg-type]
        (bezique.Score(seat=0, what="x", points=1), '`what` of a Score is "turned_seven", "tenth_trick"'),  # type: ignore[arg-type]
        (bezique.Trick(winner=0, ext=5), "`ext` of a Trick is a dictionary"),  # type: ignore[arg-type]
        (bezique.Cut(seat=0, packet="3"), "`packet` of a Cut is a whole number from 0 on, not '3'."),  # type: ignore[arg-type]
    ):  # fmt: skip
        with pytest.raises(bezique.IllegalMove) as refused:
            game.do(move)
        assert said in str(refused.value)
    with pytest.raises(bezique.IllegalMove, match="not 'bezik': did you mean bezique"):
        game.meld("bezik", ["QS"])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("act", "error", "said"),
    [
        (lambda _: Game("zique").do(bezique.CarteBlanche(seat=5)), bezique.IllegalMove, "There is no seat 5: the seats are 0 to 1."),
        (lambda _: Game("zique").do(bezique.Play(seat=5, card="AS")), bezique.IllegalMove, "There is no seat 5: the seats are 0 to 1."),
        (lambda _: Game("zique").do(bezique.Trick(winner=4)), bezique.IllegalMove, "There is no seat 4: the seats are 0 to 1."),
        (lambda _: setattr(Game("zique"), "meta", ["a"]), ValueError, "`meta` is a dictionary such as"),
        (lambda _: bezique.rulebook({"base": object()}), ValueError, "`source` has something that JSON has no word for"),
        (lambda _: bezique.review("game.jsonl"), bezique.UnreadableRecord, "'game.jsonl' is the name of a file, which bezique.read reads: "),  # type: ignore[arg-type]
        (lambda _: bezique.parse("game.bezique"), bezique.UnreadableRecord, "'game.bezique' is the name of a file, which bezique.read reads: "),
        (lambda folder: bezique.open(folder / "data").rows("gamse"), bezique.StoreError, "There is no table 'gamse'; did you mean games"),
    ],
)  # fmt: skip
def test_a_slip_is_told_in_words(folder: Path, act: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error) as told:
        act(folder)
    assert said in str(told.value)
