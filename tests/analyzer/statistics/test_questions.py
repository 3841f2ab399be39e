import json
from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path
from statistics import mean, median_low, quantiles
from typing import Any

import pytest

from analyzer.statistics import questions as module
from analyzer.statistics.answer import run_ask
from analyzer.statistics.ask import from_address
from analyzer.statistics.questions import (
    Answer,
    Question,
    QuestionFilters,
    find_question,
    questions,
    read_question,
    run_question,
)
from analyzer.statistics.traces import TRACE_BY_CHART_KIND
from analyzer.store.store import QueryTimeout, Store
from records.rules.registry import ALL_SHEETS
from tests.analyzer.statistics import recount

Raw = list[dict[str, Any]]
EVERY = [pytest.param(question, id=question.name) for question in questions()]
SIDES = (0, 1)


def ask(store: Store, name: str, **filters: Any) -> list[dict[str, Any]]:
    question = find_question(name)
    assert question is not None
    return run_question(store, question, QuestionFilters(**filters)).dicts()


def deals_of(raw: Raw) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for game in raw:
        found.setdefault(game["rules"]["id"], []).extend(game["deals"])
    return found


def tricked(raw: Raw) -> dict[str, list[dict[str, Any]]]:
    """The deals of the games that are played in tricks."""
    return {s: deals for s, deals in deals_of(raw).items() if events_of(deals[0], "trick")}


def events_of(deal: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [event for event in deal["events"] if event["type"] == kind]


def test_there_are_questions_enough() -> None:
    assert len(questions()) >= 10


@pytest.mark.parametrize("question", EVERY)
def test_a_header_is_whole_sentences_and_known_words(question: Question) -> None:
    assert question.answers.endswith("?")
    assert question.caveat.endswith(".")
    assert len(question.unit) <= 40
    assert question.chart.kind in TRACE_BY_CHART_KIND
    assert question.sql.startswith(("SELECT", "WITH"))


@pytest.mark.parametrize("question", EVERY)
def test_no_question_names_a_sheet(question: Question) -> None:
    assert not [sheet.id for sheet in ALL_SHEETS if f"'{sheet.id}'" in question.sql]


@pytest.mark.sampled(20)
@pytest.mark.parametrize("every", [False, True], ids=["clean", "every"])
@pytest.mark.parametrize("question", EVERY)
def test_an_empty_database_has_empty_answers(
    store: Store,
    question: Question,
    every: bool,  # noqa: FBT001
) -> None:
    answer = run_question(store, question, QuestionFilters(every=every))
    assert (answer.rows, answer.n) == ([], 0)


@pytest.mark.parametrize("question", EVERY)
def test_an_answer_has_n_and_the_columns_of_its_chart(full: Store, question: Question) -> None:
    answer = run_question(full, question)
    chart = question.chart
    assert {"n", *chart.columns.values(), *chart.series} <= set(answer.columns)
    assert answer.n > 0
    assert all(n > 0 for n in answer.column("n"))
    json.dumps(answer.dicts())


@pytest.mark.parametrize("question", EVERY)
def test_the_sql_shown_runs_as_it_is_shown(full: Store, question: Question) -> None:
    for filters in (
        QuestionFilters(),
        QuestionFilters(sheet=ALL_SHEETS[0].id),
        QuestionFilters(sheet="it's", every=True),
    ):
        answer = run_question(full, question, filters)
        assert "$" not in answer.sql
        assert full.rows(answer.sql).rows == answer.rows


@pytest.mark.parametrize("question", EVERY)
def test_one_sheet_alone_is_its_part_of_all(full: Store, question: Question) -> None:
    whole = run_question(full, question)
    if "sheet" not in whole.columns:
        return
    for sheet in {row["sheet"] for row in whole.dicts()}:
        part = run_question(full, question, QuestionFilters(sheet=sheet))
        assert part.dicts() == [row for row in whole.dicts() if row["sheet"] == sheet]
        assert 0 < part.n < whole.n


def test_what_an_answer_is_over_is_said(full: Store) -> None:
    question = find_question("points_by_source")
    assert question is not None
    assert run_question(full, question).basis.endswith(" error-free deals")
    assert run_question(full, question, QuestionFilters(every=True)).basis[-6:] == " deals"
    assert find_question("no_such_question") is None


@pytest.mark.parametrize("lacking", ["title", "caveat", "over"])
def test_an_incomplete_header_is_refused(lacking: str) -> None:
    folder = Path(module.__file__).parent / "queries"
    lines = (folder / "last_trick.sql").read_text().splitlines()
    text = "\n".join(line for line in lines if not line.startswith(f"-- {lacking}:"))
    with pytest.raises(ValueError, match=lacking):
        read_question("last_trick", text)


def test_points_by_source(full: Store, raw: Raw) -> None:
    found = {(row["sheet"], row["source"]): row["points"] for row in ask(full, "points_by_source")}
    for sheet, deals in deals_of(raw).items():
        melds = [event["points"] for deal in deals for event in events_of(deal, "meld")]
        assert found[sheet, "meld"] == pytest.approx(sum(melds) / len(deals) / 2, abs=0.01)


def test_meld_frequency(full: Store, raw: Raw) -> None:
    for sheet, deals in deals_of(raw).items():
        melds = [event for deal in deals for event in events_of(deal, "meld")]
        times = Counter(event["meld"] for event in melds)
        rows = {row["meld"]: row for row in ask(full, "meld_frequency", sheet=sheet)}
        assert {meld: row["n"] for meld, row in rows.items()} == times
        for meld, row in rows.items():
            worth = mean(event["points"] for event in melds if event["meld"] == meld)
            assert row["mean_points"] == pytest.approx(worth, abs=0.06)
            assert row["per_100_deals"] == pytest.approx(100 * times[meld] / len(deals), abs=0.06)


HIGH_CARDS = {"A": 4, "T": 3, "K": 2, "Q": 1}
Deal = dict[str, Any]


def assert_means_and_intervals(
    rows: list[dict[str, Any]],
    raw: Raw,
    columns: tuple[str, str],
    group: Callable[[Deal, int], Any],
    value: Callable[[Deal, int], float],
    fewest: int,
) -> None:
    """Every group there is, with its mean, and its interval from what each match tells."""
    key, mean_of = columns
    matches: dict[tuple[str, Any], dict[int, list[float]]] = {}
    won: dict[tuple[str, Any], list[float]] = {}
    for number, game in enumerate(raw):
        for deal, seat in product(game["deals"], SIDES):
            of = (game["rules"]["id"], group(deal, seat))
            matches.setdefault(of, {}).setdefault(number, []).append(value(deal, seat))
            mine, other = (deal["claims"]["scores"][each] for each in (seat, 1 - seat))
            won.setdefault(of, []).append((mine > other) + (mine == other) / 2)
    assert {(row["sheet"], row[key]) for row in rows} == {
        of for of, results in won.items() if len(results) >= fewest
    }
    for row in rows:
        of = row["sheet"], row[key]
        told = [(sum(values), len(values)) for values in matches[of].values()]
        assert (row["n"], row["matches"]) == (len(won[of]), len(told))
        assert row[mean_of] == pytest.approx(recount.value(told), abs=0.06)
        assert row["percent_of_deals_won"] == pytest.approx(100 * mean(won[of]), abs=0.06)
        ends = recount.mean_ends(told)
        expected = [pytest.approx(end, rel=2e-4, abs=0.06) for end in ends] if ends else [None] * 2
        assert [row["low"], row["high"]] == expected
    assert sum(row["low"] is not None for row in rows) > len(rows) / 2


@pytest.mark.usefixtures("however_few")
def test_dealer_or_leader(full: Store, raw: Raw) -> None:
    rows = ask(full, "dealer_or_leader")
    assert_means_and_intervals(
        rows,
        raw,
        ("role", "points"),
        lambda deal, seat: "dealer" if seat == deal["dealer"] else "leader",
        lambda deal, seat: deal["claims"]["scores"][seat],
        fewest=1,
    )
    for row in rows:
        answer = run_ask(full, from_address(f"metric=deals_won&by=role&sheet={row['sheet']}"))
        (same,) = (each for each in answer.dicts() if each["role"] == row["role"])
        ends = [row["percent_low"], row["percent_high"]]
        assert ends == [pytest.approx(same[end], abs=0.06) for end in ("low", "high")]
        assert [row["low"], row["high"]] != ends


@pytest.mark.usefixtures("however_few")
def test_hand_strength(full: Store, raw: Raw) -> None:
    assert_means_and_intervals(
        ask(full, "hand_strength"),
        raw,
        ("strength", "points"),
        lambda deal, seat: sum(HIGH_CARDS.get(card[0], 0) for card in deal["hands"][seat]),
        lambda deal, seat: deal["claims"]["scores"][seat],
        fewest=5,
    )


def test_deal_scores_count_every_score(full: Store, raw: Raw) -> None:
    for sheet, deals in deals_of(raw).items():
        rows = ask(full, "deal_scores", sheet=sheet)
        assert sum(row["n"] for row in rows) == 2 * len(deals)
        assert sum(row["percent"] for row in rows) == pytest.approx(100, abs=0.5)
        scores = [score for deal in deals for score in deal["claims"]["scores"]]
        high = quantiles(scores, n=100, method="inclusive")[-1]
        step = max(10, round(high / 400) * 10)
        assert {row["points"]: row["n"] for row in rows} == Counter(
            score // step * step for score in scores
        )


def test_match_length(full: Store, raw: Raw) -> None:
    expected = Counter((game["rules"]["id"], len(game["deals"])) for game in raw)
    assert {(row["sheet"], row["deals"]): row["n"] for row in ask(full, "match_length")} == expected


@pytest.mark.usefixtures("however_few")
def test_brisques_against_melds(full: Store, raw: Raw) -> None:
    scoring = [game for game in raw if any(brisques(deal, 0) for deal in game["deals"])]
    sheets = {game["rules"]["id"] for game in scoring}
    assert len(sheets) >= 3
    games = [game for game in raw if game["rules"]["id"] in sheets]
    rows = [row for row in ask(full, "brisques_against_melds") if row["sheet"] in sheets]
    assert_means_and_intervals(
        rows,
        games,
        ("brisques", "meld_points"),
        brisques,
        lambda deal, seat: sum(e["points"] for e in events_of(deal, "meld") if e["seat"] == seat),
        fewest=5,
    )


def brisques(deal: Deal, seat: int) -> int:
    """The brisques that a player claims, in the games where they score."""
    scored = [e for e in events_of(deal, "score") if e["for"] == "brisques" and e["seat"] == seat]
    return sum(e["count"] for e in scored)


def test_last_trick(full: Store, raw: Raw) -> None:
    found = {(row["sheet"], row["role"]): row for row in ask(full, "last_trick")}
    for sheet, deals in tricked(raw).items():
        winners = [events_of(deal, "trick")[-1]["winner"] for deal in deals]
        by_dealer = mean(won == deal["dealer"] for won, deal in zip(winners, deals, strict=True))
        assert found[sheet, "dealer"]["percent"] == pytest.approx(100 * by_dealer, abs=0.06)


def test_score_race_ends_at_the_mean_score(full: Store, raw: Raw) -> None:
    rows = ask(full, "score_race")
    for sheet, deals in tricked(raw).items():
        scores = [deal["claims"]["scores"][deal["dealer"]] for deal in deals]
        race = [row for row in rows if (row["sheet"], row["role"]) == (sheet, "dealer")]
        assert [row["trick"] for row in race] == list(range(len(events_of(deals[0], "trick")) + 1))
        assert race[-1]["points"] == pytest.approx(mean(scores), abs=0.06)


def test_tricks_by_leader(full: Store, raw: Raw) -> None:
    found = {(row["sheet"], row["trick"]): row["percent"] for row in ask(full, "tricks_by_leader")}
    for sheet, deals in tricked(raw).items():
        first = [events_of(deal, "trick")[0]["winner"] != deal["dealer"] for deal in deals]
        assert found[sheet, 1] == pytest.approx(100 * mean(first), abs=0.06)


def test_lead_in_tricks(full: Store, raw: Raw) -> None:
    rows = {(row["sheet"], row["trick"]): row for row in ask(full, "lead_in_tricks")}
    for sheet, deals in tricked(raw).items():
        for after in (1, 5, 16):
            won = [Counter(e["winner"] for e in events_of(d, "trick")[:after]) for d in deals]
            lead = mean(abs(count[0] - count[1]) for count in won)
            assert rows[sheet, after]["lead"] == pytest.approx(lead, abs=0.006)


def test_leads_at_the_end_always_hold(full: Store, raw: Raw) -> None:
    rows = ask(full, "lead_that_holds")
    for sheet, deals in tricked(raw).items():
        last = max((row for row in rows if row["sheet"] == sheet), key=lambda row: row["trick"])
        assert last["percent"] == 100
        assert last["n"] == sum(len(set(deal["claims"]["scores"])) == 2 for deal in deals)


def test_meld_timing(full: Store, raw: Raw) -> None:
    rows = {(row["sheet"], row["meld"]): row for row in ask(full, "meld_timing")}
    for sheet, deals in deals_of(raw).items():
        tricks: list[int] = []
        for deal in deals:
            done = 0
            for event in deal["events"]:
                done += event["type"] == "trick"
                if event.get("meld") == "marriage":
                    tricks.append(done)
        if tricks:
            row = rows[sheet, "marriage"]
            twentieths = (
                quantiles(tricks, n=20, method="inclusive") if len(tricks) > 1 else 19 * tricks
            )
            assert [row[name] for name in ("low", "q1", "median", "q3", "high")] == pytest.approx(
                [twentieths[part] for part in (0, 4, 9, 14, 18)]
            )


# Cards, from the events of the records alone


def rank(card: str) -> str:
    return {"T": "10"}.get(card[0], card[0])


def cards_played(deal: Deal) -> list[Deal]:
    """The plays of a deal, each with its trick, its place in it, the card led, and whether it took the trick after the close."""
    found, trick, drawn, tricks = list[Deal](), list[Deal](), 0, 0
    for event in deal["events"]:
        drawn += event["type"] == "draw"
        if event["type"] == "play":
            trick.append(event)
        elif event["type"] == "trick":
            found += [
                {"rank": rank(each["card"]), "card": each["card"], "place": place, "trick": tricks + 1, "led": trick[0]["card"],
                 "took": each["seat"] == event["winner"], "closed": drawn == len(events_of(deal, "draw"))}
                for place, each in enumerate(trick)
            ]  # fmt: skip
            trick, tricks = [], tricks + 1
    return found


def percents(counts: Counter[Any]) -> dict[Any, Any]:
    return {each: pytest.approx(100 * n / counts.total(), abs=0.06) for each, n in counts.items()}


def shares(told: list[tuple[Any, bool]]) -> dict[Any, Any]:
    groups = {group for group, _ in told}
    return {
        group: pytest.approx(100 * mean(yes for of, yes in told if of == group), abs=0.06)
        for group in groups
    }


def column(
    full: Store, question: str, sheet: str, by: str, value: str = "percent"
) -> dict[Any, Any]:
    return {row[by]: row[value] for row in ask(full, question, sheet=sheet)}


def test_cards_led_thrown_kept_and_melded(full: Store, raw: Raw) -> None:
    for sheet, deals in tricked(raw).items():
        plays = [play for deal in deals for play in cards_played(deal)]
        leads = [play for play in plays if play["place"] == 0]
        thrown = [p for p in plays if p["place"] and not p["took"] and not p["closed"]]
        melded = [rank(card) for d in deals for e in events_of(d, "meld") for card in e["cards"]]
        for question, ranks in (
            ("what_is_led", [play["rank"] for play in leads]),
            ("what_is_thrown", [play["rank"] for play in thrown]),
            ("melded_ranks", melded),
        ):
            assert column(full, question, sheet, "rank") == percents(Counter(ranks))
        kept = Counter(play["rank"] for play in plays if play["closed"])
        assert column(full, "kept_for_the_close", sheet, "rank", "cards") == {
            each: pytest.approx(n / len(deals) / 2, abs=0.006) for each, n in kept.items()
        }
        assert column(full, "when_cards_go", sheet, "rank", "median") == {
            each: median_low(play["trick"] for play in plays if play["rank"] == each)
            for each in {play["rank"] for play in plays}
        }


def test_cards_that_take_their_trick(full: Store, raw: Raw) -> None:
    turned_up = 0
    for sheet, deals in tricked(raw).items():
        plays = [(deal, play) for deal in deals for play in cards_played(deal)]
        leads = [(deal, play) for deal, play in plays if play["place"] == 0]
        assert column(full, "which_lead_takes", sheet, "rank") == shares(
            [(play["rank"], play["took"]) for _, play in leads]
        )
        brisques = [play for _, play in plays if play["rank"] in ("A", "10")]
        assert column(full, "where_brisques_go", sheet, "played") == shares(
            [
                ("played to a lead" if play["place"] else "led", not play["took"])
                for play in brisques
            ]
        )
        if all(deal.get("turn_up") for deal in deals):
            turned_up += 1
            trumps = [(play, play["card"][1] == deal["turn_up"][1]) for deal, play in leads]
            assert column(full, "trump_leads", sheet, "led") == shares(
                [
                    ("a trump" if is_trump else "another suit", play["took"])
                    for play, is_trump in trumps
                ]
            )
            assert column(full, "trump_lead_timing", sheet, "trick") == shares(
                [(play["trick"], is_trump) for play, is_trump in trumps]
            )
    assert turned_up > 3


def test_the_last_card_is_forced(full: Store, raw: Raw) -> None:
    for sheet, deals in tricked(raw).items():
        closed = [play for deal in deals for play in cards_played(deal) if play["closed"]]
        rows = ask(full, "forced_by_trick", sheet=sheet)
        assert sum(row["n"] for row in rows) == len(closed)
        last = max(play["trick"] for play in closed)
        assert [row["percent"] for row in rows if row["trick"] == last] == [100]


def test_verdicts_by_program(full: Store, raw: Raw) -> None:
    expected = Counter(game["provenance"]["program"] for game in raw)
    rows = ask(full, "verdicts_by_program")
    assert {row["program"]: row["games"] for row in rows} == expected
    assert {row["verdict"] for row in rows} == {"legal"}


@pytest.mark.long
def test_a_slow_question_is_stopped(tmp_path: Path) -> None:
    slow = Question(
        **{
            **{name: getattr(questions()[0], name) for name in Question.__slots__},
            "sql": "SELECT count(*) AS n FROM range(3000000000), range(100)",
        }
    )
    with Store(tmp_path, reading_ms=50) as store, pytest.raises(QueryTimeout):
        run_question(store, slow)


def test_an_answer_reads_by_column(full: Store) -> None:
    answer = run_question(full, questions()[0])
    assert isinstance(answer, Answer)
    assert answer.column("n") == [row["n"] for row in answer.dicts()]


@pytest.mark.parametrize(("n", "words"), [(1, "1 complete game"), (2000, "2,000 complete games")])
def test_an_answer_counts_what_it_is_taken_over(n: int, words: str) -> None:
    question = find_question("match_length")
    assert question is not None
    assert Answer(question, QuestionFilters(), (), [], n, 0.0, "").basis == words
