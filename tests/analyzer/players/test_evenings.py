"""Evenings: steps one after the other, what they refuse, which records count, and what survives upgrade, rescue, export."""

import threading
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.ingest.loader import ingest_bytes
from analyzer.ingest.renaming import rename_player, take_back_rename
from analyzer.players.evening_report import report_evening, tell_standing
from analyzer.players.evening_results import (
    EveningMatch,
    pair_next_round,
    read_results,
    settle,
)
from analyzer.players.evenings import (
    AnyStep,
    Evening,
    EveningExists,
    EveningOpening,
    EveningRefused,
    PairingSystem,
    PlayerAbsence,
    PlayerArrival,
    PlayerDeletion,
    PlayerNaming,
    PlayerSwap,
    ResultTyping,
    RoundPairing,
    RoundRemoval,
    TypedOutcome,
    list_entered_names,
    list_evenings,
    open_evening,
    read_evening,
    take_steps,
)
from analyzer.players.round_pairing import PairedRound
from analyzer.store.parquet import export_parquet
from analyzer.store.store import DATABASE_FILE_NAME, Store
from analyzer.store.store_folders import open_store
from analyzer.upkeep.rescue import rescue_records
from analyzer.upkeep.upgrade import upgrade_folder
from records.format import codec
from records.record import Result
from records.selfplay import play_game
from tests.make.empty_store import with_empty_database

DAY = date(2026, 3, 5)
OPENING = EveningOpening("Club", DAY, "swiss")
NAMES = ("Ann", "Bob", "Cleo", "Dan")
FIRST = RoundPairing(1, PairedRound([(1, 2), (3, 4)]))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(with_empty_database(tmp_path / "data")) as opened:
        yield opened


@pytest.fixture
def key(store: Store) -> int:
    """An evening of four, with its first round."""
    key = open_evening(store, OPENING, "person")
    take_steps(store, key, [*map(PlayerArrival, NAMES), FIRST], "person")
    return key


def now(store: Store, key: int) -> Evening:
    found = read_evening(store, key)
    assert found
    return found


def store_match(
    store: Store, first: str, second: str, *, seed: int = 1, number: object = 1, day: str = "2026-03-05", **more: object
) -> str:  # fmt: skip
    record = play_game("zique", seed=seed, names=[first, second])
    record.meta = {"event": "Club", "round": number, "started": f"{day}T19:30:00Z", **more}
    ingest_bytes(store, "game.json", codec.encode(record))
    assert record.result
    assert record.result.scores
    return (first, second)[record.result.scores[1] > record.result.scores[0]]


def winner(store: Store, key: int, number: int = 1, pair: tuple[int, int] = (1, 2)) -> object:
    evening = now(store, key)
    result = read_results(store, evening).of(number, pair)
    return result.source, evening.player(result.winner).name if result.winner else None


@pytest.mark.long
def test_a_record_of_the_pair_and_round_counts_before_what_was_typed(
    store: Store, key: int
) -> None:
    take_steps(store, key, [ResultTyping(1, 1, 2, "second", (500, 900))], "person")
    assert winner(store, key) == ("typed", "Bob")
    won = store_match(store, "Bob", "Ann")
    assert winner(store, key) == ("record", won)
    result = read_results(store, now(store, key)).of(1, (1, 2))
    assert result.typed
    assert sum(line.matches for line in read_results(store, now(store, key)).lines) == 2


@pytest.mark.parametrize(
    "other",
    [
        {"number": 2},
        {"number": "final"},
        {"day": "2026-03-04"},
        {"day": "2026-03-12"},
        {"second": "Bobb"},
        {"second": "Cleo"},
    ],
)
@pytest.mark.long
def test_other_records_do_not_count(store: Store, key: int, other: dict[str, str]) -> None:
    open_evening(store, EveningOpening("Club", date(2026, 3, 12), "swiss"), "person")
    given = {"first": "Ann", "second": "Bob", **other}
    store_match(store, given.pop("first"), given.pop("second"), **given)
    results = read_results(store, now(store, key))
    assert not any(result.source for result in results.by_pair.values())
    assert [bool(each.problem) for each in results.misfits] == [True] * ("day" not in other)


@pytest.mark.long
def test_a_corrected_name_makes_a_record_count(store: Store, key: int) -> None:
    won = store_match(store, "Anne", "Bob")
    assert winner(store, key) == ("", None)
    rename_player(store, "Anne", "Ann")
    assert winner(store, key) == ("record", "Ann" if won == "Anne" else won)
    take_steps(store, key, [PlayerNaming(1, "Anne")], "person")
    assert winner(store, key) == ("record", "Ann" if won == "Anne" else won)


@pytest.mark.long
@pytest.mark.parametrize("written", ["Anne", "Ann"])
def test_an_evening_calls_people_as_lists_do(store: Store, key: int, written: str) -> None:
    take_steps(store, key, [PlayerNaming(1, written)], "person")
    store_match(store, "Anne", "Zoe", number=9)
    rename_player(store, "Anne", "Ann")
    assert [each.name for each in now(store, key).players] == [*NAMES]
    assert now(store, key).player(1).written == written
    won = store_match(store, "Anne", "Bob")
    assert winner(store, key) == ("record", "Ann" if won == "Anne" else won)
    take_back_rename(store, "Ann")
    assert now(store, key).player(1).name == written


@pytest.mark.long
def test_who_was_made_one_with_another_player_of_the_evening_keeps_the_name(
    store: Store, key: int
) -> None:
    store_match(store, "Ann", "Zoe")
    rename_player(store, "Ann", "Bob")
    assert [each.name for each in now(store, key).players] == [*NAMES]


@pytest.mark.sampled(3)
@pytest.mark.long
@pytest.mark.parametrize("renames", [
    [("Ann", "Cleo")], [("Cleo", "Ann")], [("Ann", "Dan"), ("Dan", "Zoe")], [("Ann", "Zoe"), ("Cleo", "Zoe")],
    [("Ann", "Zoe"), ("Zoe", "Cleo")], [("Bob", "Zoe"), ("Ann", "Cleo")],
])  # fmt: skip
def test_no_rename_takes_a_result_from_its_table(
    store: Store, key: int, renames: list[tuple[str, str]]
) -> None:
    store_match(store, "Ann", "Bob", seed=1)
    store_match(store, "Dan", "Cleo", seed=2)

    def results() -> list[tuple[str, int | None]]:
        found = read_results(store, now(store, key))
        assert not found.misfits
        return [(each.source, each.winner) for each in found.by_pair.values()]

    before = results()
    assert [source for source, _ in before] == ["record", "record"]
    for old, new in renames:
        rename_player(store, old, new)
        assert results() == before
        called: dict[str, list[str]] = {}
        for each in now(store, key).players:
            called.setdefault(each.shared_name, []).append(each.name)
        assert all(len(names) > 1 for name, names in called.items() if name)
    for _, new in renames[::-1]:
        take_back_rename(store, new)
        assert results() == before
    assert not any(each.shared_name for each in now(store, key).players)


@pytest.mark.long
def test_a_person_with_an_id_is_followed_and_a_namesake_is_not(store: Store, key: int) -> None:
    record = play_game("zique", seed=1, names=["Cleo", "Zoe"])
    record.players[0].id = "7"
    ingest_bytes(store, "game.json", codec.encode(record))
    rename_player(store, "Cleo", "Cleopatra")
    assert now(store, key).player(3).name == "Cleopatra"
    store_match(store, "Cleo", "Zoe", seed=2)
    assert now(store, key).player(3).name == "Cleo"


@pytest.mark.parametrize(
    ("outcome", "points", "why"),
    [
        ("first", (100, 900), "With fewer points than Bob, Ann cannot have won"),
        ("second", (900, 100), "With fewer points than Ann, Bob cannot have won"),
        ("draw", (10, 900), "same points"),
        ("first", (900, 900), ""),
        ("draw", (0, 0), ""),
        ("open", (10, 900), ""),
        ("second", None, ""),
    ],
)
def test_points_that_contradict_the_outcome_are_refused(
    store: Store, key: int, outcome: TypedOutcome, points: tuple[int, int] | None, why: str
) -> None:
    step = ResultTyping(1, 1, 2, outcome, points)
    if not why:
        return take_steps(store, key, [step], "person")
    with pytest.raises(EveningRefused, match=why):
        take_steps(store, key, [step], "person")
    assert not now(store, key).rounds[0].typed
    stored_before = fold([*map(PlayerArrival, NAMES), FIRST, step])
    assert stored_before.rounds[0].typed
    return None


def test_an_event_has_one_evening_a_day(store: Store, key: int) -> None:
    with pytest.raises(EveningExists) as known:
        open_evening(store, EveningOpening(" Club ", DAY, "round-robin"), "person")
    assert known.value.key == key
    other = open_evening(store, EveningOpening("Club", date(2026, 3, 6), "swiss"), "person")
    take_steps(store, key, [EveningOpening("Club", DAY, "round-robin")], "person")
    with pytest.raises(EveningExists):
        take_steps(store, other, [OPENING], "person")
    assert len(list_evenings(store)) == 2


def test_who_is_in_no_round_can_be_deleted_and_leaves_a_gap(store: Store, key: int) -> None:
    take_steps(store, key, [PlayerArrival("Eve"), PlayerDeletion(5), PlayerArrival("Eve")], "one")
    assert now(store, key).player(6).name == "Eve"
    for number, why in ((5, "no such player"), (1, "Ann can only leave")):
        with pytest.raises(EveningRefused, match=why):
            take_steps(store, key, [PlayerDeletion(number)], "person")
    take_steps(store, key, [RoundRemoval(1, 0), PlayerDeletion(1)], "person")
    evening = now(store, key)
    paired = pair_next_round(evening, read_results(store, evening))
    assert sorted(paired.players) == [2, 3, 4, 6]
    assert list_entered_names(store, 9) == ["Eve", *NAMES]


@pytest.mark.long
def test_an_abandoned_game_leaves_what_was_typed(store: Store, key: int) -> None:
    record = play_game("zique", seed=1, names=["Ann", "Bob"], deals=2)
    deal = record.deals[0]
    record.deals = [deal]
    deal.events, deal.claims = deal.events[:10], None
    record.result = Result(status="abandoned")
    record.meta = {"event": "Club", "round": 1, "started": "2026-03-05T19:30:00Z"}
    ingest_bytes(store, "game.json", codec.encode(record))
    (match,) = read_results(store, now(store, key)).of(1, (1, 2)).matches
    assert (match.counts, match.problem) == (False, "abandoned")
    take_steps(store, key, [ResultTyping(1, 1, 2, "first")], "person")
    assert winner(store, key) == ("typed", "Ann")


def test_a_game_told_twice_counts_once_and_two_winners_count_not_at_all() -> None:
    evening = fold([*map(PlayerArrival, NAMES), FIRST])

    def match(winner: int) -> EveningMatch:
        pair = frozenset((1, 2))
        return EveningMatch(f"{winner}", ["Ann", "Bob"], 1, pair, True, winner, {}, 0)

    once = settle(evening, [match(1), match(1)])
    assert (once.of(1, (1, 2)).source, once.points[1], once.lines[0].matches) == ("record", 1, 1)
    disputed = settle(evening, [match(1), match(2)])
    assert disputed.of(1, (1, 2)).is_disputed
    assert set(disputed.points.values()) == {0}


def fold(steps: list[AnyStep]) -> Evening:
    evening = Evening(1)
    for number, step in enumerate([OPENING, *steps], start=1):
        evening.take(step, number)
    return evening


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (PlayerArrival(" Ann "), "The list has Ann already."),
        (PlayerArrival("\u200b"), "at least"),
        (PlayerArrival("x" * 101), "at most 100"),
        (PlayerAbsence(9, away=True), "no such player"),
        (PlayerNaming(1, "Bob"), "The list has"),
        (FIRST, "Round 1 is paired already."),
        (RoundPairing(3, FIRST.paired), "paired already"),
        (PlayerSwap(1, 1, 1), "two players"),
        (PlayerSwap(1, 1, 9), "two players"),
        (PlayerSwap(1, 1, 3), "has a result"),
        (PlayerSwap(2, 1, 2), "not paired"),
        (RoundRemoval(1, 0), "Somebody else"),
        (ResultTyping(1, 1, 3, "first"), "do not meet"),
        (ResultTyping(1, 1, 2, "first"), "typed a result"),
        (ResultTyping(1, 3, 4, "first", (-1, 0)), "Points"),
        (EveningOpening(" ", DAY, "swiss"), "name"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(step: AnyStep, why: str) -> None:
    steps: list[AnyStep] = [*map(PlayerArrival, NAMES), FIRST, ResultTyping(1, 1, 2, "draw")]
    evening = fold(steps)
    with pytest.raises(EveningRefused, match=why):
        evening.take(step, 8)
    assert evening == fold(steps)


def test_a_round_is_changed_and_taken_back() -> None:
    steps: list[AnyStep] = [*map(PlayerArrival, (*NAMES, "Eve"))]
    paired = RoundPairing(1, PairedRound([(1, 2), (3, 4)], 5))
    evening = fold([*steps, paired, PlayerSwap(1, 2, 5)])
    assert evening.rounds[0].paired == PairedRound([(1, 5), (3, 4)], 2)
    typed = ResultTyping(1, 3, 4, "second")
    assert fold([*steps, paired, typed, RoundRemoval(1, 1)]).rounds == []
    retyped = [*steps, paired, typed, ResultTyping(1, 3, 4, "open", over=8)]
    assert fold(retyped) == fold([*steps, paired, *[PlayerAbsence(1, away=False)] * 2])


def test_in_a_swiss_who_sits_out_gets_a_point() -> None:
    evening = fold([*map(PlayerArrival, NAMES[:3])])
    for number in range(1, 4):
        paired = pair_next_round(evening, settle(evening, []))
        evening.take(RoundPairing(number, paired), 4 + number)
    assert [line.points for line in settle(evening, []).lines] == [1, 1, 1]
    evening.system = "round-robin"
    assert [line.points for line in settle(evening, []).lines] == [0, 0, 0]


@settings(max_examples=20)
@given(st.lists(st.sampled_from(["first", "second", "draw"]), min_size=12, max_size=12))
def test_the_points_of_a_standing_add_up(outcomes: list[str]) -> None:
    """One for each match and, in a Swiss, one for each who sat out: counted from the rounds alone."""
    evening = fold([*map(PlayerArrival, (*NAMES, "Eve"))])
    step = evening.steps
    for number in range(1, 5):
        step += 1
        evening.take(RoundPairing(number, pair_next_round(evening, settle(evening, []))), step)
        for pair in evening.rounds[-1].paired.pairs:
            step += 1
            evening.take(ResultTyping(number, *pair, outcomes.pop()), step)  # type: ignore[arg-type]
    lines = settle(evening, []).lines
    assert sum(line.points for line in lines) == 4 * 2 + 4
    assert sum(line.won for line in lines) == sum(line.lost for line in lines)
    assert [line.points for line in lines] == sorted((line.points for line in lines), reverse=True)
    assert all(line.matches == line.won + line.drawn + line.lost == 4 - line.byes for line in lines)


def test_of_two_at_once_nothing_is_lost(store: Store, key: int) -> None:
    """Two browsers add people and type a result of one table: everybody is there, and one result was refused."""
    refused = []

    def run(who: str) -> None:
        for number in range(5):
            take_steps(store, key, [PlayerArrival(f"{who} {number}")], who)
        try:
            take_steps(store, key, [ResultTyping(1, 1, 2, "first")], who)
        except EveningRefused as error:
            refused.append(str(error))

    browsers = [threading.Thread(target=run, args=[who]) for who in ("one", "two")]
    for browser in browsers:
        browser.start()
    for browser in browsers:
        browser.join()
    evening = now(store, key)
    assert len(evening.players) == len(NAMES) + 10
    assert len(evening.rounds[0].typed) == 1
    assert len(refused) == 1
    with pytest.raises(EveningRefused):
        take_steps(store, key, [PlayerArrival("Zoe")], "one", after=evening.steps - 1)
    with pytest.raises(EveningRefused):
        take_steps(store, key, [PlayerArrival("Zoe"), PlayerArrival("Ann")], "one")
    assert now(store, key) == evening


@pytest.mark.slow
def test_evenings_stay_through_a_restart_a_rescue_an_export_and_an_upgrade(tmp_path: Path) -> None:
    folder = with_empty_database(tmp_path / "data")
    with Store(folder, files=tmp_path) as store:
        key = open_evening(store, OPENING, "person")
        take_steps(store, key, [*map(PlayerArrival, NAMES), FIRST], "person")
        store_match(store, "Ann", "Bob")
        before, result = now(store, key), winner(store, key)
        export_parquet(store, tmp_path / "tables")
    rescue_records(folder, tmp_path / "rescued", lambda *_: None)
    for place in (folder, tmp_path / "tables", tmp_path / "rescued"):
        with open_store(place) as store:
            assert now(store, key) == before
            assert winner(store, key) == result
            assert [each.event for each in list_evenings(store)] == ["Club"]
    with duckdb.connect(str(folder / DATABASE_FILE_NAME)) as connection:
        connection.execute("UPDATE schema_version SET version = version - 1")
    assert upgrade_folder(folder)
    with open_store(folder) as store:
        assert now(store, key) == before
        assert winner(store, key) == result


def said_after(results: str, *, rounds: int, system: PairingSystem) -> str:
    """What is said of an evening of four after typed results of its rounds, two tables each: 1, 2, = or ? a table."""
    tables = [[(1, 2), (3, 4)], [(1, 3), (2, 4)], [(1, 4), (2, 3)]][:rounds]
    steps: list[AnyStep] = [*map(PlayerArrival, NAMES)]
    outcomes: dict[str, TypedOutcome] = {"1": "first", "2": "second", "=": "draw"}
    signs = iter(results)
    for number, pairs in enumerate(tables, start=1):
        steps.append(RoundPairing(number, PairedRound(pairs)))
        for (one, other), sign in zip(pairs, signs, strict=False):
            if sign in outcomes:
                steps.append(ResultTyping(number, one, other, outcomes[sign]))
    evening = fold(steps)
    evening.system = system
    return tell_standing(evening, settle(evening, []))


@pytest.mark.parametrize(
    ("results", "rounds", "system", "said"),
    [
        ("", 0, "swiss", ""),
        ("??", 1, "swiss", "2 results of round 1 are open."),
        ("1?", 1, "swiss", "Ann leads with 1 point of 1; 1 result of round 1 is open."),
        ("11", 1, "swiss", "After 1 round Ann and Cleo lead with 1 point each."),
        ("==", 1, "swiss", "After 1 round 4 players lead with 0.5 points each."),
        ("111?", 2, "swiss", "Ann leads with 2 points of 2; 1 result of round 2 is open."),
        ("1???", 2, "swiss", "Ann leads with 1 point of 1; 3 results of rounds 1 and 2 are open."),
        ("1111=1", 3, "swiss", "After 3 rounds Ann leads with 2.5 points of 3."),
        ("1111", 2, "round-robin", "After 2 rounds Ann leads with 2 points of 2."),
        ("111111", 3, "round-robin", "Everybody has met everybody: Ann wins with 3 points of 3."),
    ],
)
def test_a_sentence_says_who_leads_and_what_is_open(results, rounds, system, said):
    assert said_after(results, rounds=rounds, system=system) == said


def test_programs_get_the_sentence_too(store: Store, key: int) -> None:
    assert report_evening(store, now(store, key)).says == "2 results of round 1 are open."
