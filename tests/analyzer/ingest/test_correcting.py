"""Corrections of stored games: what follows is what a record written so would give, and nothing of it lasts when undone."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from analyzer.ingest import correcting
from analyzer.ingest.correcting import (
    LONGEST_REASON,
    MOST_CORRECTIONS,
    make_correction,
    undo_correction,
)
from analyzer.ingest.deletion import delete_games
from analyzer.ingest.loader import ingest_bytes
from analyzer.players.standings import read_rounds
from analyzer.store.made_corrections import corrected_bytes, corrections_of, list_corrections
from analyzer.store.parquet import ParquetStore, export_parquet
from analyzer.store.player_names import INSERT_RENAME, settle_people
from analyzer.store.store import Store, StoreReadOnly
from analyzer.store.sums import SUM_TABLES, count_wrong_sums_sql
from analyzer.store.tables import Columns
from analyzer.upkeep.doctor import check_folder
from analyzer.upkeep.trash import restore_games, trash_games
from records.corrected import (
    LONGEST_COMMENT,
    LONGEST_VALUE,
    CorrectedFact,
    CorrectionRefused,
    correct,
    list_facts,
)
from records.format import codec
from records.record import Note, Record
from records.selfplay import play_game
from tests.make.empty_store import with_empty_database
from tests.make.renewed_folders import rescued_and_upgraded

Rows = dict[str, list[tuple[object, ...]]]
TABLES = ("games", "other_games", "deals", "seats", "tricks", "scores", "cards", "findings")
MATCHES = "SELECT game, match, relation FROM other_games"
OF_THE_RECORD = ("stored_at",)
"""What does not follow from what a record tells."""
VALUES = {
    "name": ["Ann", "Anne", "Zoë", "Bob", "  Carl  Otto "],
    "id": ["", "ann", "bob", "x-1"],
    "date": ["", "2026-03-05", "2025-12-31", "2026-03-05T23:30:00-05:00"],
    "event": ["", "Thursday table", "Cup"],
    "round": ["", "3", "Final"],
    "table": ["", "2"],
    "site": ["", "Leeds"],
    "comment": ["", "Two lines,\nand a tab\t."],
    "note": ["", "Well played."],
}


def occasion(record: Record, **meta: object) -> Record:
    return replace(record, meta=meta or None)


def records_of_a_club() -> list[Record]:
    """Games with a time, a day, a day that is none, an id, notes, and a name with a slip."""
    one = play_game("zique", seed=1, deals=2, names=["Ann", "Bob"])
    other = play_game("marjolet", seed=2, deals=1, names=["Anm", "Carl"])
    third = play_game("zique", seed=3, deals=1, names=["Dora", "Bob"])
    dora = [replace(third.players[0], id="dora"), third.players[1]]
    return [
        occasion(one, started="2026-03-31T19:00:00+01:00", event="Thursday", round=2),
        replace(occasion(other, date="2026-03-04"), notes=[Note(at=[0], text="Slow."), Note(at=[0, 1], text="Why?")]),
        replace(occasion(third, date="yesterday"), players=dora),
    ]  # fmt: skip


def beginning(record: Record) -> Record:
    begun = replace(record.deals[0], events=record.deals[0].events[:40], claims=None)
    return replace(record, deals=[begun], result=None)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(with_empty_database(tmp_path / "data"), files=tmp_path) as store:
        fill(store, records_of_a_club())
        yield store


def fill(store: Store, records: list[Record]) -> None:
    for record in records:
        ingest_bytes(store, "one.json", codec.encode(record))
    with store.writing() as cursor:  # in whatever record Bob is now
        cursor.execute(
            INSERT_RENAME, {"person": "name:Bob", "same_as": "name:Robert", "name": "Robert"}
        )
        settle_people(cursor)


def rows(store: Store, *, without: tuple[str, ...] = ()) -> Rows:
    """The rows of all tables that are made of records; what `without` names is left out."""
    found = {}
    for table in TABLES:
        names = [name for name, *_ in store.rows(f"DESCRIBE {table}").rows if name not in without]
        listed = store.rows(f"SELECT {', '.join(names)} FROM {table}").rows
        found[table] = sorted(listed, key=repr)
    return found


def bytes_of(store: Store) -> list[tuple[object, ...]]:
    return store.rows("SELECT game, digest, name, line, size, data, stored_at FROM records").rows


def digests(store: Store) -> list[str]:
    return [digest for (digest,) in store.rows("SELECT digest FROM records ORDER BY rowid").rows]


def record_of(store: Store, digest: str) -> Record:
    record = codec.decode(store.record_bytes(digest) or b"").record
    assert record is not None
    return record


def correct_at_random(store: Store, random: Random, steps: int) -> None:
    for _ in range(steps):
        digest = random.choice(digests(store))
        open_ones = [each for each in list_corrections(store, digest) if each.undone_at is None]
        if open_ones and random.random() < 0.4:
            undo_correction(store, digest, random.choice(open_ones).number, undone_by="command")
            continue
        fact = random.choice(list_facts(record_of(store, digest)))
        # What is told already is refused, and changes nothing.
        with suppress(CorrectionRefused):
            make_correction(
                store, digest, fact, random.choice(VALUES[fact.subject]), made_by="command"
            )


def undo_all(store: Store, random: Random) -> None:
    held = [
        (digest, each.number)
        for digest in digests(store)
        for each in list_corrections(store, digest)
        if each.undone_at is None
    ]
    random.shuffle(held)
    for digest, number in held:
        undo_correction(store, digest, number, undone_by="command")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_corrections_and_undos_in_any_order_come_to_records_written_so(
    store: Store, tmp_path: Path, seed: int
) -> None:
    random = Random(seed)
    before, uploaded = rows(store), bytes_of(store)
    correct_at_random(store, random, 12)
    assert bytes_of(store) == uploaded
    assert_sound(store)
    holding = corrections_of(store, digests(store))
    with Store(with_empty_database(tmp_path / "fresh")) as fresh:
        written = [correct(record_of(store, each), holding.get(each, {})) for each in digests(store)]  # fmt: skip
        fill(fresh, written)
        expected, found = (rows(each, without=OF_THE_RECORD) for each in (fresh, store))
        assert found == expected
    undo_all(store, random)
    assert rows(store) == before
    assert bytes_of(store) == uploaded


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_match_told_twice_stays_one_whatever_is_corrected(store: Store, seed: int) -> None:
    random = Random(seed)
    ingest_bytes(store, "again.json", codec.encode(beginning(records_of_a_club()[0])))
    before, matches = rows(store), store.rows(MATCHES).rows
    assert len(matches) == 1
    correct_at_random(store, random, 12)
    assert store.rows(MATCHES).rows == matches
    assert_sound(store)
    undo_all(store, random)
    assert rows(store) == before


def with_slip(record: Record, name: str = "Anm") -> Record:
    """The same game with one name written otherwise, and a little less of it: so it never stands for the match."""
    return replace(
        beginning(record), players=[replace(record.players[0], name=name), record.players[1]]
    )


def number_of_matches(store: Store) -> list[tuple[object, ...]]:
    return store.rows(
        "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM other_games)"
    ).rows


def test_two_records_of_a_match_are_one_when_a_misspelt_name_is_corrected(store: Store) -> None:
    whole, apart = records_of_a_club()[0], [(4, 0)]
    ingest_bytes(store, "slip.json", codec.encode(with_slip(whole)))
    before = rows(store)
    assert number_of_matches(store) == apart
    make(store, 3, NAME, "Ann")
    assert number_of_matches(store) == [(3, 1)]
    assert_sound(store)
    undo_correction(store, digests(store)[3], 1, undone_by="admin")
    assert number_of_matches(store) == apart
    assert rows(store) == before


def test_a_record_joins_a_corrected_one_that_was_stored_before(store: Store) -> None:
    whole = records_of_a_club()[0]
    delete_games(store, digests(store)[:1])
    ingest_bytes(store, "slip.json", codec.encode(with_slip(whole)))
    make(store, 2, NAME, "Ann")
    ingest_bytes(store, "whole.json", codec.encode(whole))
    assert number_of_matches(store) == [(3, 1)]
    assert_sound(store)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_records_are_of_one_match_when_they_are_so_as_corrected(tmp_path: Path, seed: int) -> None:
    """Names corrected in any order: what is one match follows from what is told in the end, and from nothing else."""
    random = Random(seed)
    whole = records_of_a_club()[0]
    slips = [whole, with_slip(whole, "Anm"), with_slip(whole, "Amn")]
    random.shuffle(slips)
    with Store(with_empty_database(tmp_path / "data"), files=tmp_path) as store:
        for record in slips:
            ingest_bytes(store, "one.json", codec.encode(record))
        before = rows(store)
        for _ in range(8):
            if random.random() < 0.3:
                undo_all(store, random)
                assert rows(store) == before
            with suppress(CorrectionRefused):
                make(store, random.randrange(3), NAME, random.choice(["Ann", "Anm", "Eve"]))
        told = corrections_of(store, digests(store))
        names = {correct(record_of(store, one), told.get(one, {})).players[0].name for one in digests(store)}  # fmt: skip
        ((matches, _),) = number_of_matches(store)
        assert matches == len(names)
        assert_sound(store)


def assert_sound(store: Store) -> None:
    for sums in SUM_TABLES:
        assert store.rows(count_wrong_sums_sql(sums)).rows == [(0,)]


NAME, EVENT = CorrectedFact("name", 0), CorrectedFact("event")


def make(store: Store, number: int, fact: CorrectedFact, text: str, reason: str = "") -> None:
    make_correction(store, digests(store)[number], fact, text, reason=reason, made_by="token desk")


def corrected(store: Store) -> None:
    """Corrections of three games, one of them undone."""
    make(store, 1, NAME, "Ann", "a slip of the pen")
    make(store, 0, EVENT, "Cup")
    make(store, 0, CorrectedFact("round"), "Final")
    make(store, 2, CorrectedFact("date"), "2026-03-05")
    undo_correction(store, digests(store)[0], 1, undone_by="admin")


def test_who_corrected_what_when_and_why_stays_also_when_it_is_undone(store: Store) -> None:
    corrected(store)
    (made,) = list_corrections(store, digests(store)[1])
    assert (made.number, made.fact, made.uploaded, made.value) == (1, NAME, "Anm", "Ann")
    assert (made.reason, made.made_by, made.undone_by) == ("a slip of the pen", "token desk", None)
    undone, held = list_corrections(store, digests(store)[0])
    assert (undone.value, undone.undone_by, held.value, held.undone_by) == ("Cup", "admin", "Final", None)  # fmt: skip
    assert undone.undone_at is not None
    assert undone.undone_at >= undone.made_at
    assert held.uploaded == "2"


def test_lists_and_rounds_follow_at_once(store: Store) -> None:
    corrected(store)
    whole = store.game(digests(store)[1])
    assert whole is not None
    assert whole.names == ["Ann", "Carl"]
    assert read_rounds(store, digests(store)) == {digests(store)[0]: "Final"}


def test_what_is_exported_as_corrected_tells_the_corrections_alone(store: Store) -> None:
    corrected(store)
    digest = digests(store)[1]
    data = store.record_bytes(digest) or b""
    told = codec.decode(corrected_bytes(data, corrections_of(store, [digest])[digest]))
    assert told.record == replace(
        record_of(store, digest),
        players=[replace(record_of(store, digest).players[0], name="Ann"), record_of(store, digest).players[1]],
    )  # fmt: skip
    assert told.digest() == digest
    assert corrected_bytes(data, {}) == data


@pytest.mark.slow
def test_an_upgrade_and_a_rescue_keep_corrections(tmp_path: Path) -> None:
    folder = with_empty_database(tmp_path / "data")
    with Store(folder) as store:
        fill(store, records_of_a_club())
        corrected(store)
        before = rows(store, without=OF_THE_RECORD), [list_corrections(store, each) for each in digests(store)]  # fmt: skip
    for each in rescued_and_upgraded(folder, tmp_path / "rescued"):
        assert not check_folder(each, lambda done, total: None).is_wrong
        with Store(each) as store:
            history = [list_corrections(store, one) for one in digests(store)]
            assert (rows(store, without=OF_THE_RECORD), history) == before


def test_parquet_files_have_corrections_and_take_none(store: Store, tmp_path: Path) -> None:
    corrected(store)
    export_parquet(store, tmp_path / "files")
    with ParquetStore(tmp_path / "files") as files:
        (made,) = list_corrections(files, digests(store)[1])
        assert made.value == "Ann"
        with pytest.raises(StoreReadOnly):
            make(files, 0, NAME, "Eve")
        with pytest.raises(StoreReadOnly):
            undo_correction(files, digests(store)[1], 1, undone_by="admin")


def test_a_deleted_game_takes_its_corrections_along(store: Store) -> None:
    corrected(store)
    delete_games(store, digests(store))
    assert store.rows("SELECT count(*) FROM corrections").rows == [(0,)]


def test_the_record_that_comes_to_stand_for_a_match_is_corrected_too(store: Store) -> None:
    ingest_bytes(store, "again.json", codec.encode(beginning(records_of_a_club()[0])))
    make(store, 3, EVENT, "Cup")
    delete_games(store, digests(store)[:1])
    assert ("Cup",) in store.rows("SELECT event FROM games").rows


def test_what_cannot_be_is_refused_and_leaves_nothing(store: Store) -> None:
    before = rows(store)
    for fact, text in (
        (NAME, "x" * (LONGEST_VALUE + 1)),
        (NAME, " \u200b "),
        (NAME, "Anm\x00"),
        (NAME, "Anm"),
        (CorrectedFact("name", 2), "Eve"),
        (CorrectedFact("name", -1), "Eve"),
        (CorrectedFact("name"), "Eve"),
        (CorrectedFact("note", 5), "No"),
        (CorrectedFact("event", 0), "Cup"),
        (CorrectedFact("event"), ""),
        (CorrectedFact("date"), "5 March"),
        (CorrectedFact("date"), "2026-02-30"),
        (CorrectedFact("comment"), "x" * (LONGEST_COMMENT + 1)),
    ):
        with pytest.raises(CorrectionRefused):
            make(store, 1, fact, text)
    with pytest.raises(CorrectionRefused):
        make(store, 1, EVENT, "Cup", "x" * (LONGEST_REASON + 1))
    with pytest.raises(CorrectionRefused):
        make_correction(store, "0" * 64, EVENT, "Cup", made_by="command")
    with pytest.raises(CorrectionRefused):
        undo_correction(store, digests(store)[1], 1, undone_by="command")
    assert rows(store) == before


def test_a_game_has_a_bounded_number_of_corrections(store: Store) -> None:
    with store.writing() as cursor:
        cursor.execute(
            "INSERT INTO corrections (game, number, subject, value, reason, made_by, undone_by, undone_at) "
            "SELECT game, number, 'event', 'x', '', 'command', 'command', now() AT TIME ZONE 'UTC' "
            f"FROM records, range(1, {MOST_CORRECTIONS + 1}) AS made(number)"
        )
    with pytest.raises(CorrectionRefused, match="at most"):
        make(store, 1, EVENT, "Cup")


def test_one_who_is_undone_is_not_undone_again(store: Store) -> None:
    corrected(store)
    with pytest.raises(CorrectionRefused, match="undone already"):
        undo_correction(store, digests(store)[0], 1, undone_by="admin")


def test_a_game_comes_back_from_the_trash_with_its_corrections(store: Store) -> None:
    corrected(store)
    names = digests(store)
    before, history = rows(store), [list_corrections(store, each) for each in names]
    trash_games(store, names)
    assert store.rows("SELECT count(*) FROM corrections").rows == [(0,)]
    restore_games(store, names)
    assert rows(store) == before
    assert [list_corrections(store, each) for each in names] == history


def test_who_is_overtaken_by_another_correction_tries_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = correcting.rows_of_games

    def overtaken(*given: Any) -> dict[str, Columns]:
        monkeypatch.setattr(correcting, "rows_of_games", made)
        make(store, 1, EVENT, "Cup")
        return made(*given)

    monkeypatch.setattr(correcting, "rows_of_games", overtaken)
    with pytest.raises(CorrectionRefused, match="at the same time"):
        make(store, 1, NAME, "Ann")
    assert [each.value for each in list_corrections(store, digests(store)[1])] == ["Cup"]
