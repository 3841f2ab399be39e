"""Explore: every combination is answered or refused, and numbers and intervals are recomputed from the records."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any
from urllib.parse import quote_plus

import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.review import stored
from analyzer.review.deep_review import ReviewTerms
from analyzer.review.stored import save_review
from analyzer.statistics import figures
from analyzer.statistics.answer import MIXED_SHEETS, overview_questions, run_ask, run_differences
from analyzer.statistics.ask import (
    MOST_VALUES,
    Refused,
    from_address,
    presets,
    read_ask,
    read_filter,
    refusal,
)
from analyzer.statistics.catalogue import dimensions, metrics, read_dimension, read_metric
from analyzer.statistics.compose import compose, values_of
from analyzer.statistics.intervals import ROWS_FOR_WIDTH, sampling_step
from analyzer.statistics.questions import Answer, QuestionFilters, questions, run_question
from analyzer.store.store import Store
from records.format import codec
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game
from tests.analyzer.made_up_reviews import made_up_review
from tests.analyzer.statistics import recount
from tests.machine.cpu_cost import CpuCost
from tests.make.stored_games import store_game

Raw = list[dict[str, Any]]
SIDES = (0, 1)
OPTIONS = ("option.target", "option.dix")
SHAPES = [name for name in dimensions() if not dimensions()[name].option or name in OPTIONS]
"""Every dimension, and of the options, which are made alike, a common and a rare one."""

COMBINED = [
    (metric, by) for metric, by in product(metrics(), SHAPES)
    if not refusal(metrics()[metric], dimensions()[by])
]  # fmt: skip
REFUSED = [pair for pair in product(metrics(), SHAPES) if pair not in COMBINED]


def ask(store: Store, address: str) -> Answer:
    return run_ask(store, from_address(address))


GOOD = Path(__file__).parents[3] / "samples" / "good"
LEADS = ("lead", "own_lead", "tricks_ahead", "leads_held")


def rows(store: Store, address: str) -> list[dict[str, Any]]:
    return ask(store, address).dicts()


def of(raw: Raw) -> dict[str, list[dict[str, Any]]]:
    """The deals by sheet."""
    found = defaultdict(list)
    for game in raw:
        found[game["rules"]["id"]] += game["deals"]
    return found


def test_there_is_much_to_ask() -> None:
    assert len(metrics()) >= 25
    assert len(SHAPES) >= 25
    assert len(presets()) >= 12


@pytest.mark.slow
@pytest.mark.parametrize("metric", metrics())
def test_every_dimension_is_answered(full: Store, metric: str) -> None:
    for by in (by for name, by in COMBINED if name == metric):
        found = ask(full, f"metric={metric}&by={by}")
        assert found.columns[:4] == (by, metric, "low", "high")
        assert found.columns[-1] == "n"
        for row in found.dicts():
            assert row["n"] > 0
            assert row["low"] is None or row["low"] <= row[metric] <= row["high"], by
        json.dumps(found.dicts())
        assert (figures.figure_as_json(found) is None) == (not found.rows)


@pytest.mark.parametrize("metric", metrics())
def test_or_it_is_refused_in_a_sentence(metric: str) -> None:
    for by in (by for name, by in REFUSED if name == metric):
        with pytest.raises(Refused) as why:
            from_address(f"metric={metric}&by={by}")
        sentence = str(why.value)
        assert sentence.endswith(".")
        assert metrics()[metric].title in sentence
        assert dimensions()[by].title in sentence


@pytest.mark.parametrize("metric", metrics())
def test_every_metric_has_most_of_the_dimensions_of_a_game(metric: str) -> None:
    answered = {by for name, by in COMBINED if name == metric}
    assert {"sheet", "month", "program", "verdict", "players", "option.target"} <= answered


@pytest.mark.slow
@pytest.mark.parametrize("metric", metrics())
def test_two_dimensions_at_once(full: Store, metric: str) -> None:
    """The parts of a whole: split further, the counts of a sheet add up to what they were."""
    by_sheet, further = Counter[str](), Counter[str]()
    for row in rows(full, f"metric={metric}&by=sheet"):
        by_sheet[row["sheet"]] += row["n"]
    for row in rows(full, f"metric={metric}&by=sheet&split=program"):
        further[row["sheet"]] += row["n"]
    assert further == by_sheet
    assert len(ask(full, f"metric={metric}").rows) == 1


LIMITS = ("", "&sheet=zique", "&player=it's%20$sheet_1&every=1&month=2020-01..2030-12")


@pytest.mark.slow
def test_the_sql_shown_runs_as_it_is_shown(full: Store) -> None:
    for (metric, by), limits in product(COMBINED[::17], LIMITS):
        try:
            found = ask(full, f"metric={metric}&by={by}{limits}")
        except Refused:
            continue
        assert full.rows(found.sql).rows == found.rows


def test_no_sql_names_a_sheet() -> None:
    for metric, by in COMBINED:
        sql = compose(from_address(f"metric={metric}&by={by}")).sql
        assert not [sheet.id for sheet in ALL_SHEETS if f"'{sheet.id}'" in sql]


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.title)
def test_a_preset_is_answered(full: Store, preset: Any) -> None:
    found = run_ask(full, preset.ask)
    dated = preset.ask.by is not dimensions()["month"]
    assert bool(found.rows) == (dated and preset.ask.metric.name != "findings")
    assert re.fullmatch(r"[A-Z].*[\w?]", preset.title)


# Rule sheets are not mixed


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.title)
def test_a_preset_compares_like_with_like(full: Store, preset: Any) -> None:
    """Its answer rests on one rule sheet in every row, or it says why it need not."""
    used = [*preset.ask.split_by, *(limit.dimension for limit in preset.ask.filters)]
    by_sheet = dimensions()["sheet"] in used
    assert by_sheet == (not preset.mixes)
    assert (MIXED_SHEETS in run_ask(full, preset.ask).question.caveat) == bool(preset.mixes)
    assert not preset.mixes or preset.mixes.endswith(".")


@pytest.mark.parametrize(
    "question", overview_questions("player"), ids=lambda question: question.name
)
def test_so_does_the_page_of_a_player(question: Any) -> None:
    assert question.alike == (not question.mixes)
    assert question.ask.mixes_sheets


@pytest.mark.slow
def test_every_other_question_says_that_sheets_are_mixed(full: Store, dated: Store) -> None:
    for metric, by in COMBINED:
        asked = from_address(f"metric={metric}&by={by}")
        assert asked.mixes_sheets == (by != "sheet")
    for address, mixed in (
        ("metric=points", True),
        ("metric=points&by=strength", True),
        ("metric=points&by=strength&sheet=zique&sheet=marjolet", True),
        ("metric=points&by=strength&sheet=zique", False),
        ("metric=points&by=strength&split=sheet", False),
        ("metric=points&by=sheet", False),
    ):
        assert (MIXED_SHEETS in ask(full, address).question.caveat) == mixed
        assert MIXED_SHEETS not in ask(dated, address).question.caveat, "there is one sheet only"


@pytest.mark.long
def test_an_empty_database_has_empty_answers(store: Store) -> None:
    for metric in metrics():
        found = ask(store, f"metric={metric}&by=sheet")
        assert (found.rows, found.n, figures.figure_as_json(found)) == ([], 0, None)


def test_names_are_told_apart() -> None:
    """One word names one thing: the command line takes questions and metrics alike."""
    names = [*metrics(), *(question.name for question in questions())]
    assert len(names) == len(set(names))
    titles = [metric.title for metric in metrics().values()]
    assert len(titles) == len(set(titles))


@pytest.mark.parametrize("name", metrics())
def test_a_header_is_whole_sentences(name: str) -> None:
    metric = metrics()[name]
    assert metric.asks[0].isupper()
    assert metric.caveat.endswith(".")
    assert len(metric.unit) <= 60


def test_an_incomplete_file_is_refused() -> None:
    with pytest.raises(ValueError, match="asks"):
        read_metric("points", "-- title: Points\n-- kind: mean\nseats.points\n")
    with pytest.raises(ValueError, match="tables"):
        read_dimension("sheet", "-- title: Sheet\n-- axis: sheet\n-- kind: category\nit.sheet\n")


# Numbers


def seats_by_match(raw: Raw) -> dict[tuple[str, bool], list[list[float]]]:
    """The points of every player by sheet and whether he dealt, those of one match together."""
    found = defaultdict(list)
    for game, dealt in product(raw, (False, True)):
        found[game["rules"]["id"], dealt].append(
            [
                deal["claims"]["scores"][seat]
                for deal in game["deals"]
                for seat in SIDES
                if (seat == deal["dealer"]) == dealt
            ]
        )
    return found


def counted(matches: list[list[float]]) -> list[tuple[float, float]]:
    return [(sum(values), len(values)) for values in matches if values]


def assert_ends(row: dict[str, Any], ends: tuple[float, float] | None, scale: float = 1) -> None:
    """The ends of an interval, which an answer rounds to two digits."""
    if ends is None:
        assert (row["low"], row["high"]) == (None, None)
    else:
        expected = tuple(pytest.approx(scale * end, rel=2e-4, abs=0.006) for end in ends)
        assert (row["low"], row["high"]) == expected


@pytest.mark.usefixtures("however_few")
def test_a_mean_and_its_interval(full: Store, raw: Raw) -> None:
    expected = seats_by_match(raw)
    found = rows(full, "metric=points&by=sheet&split=role")
    assert len(found) == len(expected)
    for row in found:
        matches = counted(expected[row["sheet"], row["role"] == "dealer"])
        assert (row["n"], row["matches"]) == (sum(n for _, n in matches), len(matches))
        assert row["points"] == pytest.approx(recount.value(matches), abs=0.006)
        assert_ends(row, recount.mean_ends(matches))
    (whole,) = rows(full, "metric=points")
    assert_ends(whole, None)  # of several sheets


def test_a_share_and_its_interval(full: Store, raw: Raw) -> None:
    won: dict[str, list[list[float]]] = defaultdict(list)
    for game in raw:
        scores = [
            [deal["claims"]["scores"][(deal["dealer"] + i) % 2] for i in SIDES]
            for deal in game["deals"]
        ]
        won[game["rules"]["id"]].append(
            [(mine > other) + (mine == other) / 2 for mine, other in scores]
        )
    ends = []
    for row in rows(full, "metric=deals_won&by=sheet&role=dealer"):
        matches = counted(won[row["sheet"]])
        assert row["n"] == sum(n for _, n in matches)
        assert row["deals_won"] == pytest.approx(100 * recount.value(matches), abs=0.006)
        ends.append(recount.share_ends(matches))
        assert_ends(row, ends[-1], 100)
    assert len(set(ends)) > 3


@pytest.mark.usefixtures("however_few")
def test_a_mean_that_may_be_negative(full: Store, raw: Raw) -> None:
    for row in rows(full, "metric=points_ahead&by=sheet&role=dealer"):
        games = [game for game in raw if game["rules"]["id"] == row["sheet"]]
        leads = [
            [deal["claims"]["scores"][deal["dealer"]] - deal["claims"]["scores"][1 - deal["dealer"]]
             for deal in game["deals"]] for game in games
        ]  # fmt: skip
        assert row["points_ahead"] == pytest.approx(recount.value(counted(leads)), abs=0.006)
        assert_ends(row, recount.mean_ends(counted(leads)))


@pytest.mark.parametrize("metric", ["points", "deals_won"])
@pytest.mark.usefixtures("however_few")
def test_the_difference_of_two_groups(full: Store, raw: Raw, metric: str) -> None:
    """Dealer and leader play the same deals: a match adds what it adds to the difference."""
    asked = from_address(f"metric={metric}&by=sheet&split=role&players=2")
    found = run_differences(full, asked, run_ask(full, asked))
    assert found is not None
    assert found.title == "leader less dealer"
    assert full.rows(found.sql).rows == found.rows
    assert {row[0] for row in found.rows} == set(of(raw))
    for sheet, difference, low, high, matches, n in found.rows:
        pairs = []
        for game in (game for game in raw if game["rules"]["id"] == sheet):
            values: list[list[float]] = [[], []]
            for deal, seat in product(game["deals"], SIDES):
                mine, other = (deal["claims"]["scores"][each] for each in (seat, 1 - seat))
                won = (mine > other) + (mine == other) / 2
                values[seat != deal["dealer"]].append(mine if metric == "points" else 100 * won)
            pairs.append(tuple((sum(each), len(each)) for each in values))
        assert (matches, n) == (len(pairs), 2 * sum(one[1] for one, _ in pairs))
        assert difference == pytest.approx(
            recount.value([two for _, two in pairs]) - recount.value([one for one, _ in pairs]),
            abs=0.011,
        )
        ends = recount.difference_ends(pairs) or (None, None)
        assert (low, high) == tuple(end and pytest.approx(end, rel=2e-4, abs=0.011) for end in ends)
    assert sum(row[2] is not None for row in found.rows) > 6


@pytest.mark.parametrize(
    "address",
    ["points&by=sheet", "points&by=role&split=sheet", "meld_rate&by=meld&split=role", "share_of_deals&by=score&split=role"],
)  # fmt: skip
def test_other_questions_have_no_difference(full: Store, address: str) -> None:
    asked = from_address(f"metric={address}")
    assert run_differences(full, asked, run_ask(full, asked)) is None


def test_decisions_by_phase_and_by_kind(full: Store, raw: Raw) -> None:
    """Every deal has the same four decisions, of which two are mistakes."""
    reviewed = "sheet=marjolet"
    lost = {
        row["decision_phase"]: row
        for row in rows(full, f"metric=points_lost&by=decision_phase&{reviewed}")
    }
    assert {phase: row["points_lost"] for phase, row in lost.items()} == {
        "while the stock lasts": 12.25, "last trick before the close": 70, "after the close": 10,
    }  # fmt: skip
    (stock,) = [row["n"] for phase, row in lost.items() if phase.startswith("while")]
    kinds = rows(full, f"metric=mistakes_made&by=decision_kind&{reviewed}")
    assert {row["decision_kind"]: round(row["mistakes_made"]) for row in kinds} == {
        "card played": 0, "nothing melded": 67,
    }  # fmt: skip
    assert sum(row["n"] for row in kinds) == 2 * stock


@pytest.mark.long
@pytest.mark.usefixtures("however_few")
def test_a_rate_counts_those_who_have_none(full: Store, raw: Raw) -> None:
    for sheet in of(raw):
        games = [game for game in raw if game["rules"]["id"] == sheet]
        counts: dict[str, Counter[int]] = defaultdict(Counter)
        for number, game in enumerate(games):
            for deal in game["deals"]:
                for event in deal["events"]:
                    if event["type"] == "meld":
                        counts[event["meld"]][number] += 1
        found = {r["meld"]: r for r in rows(full, f"metric=meld_rate&by=meld&sheet={sheet}")}
        assert set(found) == set(counts)
        units = [2 * len(game["deals"]) for game in games]
        for meld, row in found.items():
            matches = [(counts[meld][number], size) for number, size in enumerate(units)]
            assert (row["n"], row["times"]) == (sum(units), counts[meld].total())
            assert row["matches"] == len(games)
            assert row["meld_rate"] == pytest.approx(100 * recount.value(matches), abs=0.006)
            assert_ends(row, recount.mean_ends(matches), 100)
        whole = ask(full, f"metric=meld_rate&by=meld&sheet={sheet}")
        assert whole.n == sum(units)


def test_the_interval_of_a_spread(full: Store, raw: Raw) -> None:
    for row in rows(full, "metric=share_of_deals&by=score&split=sheet"):
        games = [game for game in raw if game["rules"]["id"] == row["sheet"]]
        matches = [
            (sum(s // 50 * 50 == row["score"] for s in scores), len(scores))
            for scores in (
                [s for d in game["deals"] for s in d["claims"]["scores"]] for game in games
            )
        ]
        assert row["share_of_deals"] == pytest.approx(100 * recount.value(matches), abs=0.006)
        assert_ends(row, recount.share_ends(matches), 100)


@pytest.mark.slow
def test_the_width_from_some_matches_is_near_that_from_all(tmp_path: Path) -> None:
    """Values are of all matches; only how much matches differ is taken from some."""
    many = (play_game("zique", seed=seed) for seed in range(90))
    with Store(tmp_path) as store:
        ingest_bytes(store, "games.jsonl", b"\n".join(map(codec.encode, many)))
        for address, metric in (("meld_rate&by=meld", "meld_rate"), ("points&by=role", "points"),
                                ("deals_won&by=role", "deals_won"), ("share_of_deals&by=score", "share_of_deals")):  # fmt: skip
            composed = {n: compose(from_address(f"metric={address}"), n) for n in (1, 4)}
            whole, some = (store.rows(one.sql, one.parameters).dicts() for one in composed.values())
            assert [row[metric] for row in whole] == [row[metric] for row in some]
            assert f"game < {1 << 60} // 4" in composed[4].sql
            assert " & " not in composed[1].sql
            often = [
                (a, b) for a, b in zip(whole, some, strict=True) if a.get("times", a["n"]) >= 60
            ]
            assert len(often) >= 2
            for a, b in often:
                assert 10 < b["matches"] < 60 < a["matches"]
                assert b["high"] - b["low"] == pytest.approx(a["high"] - a["low"], rel=0.5)


def test_how_many_matches_are_looked_at() -> None:
    """A power of two, so that three quarters of the rows that are enough are looked at, or one and a half times them."""
    assert [sampling_step(rows) for rows in (0, 1, 374_999)] == [1, 1, 1]
    for rows in (375_000, 500_000, 2_187_328, 10_817_664, 29_714_432, 10**9):
        step = sampling_step(rows)
        assert step.bit_count() == 1
        assert 0.75 <= rows / step / ROWS_FOR_WIDTH < 1.5


@pytest.mark.parametrize("metric", ["lead", "own_lead", "meld_time", "margin", "matches_won", "deals_in_match"])  # fmt: skip
def test_the_matches_of_a_player_are_found_first(full: Store, metric: str) -> None:
    """A large table is read for the matches of a player alone; that changes nothing in the answer."""
    ((name,), *_) = full.rows(
        "SELECT player FROM seats JOIN games USING (game) WHERE games.clean ORDER BY game LIMIT 1"
    ).rows
    asked = from_address(f"metric={metric}&by=sheet&player={quote_plus(name)}")
    composed = compose(replace(asked, metric=replace(asked.metric, sums=())))
    found = re.compile(r"\n +AND \w+\.game IN \(SELECT game FROM seats WHERE [^)]*\)\)")
    without = found.sub("", composed.sql)
    assert (without != composed.sql) == (asked.metric.grain.base != "seats")
    rows = full.rows(composed.sql, composed.parameters).rows
    assert rows
    assert full.rows(without, composed.parameters).rows == rows


def test_only_much_is_taken_from_some_matches(full: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    words = "estimated from one match in"
    assert words not in ask(full, "metric=meld_rate&by=meld").question.caveat
    monkeypatch.setattr("analyzer.statistics.intervals.ROWS_FOR_WIDTH", 100)
    for address in ("meld_rate&by=meld", "points&by=role", "lead&by=trick", "points&sheet=zique&sheet=marjolet&month=..2030-01&every=1"):  # fmt: skip
        found = ask(full, f"metric={address}")
        assert (words in found.question.caveat) == ("month" not in address)
        assert full.rows(found.sql).rows == found.rows


def test_points_from_each_source_add_up(full: Store, raw: Raw) -> None:
    by_source: Counter[str] = Counter()
    for row in rows(full, "metric=points_from&by=source&split=sheet"):
        by_source[row["sheet"]] += row["points_from"]
    for sheet, deals in of(raw).items():
        average = mean(score for deal in deals for score in deal["claims"]["scores"])
        assert by_source[sheet] == pytest.approx(average, abs=0.05)


def test_the_lead_after_a_trick(full: Store, raw: Raw) -> None:
    found = {(r["sheet"], r["trick"]): r for r in rows(full, "metric=lead&by=trick&split=sheet")}
    own = rows(full, "metric=own_lead&by=trick&split=role")
    for sheet, deals in of(raw).items():
        lengths = [sum(event["type"] == "trick" for event in deal["events"]) for deal in deals]
        if lengths[0]:
            margins = [
                abs(deal["claims"]["scores"][0] - deal["claims"]["scores"][1]) for deal in deals
            ]
            last = found[sheet, lengths[0]]
            assert (last["n"], last["lead"]) == (
                len(deals),
                pytest.approx(mean(margins), abs=0.006),
            )
    by_role = defaultdict(dict)
    for row in own:
        by_role[row["trick"]][row["role"]] = row["own_lead"]
    assert all(leads["dealer"] == pytest.approx(-leads["leader"]) for leads in by_role.values())


@pytest.mark.long
def test_a_lead_is_told_of_games_for_two(tmp_path: Path) -> None:
    """Side 0 against all others together is no lead where three or four play alone; sums and rows leave such games out."""
    with Store(tmp_path) as store:
        for name in ("three-hands", "four-alone", "four-partners"):
            ingest_bytes(store, "game.json", (GOOD / f"bezique-{name}.json").read_bytes())
        assert rows(store, "metric=leader_takes&by=trick&every=1")
        for metric, by in product(LEADS, ("trick", "role", "sheet", "month")):
            assert rows(store, f"metric={metric}&by={by}&every=1") == [], (metric, by)
        for name in ("lead_in_tricks", "lead_that_holds"):
            question = next(each for each in questions() if each.name == name)
            assert run_question(store, question, QuestionFilters(every=True)).dicts() == []
        store_game(store, play_game("bezique", seed=1))
        for metric, by in product(LEADS, ("trick", "role", "sheet")):
            told = rows(store, f"metric={metric}&by={by}&every=1")
            assert told == rows(store, f"metric={metric}&by={by}&every=1&sheet=bezique")
            assert told


def test_a_spread_is_a_whole(full: Store, raw: Raw) -> None:
    whole = Counter[str]()
    for row in rows(full, "metric=share_of_deals&by=score&split=sheet"):
        whole[row["sheet"]] += row["share_of_deals"]
        assert row["score"] % 50 == 0
    assert {sheet: pytest.approx(100, abs=0.2) for sheet in of(raw)} == whole


def test_matches_count_once(full: Store, raw: Raw) -> None:
    won = Counter(game["rules"]["id"] for game in raw if game["result"].get("winner") is not None)
    for row in rows(full, "metric=matches_won&by=sheet"):
        assert row["n"] == 2 * sum(game["rules"]["id"] == row["sheet"] for game in raw)
        assert row["matches_won"] == 50
    deals = {r["sheet"]: r["deals_in_match"] for r in rows(full, "metric=deals_in_match&by=sheet")}
    for sheet in won:
        lengths = [len(game["deals"]) for game in raw if game["rules"]["id"] == sheet]
        assert deals[sheet] == pytest.approx(mean(lengths), abs=0.006)


# Months


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Games of three months, two of one of them; for reading only."""
    with Store(tmp_path_factory.mktemp("dated")) as store:
        for seed, month in ((1, 1), (2, 1), (3, 2), (4, 4)):
            record = play_game("zique", seed=seed, names=["Ann", "Bob"])
            record.meta = {"started": f"2026-{month:02}-15T19:30:00Z", "event": "Thursday table"}
            store_game(store, record)
            exact = stored.review_stored_exactly(
                store,
                codec.digest(record),
                ReviewTerms(worlds=0, positions=200, last_trick=False, rollouts=2),
            )
            save_review(store, made_up_review(record, exact))
        yield store


@pytest.mark.sampled(10)
@pytest.mark.parametrize("metric", metrics())
def test_every_metric_has_its_months(dated: Store, metric: str) -> None:
    found = ask(dated, f"metric={metric}&by=month")
    assert [row["month"] for row in found.dicts()] == [
        "2026-01",
        "2026-02",
        "2026-04",
    ] or metric == "findings"
    figure = json.loads(figures.figure_as_json(found) or "null")
    named = figure["layout"]["xaxis"]["tickvals"] if figure else []
    assert named == [row["month"] for row in found.dicts()]


def test_a_name_is_no_markup_in_a_figure(store: Store) -> None:
    record = play_game("zique", seed=1, names=["<a href='http://there'>Ann</a>", "B&B"])
    store_game(store, record)
    figure = json.loads(figures.figure_as_json(ask(store, "metric=points&by=player")) or "")
    assert sorted(figure["data"][0]["y"]) == [
        "&lt;a href='http://there'&gt;Ann&lt;/a&gt;",
        "B&amp;B",
    ]


def test_a_range_of_months(dated: Store) -> None:
    whole = {row["month"]: row for row in rows(dated, "metric=points&by=month")}
    found = rows(dated, "metric=points&by=month&month=2026-02..2026-03")
    assert found == [whole["2026-02"]]
    assert rows(dated, "metric=points&by=month&month=2026-04") == [whole["2026-04"]]
    assert rows(dated, "metric=deals_in_match&by=event")[0]["n"] == 4
    assert rows(dated, "metric=matches_won&by=opponent&player=Ann")[0]["opponent"] == "Bob"


# Filters


def test_a_filter_leaves_what_it_says(full: Store) -> None:
    whole = {row["strength"]: row for row in rows(full, "metric=points&by=strength")}
    some = sorted(whole)[2:5]
    address = f"metric=points&by=strength&strength={some[0]}..{some[-1]}"
    assert rows(full, address) == [whole[value] for value in some]
    assert rows(full, f"metric=points&by=strength&strength={some[0]}") == [whole[some[0]]]
    above = rows(full, f"metric=points&by=strength&strength={some[0]}..")
    assert above == [whole[value] for value in sorted(whole)[2:]]


def test_several_values_are_either(full: Store) -> None:
    both = ask(full, "metric=points&sheet=zique&sheet=marjolet")
    each = [ask(full, f"metric=points&sheet={sheet}").n for sheet in ("zique", "marjolet")]
    assert both.n == sum(each)


def test_what_is_typed_is_never_sql(full: Store) -> None:
    sly = "x') OR true OR sheet IN ('"
    composed = compose(read_ask({"metric": ["points"], "player": [sly]}))
    assert sly not in composed.sql
    assert composed.parameters == {"player_1": sly}
    assert run_ask(full, read_ask({"metric": ["points"], "player": [sly]})).rows == []


def test_only_clean_deals_count_unless_asked(full: Store) -> None:
    assert not ask(full, "metric=points").over.startswith("players")
    assert ask(full, "metric=points").over.startswith("clean")
    assert "clean" in compose(from_address("metric=points")).sql
    assert "clean" not in compose(from_address("metric=points&every=1")).sql


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("", "Choose a metric."),
        ("metric=pints", "did you mean points"),
        ("metric=points&by=shit", "There is no dimension"),
        ("metric=points&by=sheet&split=sheet", "chosen twice"),
        ("metric=points&strength=big", "is a number, or a range such as 5..10, not “big”."),
        ("metric=points&strength=..", "a range without limits"),
        ("metric=points&month=2026-13", "is a month such as 2026-03"),
        ("metric=points&last_trick=maybe", "is yes or no"),
        ("metric=points&meld=marriage", "has no single value of"),
        ("metric=points&metric=melds", "more than once"),
        ("metric=points&strength=99999999999999", "is a number"),
        ("metric=points&" + "&".join(f"player={i}" for i in range(21)), "at most 20 values"),
    ],
)
def test_what_cannot_be_asked_is_refused(address: str, said: str) -> None:
    with pytest.raises(Refused, match=re.escape(said)):
        from_address(address)


@pytest.mark.parametrize(
    "address",
    [
        "metric=points",
        "metric=points&by=sheet&split=role&player=Ann&player=Bob&strength=5..&every=1",
        "metric=own_lead&by=trick&month=2026-01..2026-03&last_trick=yes&option.dix=true",
    ],
)
def test_an_address_says_the_same_again(address: str) -> None:
    asked = from_address(address)
    pairs: dict[str, list[str]] = {}
    for name, text in asked.address():
        pairs.setdefault(name, []).append(text)
    assert read_ask(pairs) == asked
    assert "&".join(f"{name}={text}" for name, text in sorted(asked.address())) == "&".join(
        sorted(address.split("&"))
    )


def test_a_second_dimension_alone_is_the_first() -> None:
    assert from_address("metric=points&split=role") == from_address("metric=points&by=role")


@pytest.mark.slow
def test_values_to_choose_from(full: Store, raw: Raw) -> None:
    assert set(values_of(full, dimensions()["sheet"])) == {sheet.id for sheet in ALL_SHEETS}
    players = Counter(player["name"] for game in raw for player in game["players"])
    assert set(values_of(full, dimensions()["player"])) == set(players)
    assert values_of(full, dimensions()["trick"])[:3] == ["1", "2", "3"]
    for dimension in dimensions().values():
        values_of(full, dimension)


def test_steps_are_named_by_their_lower_ends(full: Store) -> None:
    for by, size in (("match_lead", 100), ("score", 50)):
        steps = [row[by] for row in rows(full, f"metric=points&by={by}")]
        assert len(steps) > 2
        assert all(step % size == 0 for step in steps)
    where = "clean AND match_score - match_score_against BETWEEN -100 AND -1"
    ((number,),) = full.rows(f"SELECT count(points) FROM seats WHERE {where}").rows
    behind = [row for row in rows(full, "metric=points&by=match_lead") if row["match_lead"] == -100]
    assert [row["n"] for row in behind] == [number]


@pytest.mark.long
def test_partners_are_ahead_by_what_their_side_is(store: Store) -> None:
    record = play_game("zetema", seed=1, players=4, sides=[[0, 2], [1, 3]])
    store_game(store, record)
    deals = [deal.claims.scores for deal in record.deals if deal.claims]
    by_name = {
        player.name: mean(scores[seat % 2] - scores[1 - seat % 2] for scores in deals)
        for seat, player in enumerate(record.players)
    }
    found = rows(store, "metric=points_ahead&by=player")
    assert {row["player"]: row["points_ahead"] for row in found} == pytest.approx(by_name, abs=0.01)
    won = rows(store, "metric=points_ahead&by=result")
    assert all((row["points_ahead"] > 0) == (row["result"] == "won") for row in won)


@pytest.mark.long
@pytest.mark.parametrize(
    "metric", [name for name, each in metrics().items() if each.per is not None]
)
def test_the_largest_question_of_an_address_is_cheap(full: Store, metric: str) -> None:
    """Every filter that the metric has, with as many values as it may name, and two options to split by.

    Metrics that are divided by the rows of another table are planned twice and cost the most.
    """
    chosen = {
        name: largest_filter(name)
        for name, each in dimensions().items()
        if not refusal(metrics()[metric], each)
    }
    by, split = [name for name in chosen if dimensions()[name].option][:2]
    ask = read_ask({**chosen, "metric": [metric], "by": [by], "split": [split]})
    assert len(ask.filters) == len(chosen) > 30
    with CpuCost() as cost:
        run_ask(full, ask)
    assert cost.seconds < 1


def largest_filter(name: str) -> list[str]:
    for texts in (
        [str(number) for number in range(MOST_VALUES)],
        ["2000-01..2030-01"],
        ["yes", "no"],
        [sheet.id for sheet in ALL_SHEETS],
    ):
        try:
            read_filter(dimensions()[name], texts)
        except Refused:
            continue
        return texts
    raise AssertionError(f"no filter fits {name}")
