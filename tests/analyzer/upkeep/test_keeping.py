"""Rulebooks that a folder keeps: records that name them are judged by them, those that came before wait, and nothing is lost."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from analyzer.ingest.deletion import delete_upload
from analyzer.ingest.loader import ingest_bytes
from analyzer.store.parquet import ParquetStore, export_parquet
from analyzer.store.rulebooks import list_local_rulebooks, local_rulebook, own_rulebooks
from analyzer.store.store import Store
from analyzer.upkeep import keeping
from analyzer.upkeep.doctor import check_folder
from analyzer.upkeep.keeping import RulebookRefused, add_rulebook, remove_rulebook
from analyzer.upkeep.rescue import rescue_records
from analyzer.upkeep.trash import delete_for_good, restore_games, trash_games
from analyzer.upkeep.upgrade import upgrade_folder
from records.format import codec
from records.record import Record
from records.rules import inner_sheet
from records.rules.registry import own_sheets, sheet_key, sheet_of_rules
from records.validator import JUDGEMENT_VERSION, check
from tests.make.own_rulebooks import own_game, own_sheet

BEZIQUE_POINTS = "/rules/melds/bezique/points"
WHOLE = own_game("zique", (BEZIQUE_POINTS, 70))
NAMED = replace(WHOLE, rules=replace(WHOLE.rules, sheet=None))
SHEET, KEY = sheet_of_rules(WHOLE.rules), sheet_key(WHOLE.rules)


def sent(store: Store, record: Record, upload: str = "") -> tuple[str, str, str]:
    (outcome,) = ingest_bytes(store, "game.json", codec.encode(record), upload)
    return outcome.state, outcome.verdict, outcome.awaits


def count(store: Store, table: str) -> int:
    ((number,),) = store.rows(f"SELECT count(*) FROM {table}").rows
    return int(number)


@pytest.fixture
def keeping_store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "club") as store:
        add_rulebook(store, SHEET, "command")
        yield store


def test_a_record_that_names_a_kept_rulebook_is_judged_by_it(keeping_store: Store) -> None:
    state, verdict, _ = sent(keeping_store, NAMED)
    assert (state, verdict) == ("stored", verdict_of(WHOLE))
    assert keeping_store.rows("SELECT DISTINCT sheet FROM games").rows == [(KEY,)]
    assert [kept.games for kept in list_local_rulebooks(keeping_store)] == [1]


def verdict_of(record: Record) -> str:
    return check(codec.encode(record)).verdict


def test_a_record_that_names_it_and_one_that_carries_it_are_one_match(keeping_store: Store) -> None:
    sent(keeping_store, NAMED)
    (outcome,) = ingest_bytes(keeping_store, "whole.json", codec.encode(WHOLE))
    assert (outcome.state, outcome.relation) == ("stored", "same")
    assert (count(keeping_store, "games"), count(keeping_store, "other_games")) == (1, 1)
    (kept,) = list_local_rulebooks(keeping_store)
    assert kept.games == count(keeping_store, "games") == 1
    with pytest.raises(RulebookRefused, match="2 records go by Ours"):
        remove_rulebook(keeping_store, "ours")


def test_a_record_waits_for_its_rulebook(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        assert sent(store, NAMED) == ("rejected", "unreadable", "ours")
        assert sent(store, NAMED) == ("rejected", "unreadable", "ours")
        assert (count(store, "waiting_records"), count(store, "rejected")) == (1, 1)
        assert add_rulebook(store, SHEET, "command").stored == 1
        assert (
            count(store, "games"),
            count(store, "waiting_records"),
            count(store, "rejected"),
        ) == (1, 0, 0)
        assert sent(store, NAMED)[0] == "known"


@pytest.mark.parametrize(
    ("named", "awaits"), [("ziqeu", ""), ("rubicon-bezique-ours", "rubicon-bezique-ours")]
)
def test_what_is_a_slip_for_a_published_rulebook_waits_for_nothing(
    tmp_path: Path, named: str, awaits: str
) -> None:
    with Store(tmp_path) as store:
        assert sent(store, replace(NAMED, rules=replace(NAMED.rules, id=named)))[2] == awaits


def test_a_waiting_record_that_is_broken_is_told_by_its_findings(tmp_path: Path) -> None:
    broken = replace(NAMED, rules=replace(NAMED.rules, options={"x": 1}))
    with Store(tmp_path) as store:
        sent(store, broken)
        assert add_rulebook(store, SHEET, "command").stored == 0
        ((rejected,), waiting) = store.rejected(), count(store, "waiting_records")
        assert ([found.code for found in rejected.findings], waiting) == (["unknown-option"], 0)


def test_whoever_takes_back_an_upload_takes_back_what_waits(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        sent(store, NAMED, "upload")
        delete_upload(store, "upload")
        assert count(store, "waiting_records") == count(store, "rejected") == 0


def test_the_folder_knows_its_rulebooks_whenever_it_is_open(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        add_rulebook(store, SHEET, "command")
        sent(store, NAMED)
    assert own_sheets() == ()
    with Store(tmp_path) as store:
        assert [sheet.id for sheet in own_sheets()] == ["ours"]
        assert own_rulebooks(store) == [KEY]
    assert own_sheets() == ()
    assert check_folder(tmp_path, lambda done, total: None).problems == []


def test_a_rulebook_is_added_once_and_its_id_is_no_others(keeping_store: Store) -> None:
    assert add_rulebook(keeping_store, SHEET, "admin").stored == 0
    assert [kept.made_by for kept in list_local_rulebooks(keeping_store)] == ["command"]
    dear = sheet_of_rules(own_game("zique", (BEZIQUE_POINTS, 700)).rules)
    with pytest.raises(RulebookRefused, match="Another rulebook with the id ours"):
        add_rulebook(keeping_store, dear, "command")
    with pytest.raises(RulebookRefused, match="published rulebook zique"):
        add_rulebook(keeping_store, replace(dear, id="zique"), "command")
    assert sent(keeping_store, NAMED)[0] == "stored"


def test_what_could_not_be_read_again_is_not_kept(
    keeping_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inner_sheet, "LARGEST_SHEET_BYTES", 3_000)
    with pytest.raises(RulebookRefused, match="has at most 3,000 bytes"):
        add_rulebook(keeping_store, own_sheet("zique", "large"), "command")


def test_no_more_are_kept_than_can_be_opened_soon(
    keeping_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "MOST_RULEBOOKS", 1)
    with pytest.raises(RulebookRefused, match="No more than 1"):
        add_rulebook(keeping_store, own_sheet("zique", "theirs"), "command")


def test_a_rulebook_goes_once_no_game_goes_by_it(keeping_store: Store) -> None:
    sent(keeping_store, NAMED)
    (digest,) = [digest for (digest,) in keeping_store.rows("SELECT digest FROM games").rows]
    with pytest.raises(RulebookRefused, match="1 record goes by Ours"):
        remove_rulebook(keeping_store, "ours")
    trash_games(keeping_store, [digest])
    with pytest.raises(RulebookRefused, match="in the trash"):
        remove_rulebook(keeping_store, KEY)
    assert restore_games(keeping_store, [digest]) == 1
    delete_for_good(keeping_store, [digest])
    assert remove_rulebook(keeping_store, "ours").key == KEY
    assert own_sheets() == ()
    assert sent(keeping_store, NAMED)[2] == "ours"
    with pytest.raises(RulebookRefused, match="No rulebook with the id ours"):
        remove_rulebook(keeping_store, "ours")


def test_an_upgrade_takes_the_rulebooks_over_before_it_judges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = own_game("zique", (BEZIQUE_POINTS, 700), own_id="theirs")
    with Store(tmp_path) as store:
        add_rulebook(store, SHEET, "command")
        sent(store, NAMED)
        sent(store, replace(other, rules=replace(other.rules, sheet=None)))
        before = list_local_rulebooks(store)
    for module in ("analyzer.store.schema", "analyzer.upkeep.upgrade"):
        monkeypatch.setattr(f"{module}.JUDGEMENT_VERSION", JUDGEMENT_VERSION + 1)
    summary = upgrade_folder(tmp_path)
    assert summary is not None
    assert (summary.records, summary.changed, summary.left_out) == (1, 0, 0)
    with Store(tmp_path) as store:
        assert list_local_rulebooks(store) == before
        assert add_rulebook(store, sheet_of_rules(other.rules), "command").stored == 1


def test_a_rescue_brings_rulebooks_and_what_waits(tmp_path: Path) -> None:
    other = own_game("zique", (BEZIQUE_POINTS, 700), own_id="theirs")
    with Store(tmp_path / "old") as store:
        add_rulebook(store, SHEET, "command")
        sent(store, NAMED)
        sent(store, replace(other, rules=replace(other.rules, sheet=None)))
        before = list_local_rulebooks(store)
    rescue_records(tmp_path / "old", tmp_path / "new", lambda done, total: None)
    with Store(tmp_path / "new") as store:
        assert list_local_rulebooks(store) == before
        assert add_rulebook(store, sheet_of_rules(other.rules), "command").stored == 1


def test_an_export_has_the_rulebooks(tmp_path: Path) -> None:
    with Store(tmp_path / "club", files=tmp_path) as store:
        add_rulebook(store, SHEET, "command")
        sent(store, NAMED)
        export_parquet(store, tmp_path / "out")
    with ParquetStore(tmp_path / "out") as copy:
        assert [kept.key for kept in list_local_rulebooks(copy)] == [KEY]
        sheet = local_rulebook(copy, KEY)
        assert sheet is not None
        assert 70 in {meld.points for meld in sheet.rules.melds}
        (digest,) = [digest for (digest,) in copy.rows("SELECT digest FROM games").rows]
        report = copy.report(digest)
        assert report is not None
        assert report.verdict == verdict_of(WHOLE)
