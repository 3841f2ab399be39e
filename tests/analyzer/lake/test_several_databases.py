"""Databases that are copied into one lake, in any order and however often: it answers as one database that got everything."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from random import Random
from unittest.mock import patch

import duckdb
import pytest
from msgspec.structs import replace

from analyzer.ingest.correcting import make_correction, undo_correction
from analyzer.ingest.loader import ingest_bytes
from analyzer.ingest.renaming import rejoin_matches, rename_player
from analyzer.lake import joining
from analyzer.lake.copying import copy_into_lake
from analyzer.lake.merging import compact
from analyzer.lake.workbench import reading_parts
from analyzer.players.evenings import EveningOpening, open_evening
from analyzer.review.deep_review import REVIEW_VERSION, GameReview
from analyzer.review.stored import EXACT_TERMS, GameNotStored, review_stored_exactly, save_review
from analyzer.store.lake_parts import ONE_OF_EACH, part_source, publish_part
from analyzer.store.lake_place import LakePlace, LakeUnreachable
from analyzer.store.made_corrections import list_corrections
from analyzer.store.player_names import INSERT_RENAME, RenameRefused, settle_people
from analyzer.store.store import Store, read_rulebooks
from analyzer.upkeep.keeping import add_rulebook
from records.corrected import CorrectedFact, CorrectionRefused, list_facts
from records.format import codec
from records.record import Record
from records.rules.inner_sheet import inner_data
from records.rules.registry import know_sheets, sheet_of_rules
from records.selfplay import play_game
from tests.analyzer.lake.lakes import everything, new_place, reader
from tests.make.empty_store import with_empty_database
from tests.make.own_rulebooks import own_game, own_sheet

pytestmark = pytest.mark.long
FIRST = play_game("zique", seed=1, deals=1, names=["Ann", "Bob"])
SECOND = play_game("zique", seed=2, deals=1, names=["Cleo", "Dora"])
OURS = own_game("zique", ("/rules/melds/bezique/points", 70))
NAMED = replace(OURS, rules=replace(OURS.rules, sheet=None))
"""It names a rulebook that only a folder may know."""
ACTS = 8
CLUBS = int(os.environ.get("BEZIQUE_CLUBS", "4"))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path) -> Iterator[None]:
    with patch.dict("os.environ", XDG_CACHE_HOME=str(tmp_path / "cache")):
        yield
    know_sheets([])


def called(record: Record, name: str) -> Record:
    """The same match, told of somebody with another name."""
    return replace(record, players=[replace(record.players[0], name=name), *record.players[1:]])


RECORDS = (FIRST, SECOND, called(FIRST, "Anm"), called(SECOND, "Clio"), NAMED)
Act = Callable[[Store], object]


@pytest.fixture(scope="module")
def reviews(tmp_path_factory: pytest.TempPathFactory) -> list[GameReview]:
    """An exact review of a match, and one with luck."""
    with Store(with_empty_database(tmp_path_factory.mktemp("reviews") / "data")) as store:
        ingest_bytes(store, "one.json", codec.encode(FIRST))
        terms = (EXACT_TERMS, replace(EXACT_TERMS, rollouts=2))
        return [review_stored_exactly(store, codec.digest(FIRST), each) for each in terms]


def store_one(record: Record) -> Act:
    return lambda store: ingest_bytes(store, "one.json", codec.encode(record))


def correct_one(digest: str, fact: CorrectedFact, value: str) -> Act:
    return lambda store: make_correction(store, digest, fact, value, made_by="Eve")


def undo_one(digest: str, value: str) -> Act:
    def undo(store: Store) -> None:
        for each in list_corrections(store, digest):
            if each.value == value and each.undone_at is None:
                undo_correction(store, digest, each.number, undone_by="Eve")

    return undo


def keep_rulebook(store: Store) -> None:
    add_rulebook(store, sheet_of_rules(OURS.rules), "command")


def held(store: Store) -> dict[str, list[str]]:
    """All that a store holds, but when corrections were undone.

    Of renames and traces there is more where somebody was renamed several times: what follows from them is compared.
    """
    found = {
        table: rows
        for table, rows in everything(store).items()
        if table not in ("renames", "traces")
    }
    columns = "game, number, subject, place, value, reason, made_by, undone_by"
    rows = store.rows(f"SELECT {columns} FROM corrections").rows
    return found | {"corrections": sorted(map(repr, rows))}


class Club:
    """Databases `a` and `b`, and one that gets everything that both get."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("a", "b", "whole"):
            with_empty_database(folder / name)

    def do(self, name: str, act: Act) -> None:
        """Do something in a database, and in the whole one."""
        for each in (name, "whole"):
            know_sheets([])
            with Store(self.folder / each) as store:
                act(store)

    def rename(self, name: str, old: str, new: str) -> None:
        """Rename somebody in a database; the whole one is told who was meant."""
        know_sheets([])
        with Store(self.folder / name) as store:
            plan = rename_player(store, old, new)
        with Store(self.folder / "whole") as store, store.writing() as cursor:
            row = {"person": plan.person, "same_as": plan.same_as, "name": plan.name}
            cursor.execute(INSERT_RENAME, row)
            rejoin_matches(cursor)
            settle_people(cursor, [plan.person])

    def held(self) -> dict[str, list[str]]:
        with Store(self.folder / "whole") as store:
            return held(store)

    def copy(self, place: LakePlace, *names: str) -> list[str]:
        """Copy databases into a lake; what contradicted."""
        know_sheets([])
        return [
            words for name in names for words in copy_into_lake(self.folder / name, place).conflicts
        ]


def assert_in_any_order(club: Club, *orders: str) -> None:
    whole = club.held()
    for order in orders or ("ab", "bba"):
        place = new_place("folder", club.folder)
        club.copy(place, *order)
        with reader(place) as lake:
            assert held(lake) == whole, order


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return club_of_two(tmp_path)


def club_of_two(folder: Path) -> Club:
    """Both have two games. Of records of one digest, the first stored has it: that is the same in both."""
    club = Club(folder)
    for name in "ab":
        club.do(name, store_one(FIRST))
        club.do(name, store_one(SECOND))
    return club


def test_corrections_of_both_are_kept_and_the_last_holds(club: Club) -> None:
    digest, event, site = codec.digest(FIRST), CorrectedFact("event"), CorrectedFact("site")
    club.do("a", correct_one(digest, event, "Cup"))
    club.do("b", correct_one(digest, event, "League"))
    club.do("b", correct_one(digest, site, "Leeds"))
    club.do("a", correct_one(digest, site, "York"))
    club.do("a", undo_one(digest, "York"))
    assert_in_any_order(club)
    place = new_place("folder", club.folder)
    told = club.copy(place, "a", "b")
    assert told == [
        f"game {digest[:12]}: event is 'Cup' in the lake and 'League' in the database; 'League' holds, which was said last"
    ]
    assert not club.copy(place, "a", "b"), "it is told once"
    with reader(place) as lake:
        rows = lake.rows("SELECT event, site FROM games WHERE digest = $it", {"it": digest}).rows
    assert rows == [("League", "Leeds")]


@pytest.mark.slow
def test_a_correction_that_is_undone_later_is_undone_in_the_lake(club: Club) -> None:
    digest = codec.digest(FIRST)
    place = new_place("folder", club.folder)
    club.do("a", correct_one(digest, CorrectedFact("event"), "Cup"))
    club.copy(place, "a")
    club.do("a", undo_one(digest, "Cup"))
    club.copy(place, "b", "a")
    with reader(place) as lake:
        assert held(lake) == club.held()


@pytest.mark.slow
def test_a_correction_joins_matches_of_the_lake(club: Club) -> None:
    """Each database has another record of the match, one of which has a slip."""
    club.do("a", store_one(called(FIRST, "Anm")))
    club.do("b", store_one(called(FIRST, "Anne")))
    club.do("a", correct_one(codec.digest(FIRST), CorrectedFact("name", 0), "Anne"))
    assert_in_any_order(club)


@pytest.mark.slow
def test_people_who_are_made_one_have_one_match(club: Club) -> None:
    """Who has the record with the other name does not know that the two are one."""
    club.do("a", store_one(called(FIRST, "Anm")))
    club.do("b", store_one(called(SECOND, "Anm")))
    club.rename("b", "Anm", "Ann")
    assert_in_any_order(club)


@pytest.mark.slow
def test_who_was_renamed_in_two_ways_has_the_last_name(club: Club) -> None:
    club.rename("a", "Ann", "Anna")
    club.rename("b", "Ann", "Annie")
    assert_in_any_order(club)
    assert club.copy(new_place("folder", club.folder), "b", "a") == [
        "Ann was renamed 'Annie' in the lake and 'Anna' in the database; 'Annie' holds, which was said last"
    ]


def test_two_who_are_made_one_by_both_are_one(club: Club) -> None:
    """One database calls them by the one name, the other by the other."""
    club.rename("a", "Cleo", "Ann")
    club.rename("b", "Ann", "Cleo")
    assert_in_any_order(club)
    with Store(club.folder / "whole") as whole:
        assert sorted(whole.rows("SELECT people[1] FROM games").rows) == [("Cleo",), ("Cleo",)]


@pytest.mark.slow
def test_a_review_comes_to_a_known_game(club: Club, reviews: list[GameReview]) -> None:
    exact, lucky = reviews
    club.do("a", lambda store: save_review(store, exact))
    club.do("b", lambda store: save_review(store, lucky))
    assert_in_any_order(club)
    place = new_place("folder", club.folder)
    club.copy(place, "a", "b")
    assert_nothing_is_written_again(club, place)


@pytest.mark.slow
def test_a_review_of_an_older_version_takes_no_place(club: Club, reviews: list[GameReview]) -> None:
    """Not even where it was made later."""
    older = replace(reviews[0], version="3.0")
    for name, review in zip("ab", (reviews[0], older), strict=True):
        with Store(club.folder / name) as store:
            save_review(store, review)
    for order in ("ab", "ba"):
        place = new_place("folder", club.folder)
        club.copy(place, *order)
        with reader(place) as lake:
            assert lake.rows("SELECT version FROM game_reviews").rows == [(REVIEW_VERSION,)], order


def test_a_waiting_record_becomes_a_game_with_its_rulebook(club: Club) -> None:
    club.do("a", store_one(NAMED))
    place = new_place("folder", club.folder)
    club.copy(place, "a")
    with reader(place) as lake:
        assert held(lake) == club.held()
        assert len(everything(lake)["waiting_records"]) == 1
    club.do("b", keep_rulebook)
    assert not everything_waits(club)
    assert_in_any_order(club)


@pytest.mark.slow
def test_of_two_rulebooks_with_one_id_the_first_added_has_it(club: Club) -> None:
    other = own_game("zique", ("/rules/melds/bezique/points", 90))
    club.do("a", keep_rulebook)
    with Store(club.folder / "b") as store:
        add_rulebook(store, sheet_of_rules(other.rules), "command")
    for order in ("ab", "ba"):
        place = new_place("folder", club.folder)
        (told,) = club.copy(place, *order)
        assert told.startswith("the rulebook with the id ours is 'Ours' in the lake")
        know_sheets([])
        with reader(place) as lake:
            assert sheet_of_rules(NAMED.rules) == sheet_of_rules(OURS.rules)
            assert len(everything(lake)["rulebooks"]) == 2


def test_of_several_rulebooks_those_added_first_are_first() -> None:
    sheets = [own_sheet("zique", own_id, name=own_id) for own_id in ("ours", "theirs")]
    again = own_sheet("zique", "ours", name="another one")
    told = [(each.id, json.dumps(inner_data(each))) for each in (*sheets, again)]
    assert [each.name for each in read_rulebooks(lambda *_: told)] == ["ours", "theirs"]


def test_contradictions_are_told_in_the_order_of_words(club: Club) -> None:
    facts = [CorrectedFact(word) for word in ("table", "event", "site", "comment", "round")]
    for name in "ab":
        for fact in facts:
            club.do(name, correct_one(codec.digest(FIRST), fact, f"1{name}"))
    told = club.copy(new_place("folder", club.folder), "a", "b")
    assert [words.split()[2] for words in told] == ["comment", "event", "round", "site", "table"]


@pytest.mark.parametrize("table", ["studies", "evening_steps"])
def test_of_two_changes_with_one_number_the_last_holds(table: str, tmp_path: Path) -> None:
    """A study was changed in the copies that two databases have, or an evening of theirs went on in both."""
    place, key = new_place("folder", tmp_path), ONE_OF_EACH[table].split(",")[0]
    with duckdb.connect() as writer:
        parts = [
            publish_part(place, writer, tmp_path, {table: changes_of_seven(key, *last)}.get)
            for last in (("last", 3), ("before", 2))
        ]
    for order in (parts, parts[::-1]):
        known = [part for part in order if part]
        with reading_parts(place, known) as reading:
            rows = part_source(place, known, table)
            reading.execute(f"SELECT content FROM {rows} WHERE number = 2")
            assert reading.fetchall() == [("last",)]


def changes_of_seven(key: str, content: str, day: int) -> str:
    """The rows of study or evening 7: as it was begun, and another change on a day of March."""
    told = f"(1, 'begun', 1), (2, '{content}', {day})"
    return (
        f"(SELECT 7 AS {key}, number, content, 'Eve' AS made_by, make_timestamp(2026, 3, day, 0, 0, 0) AS made_at "
        f"FROM (VALUES {told}) AS told (number, content, day))"
    )


@pytest.mark.slow
def test_evenings_of_both_have_numbers_of_their_own(club: Club) -> None:
    for name, event in zip("ab", ("Club", "League"), strict=True):
        opening = EveningOpening(event, date(2026, 3, 5), "swiss")
        club.do(name, lambda store, opening=opening: open_evening(store, opening, "admin"))  # type: ignore[misc]
    assert_in_any_order(club)
    place = new_place("folder", club.folder)
    club.copy(place, "b", "a")
    compact(place)
    club.copy(place, "b")
    with reader(place) as lake:
        assert held(lake) == club.held()


def everything_waits(club: Club) -> list[str]:
    found = club.held()
    return found["waiting_records"] + found["rejected"]


@pytest.mark.slow
def test_a_copy_that_is_interrupted_is_made_again(club: Club) -> None:
    club.do("a", correct_one(codec.digest(FIRST), CorrectedFact("event"), "Cup"))
    place = new_place("folder", club.folder)
    club.copy(place, "b")
    with (
        patch.object(joining, "add_state", side_effect=LakeUnreachable("it has failed")),
        pytest.raises(LakeUnreachable),
    ):
        club.copy(place, "a")
    club.copy(place, "a")
    with reader(place) as lake:
        assert held(lake) == club.held()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(CLUBS))
def test_any_acts_in_any_order(seed: int, tmp_path: Path, reviews: list[GameReview]) -> None:
    random, club = Random(seed), club_of_two(tmp_path)
    for number in range(ACTS):
        name = random.choice("ab")
        with suppress(CorrectionRefused, RenameRefused):  # that of what the database does not have
            if random.random() < 0.2:
                club.rename(
                    name, *random.choice((("Anm", "Ann"), ("Cleo", "Clio"), ("Bob", "Rob")))
                )
            else:
                club.do(name, any_act(random, number, reviews))
    whole = club.held()
    place = new_place("folder", tmp_path)
    for name in random.choice(("ab", "ba", "aba")):
        club.copy(place, name)
        if random.random() < 0.3:
            compact(place)
    with reader(place) as lake:
        assert held(lake) == whole
    assert_nothing_is_written_again(club, place)


def assert_nothing_is_written_again(club: Club, place: LakePlace) -> None:
    """What every database has told, it tells once more."""
    assert place.folder
    before = files_of(place.folder)
    for name in "ab":
        club.copy(place, name)
        assert files_of(place.folder) == before, name


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file by its name in a folder, the folders themselves among them."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in folder.rglob("*")
    }


def any_act(random: Random, number: int, reviews: list[GameReview]) -> Act:
    """Something that people do; every value is a new one."""
    record = random.choice(RECORDS)
    if random.random() < 0.4:
        return store_one(record)
    if random.random() < 0.2:
        return random.choice((keep_rulebook, save_any(random.choice(reviews))))
    fact = random.choice(list_facts(record))
    return correct_one(codec.digest(record), fact, f"2026-03-{number + 1:02}")


def save_any(review: GameReview) -> Act:
    def save(store: Store) -> None:
        with suppress(GameNotStored):
            save_review(store, review)

    return save
