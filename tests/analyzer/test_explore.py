"""Explore: every combination is answered or refused, and numbers and intervals are recomputed from the records."""

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest

from analyzer.annotate import stored_annotations
from analyzer.annotate.annotation import AnalysisTerms
from analyzer.charts import figures
from analyzer.db.store import Store
from analyzer.explore.answer import run_ask
from analyzer.explore.ask import MOST_VALUES, Refused, read_ask, read_filter, refusal
from analyzer.explore.catalogue import dimensions, metrics, read_dimension, read_metric
from analyzer.explore.compose import compose
from analyzer.explore.presets import from_address, presets
from analyzer.explore.values import values_of
from analyzer.ingest.loader import ingest_bytes
from analyzer.questions import Answer, questions
from records import codec
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game
from tests.cpu_cost import CpuCost

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


def rows(store: Store, address: str) -> list[dict[str, Any]]:
    return ask(store, address).dicts()


def of(raw: Raw) -> dict[str, list[dict[str, Any]]]:
    """The deals by sheet."""
    found = defaultdict(list)
    for game in raw:
        found[game["rules"]["id"]] += game["deals"]
    return found


def scores(raw: Raw) -> dict[tuple[str, bool], list[int]]:
    """The points of every player by sheet, and whether he dealt."""
    found = defaultdict(list)
    for sheet, deals in of(raw).items():
        for deal, seat in product(deals, SIDES):
            found[sheet, seat == deal["dealer"]].append(deal["claims"]["scores"][seat])
    return found


def test_there_is_much_to_ask() -> None:
    assert len(metrics()) >= 25
    assert len(SHAPES) >= 25
    assert len(presets()) >= 12


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


def t_quantile(freedom: int, at: float = 0.975) -> float:
    """Where Student's t distribution has this share below it: its density summed and bisected."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2))
    scale /= math.sqrt(freedom * math.pi)

    def below(x: float, steps: int = 2000) -> float:
        points = [i * x / steps for i in range(steps + 1)]
        heights = [scale * (1 + p * p / freedom) ** (-(freedom + 1) / 2) for p in points]
        simpson = heights[0] + heights[-1] + 4 * sum(heights[1:-1:2]) + 2 * sum(heights[2:-1:2])
        return 0.5 + simpson * x / steps / 3

    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < at else (low, middle)
    return low


def wilson(share: float, n: int, z: float = 1.959964) -> tuple[float, float]:
    """The two shares from which this one lies z standard errors away: solved, not looked up."""

    def root(sign: int) -> float:
        low, high = (share, 1.0) if sign > 0 else (0.0, share)
        for _ in range(80):
            middle = (low + high) / 2
            far = abs(share - middle) > z * math.sqrt(middle * (1 - middle) / n)
            low, high = (low, middle) if far == (sign > 0) else (middle, high)
        return (low + high) / 2

    return root(-1), root(1)


def test_a_mean_and_its_interval(full: Store, raw: Raw) -> None:
    expected = scores(raw)
    found = rows(full, "metric=points&by=sheet&split=role")
    assert len(found) == len(expected)
    for row in found:
        values = expected[row["sheet"], row["role"] == "dealer"]
        assert row["n"] == len(values)
        assert row["points"] == pytest.approx(mean(values), abs=0.006)
        reach = t_quantile(len(values) - 1) * stdev(values) / math.sqrt(len(values))
        assert row["high"] - row["points"] == pytest.approx(reach, rel=0.01, abs=0.02)
        assert row["points"] - row["low"] == pytest.approx(reach, rel=0.01, abs=0.02)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 8, 20, 200])
def test_students_t_whatever_the_number(store: Store, n: int) -> None:
    """The values 1 to n, as if they were points."""
    sql = compose(from_address("metric=points")).sql
    numbers = f"(SELECT range + 1 AS points, true AS clean FROM range({n})) AS seats"
    ((_, low, high, _),) = store.rows(sql.replace("FROM seats", f"FROM {numbers}")).rows
    reach = t_quantile(n - 1) * stdev(range(n)) / math.sqrt(n)
    assert (high - low) / 2 == pytest.approx(reach, rel=0.01)


def test_a_share_and_its_interval(full: Store, raw: Raw) -> None:
    won: dict[str, list[float]] = defaultdict(list)
    for sheet, deals in of(raw).items():
        for deal in deals:
            mine, other = (deal["claims"]["scores"][(deal["dealer"] + i) % 2] for i in SIDES)
            won[sheet].append((mine > other) + (mine == other) / 2)
    for row in rows(full, "metric=deals_won&by=sheet&role=dealer"):
        share, n = mean(won[row["sheet"]]), len(won[row["sheet"]])
        low, high = wilson(share, n)
        assert (row["n"], row["deals_won"]) == (n, pytest.approx(100 * share, abs=0.006))
        assert (row["low"], row["high"]) == pytest.approx((100 * low, 100 * high), abs=0.01)


def test_a_rate_counts_those_who_have_none(full: Store, raw: Raw) -> None:
    for sheet, deals in of(raw).items():
        counts: dict[str, Counter[tuple[int, int]]] = defaultdict(Counter)
        for number, deal in enumerate(deals):
            for event in deal["events"]:
                if event["type"] == "meld":
                    counts[event["meld"]][number, event["seat"]] += 1
        found = {r["meld"]: r for r in rows(full, f"metric=meld_rate&by=meld&sheet={sheet}")}
        assert set(found) == set(counts)
        n = 2 * len(deals)
        for meld, row in found.items():
            each = [counts[meld][number, seat] for number in range(len(deals)) for seat in SIDES]
            reach = 100 * t_quantile(n - 1) * stdev(each) / math.sqrt(n)
            assert (row["n"], row["times"]) == (n, sum(each))
            assert row["meld_rate"] == pytest.approx(100 * mean(each), abs=0.006)
            assert row["high"] - row["meld_rate"] == pytest.approx(reach, rel=0.01, abs=0.02)
        whole = ask(full, f"metric=meld_rate&by=meld&sheet={sheet}")
        assert whole.n == n


def test_the_spread_of_a_rate_from_some_games_is_near_that_from_all(tmp_path: Path) -> None:
    """Means are of all games; only how often something comes twice is taken from some."""
    many = (play_game("zique", seed=seed) for seed in range(60))
    asked = from_address("metric=meld_rate&by=meld")
    composed = {one_in: compose(asked, one_in) for one_in in (1, 3)}
    with Store(tmp_path) as store:
        ingest_bytes(store, "games.jsonl", b"\n".join(map(codec.encode, many)))
        whole, some = (store.rows(one.sql, one.parameters).dicts() for one in composed.values())
    assert [row["meld_rate"] for row in whole] == [row["meld_rate"] for row in some]
    assert "% 3 = 0" in composed[3].sql
    assert "% 3 = 0" not in composed[1].sql
    often = [(a, b) for a, b in zip(whole, some, strict=True) if a["times"] >= 100]
    assert len(often) >= 3
    for a, b in often:
        assert b["high"] - b["meld_rate"] == pytest.approx(a["high"] - a["meld_rate"], rel=0.1)


def test_only_much_is_taken_from_some_games(full: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    words = "estimated from one game in"
    assert words not in ask(full, "metric=meld_rate&by=meld").question.caveat
    monkeypatch.setattr("analyzer.explore.answer.ROWS_FOR_SPREAD", 100)
    found = ask(full, "metric=meld_rate&by=meld")
    assert words in found.question.caveat
    assert full.rows(found.sql).rows == found.rows
    assert words not in ask(full, "metric=meld_rate&by=meld&sheet=zique").question.caveat


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
            ingest_bytes(store, "dated.json", codec.encode(record))
            stored_annotations.annotate_stored_game(
                store, codec.digest(record), AnalysisTerms(positions=200, brink=False)
            )
        yield store


@pytest.mark.parametrize("metric", metrics())
def test_every_metric_has_its_months(dated: Store, metric: str) -> None:
    found = ask(dated, f"metric={metric}&by=month")
    assert [row["month"] for row in found.dicts()] == [
        "2026-01",
        "2026-02",
        "2026-04",
    ] or metric == "findings"
    figures.figure_as_json(found)
    figure = figures.draw_figure(found)
    named = figure.layout.xaxis.tickvals if figure else ()
    assert list(named) == [row["month"] for row in found.dicts()]


def test_a_name_is_no_markup_in_a_figure(store: Store) -> None:
    record = play_game("zique", seed=1, names=["<a href='http://there'>Ann</a>", "B&B"])
    ingest_bytes(store, "names.json", codec.encode(record))
    figure = figures.draw_figure(ask(store, "metric=points&by=player"))
    assert figure is not None
    assert sorted(figure.data[0].y) == ["&lt;a href='http://there'&gt;Ann&lt;/a&gt;", "B&amp;B"]


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
    ):
        try:
            read_filter(dimensions()[name], texts)
        except Refused:
            continue
        return texts
    raise AssertionError(f"no filter fits {name}")
