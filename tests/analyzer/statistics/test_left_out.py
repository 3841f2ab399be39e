"""What a number leaves out is counted beside it, and with what it counts makes all that its filters allow."""

import copy
import os
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.statistics import left_out as module
from analyzer.statistics.answer import run_ask
from analyzer.statistics.ask import Refused, from_address
from analyzer.statistics.catalogue import metrics
from analyzer.statistics.left_out import LeftOut, count_left_out
from analyzer.statistics.questions import Question, QuestionFilters, questions, run_question
from analyzer.store.store import Store
from records.events import Draw
from records.format import codec
from records.format.redaction import redact
from records.record import Record
from records.selfplay import play_game
from tests.make.empty_store import with_empty_database

SHEETS = ("zique", "marjolet", "rubicon-bezique", "zetema")
KINDS = ("legal", "illegal", "partly known", "unfinished")
NAMES = ("Ann", "Bob", "Cleo", "Dan")
GAMES = 24
SPLIT_BY = ("", "&by=month", "&by=role", "&by=trump")
COMBINED = int(os.environ.get("BEZIQUE_LEFT_OUT", "4"))
"""Of filters and dimensions, so many pairs are asked of every measure."""
CLEAN, ERRORS, UNFINISHED, PARTLY = "clean", "with_errors", "unfinished", "partly_known"


class Made(NamedTuple):
    """A record that was made, and what each of its deals is."""

    record: Record
    deals: list[str]
    dated: bool


def make(number: int) -> Made:
    """A record of a kind that its number chooses; nothing here asks the program what the deals are."""
    random = Random(f"left out {number}")
    sheet, kind = random.choice(SHEETS), random.choice(KINDS)
    played = play_game(
        sheet, seed=number, deals=random.choice((2, 40)), names=random.sample(NAMES, 2)
    )
    record = copy.deepcopy(played)
    dated = random.random() < 0.6
    deals = [CLEAN] * len(record.deals)
    match kind:
        case "illegal":
            at = random.randrange(len(deals))
            take_another_card(record, at)
            deals[at] = ERRORS
        case "partly known" if sheet != "zetema":
            record = redact(record, random.randrange(2))
            deals = [PARTLY] * len(deals)
        case "unfinished":
            del record.deals[-1].events[random.randint(8, 14) :]
            record.result = None
            deals[-1] = UNFINISHED
    record.meta = {"started": "2026-03-02T20:00:00Z"} if dated else {}
    return Made(record, deals, dated)


def take_another_card(record: Record, at: int) -> None:
    """Let a player discard or play a card that the other one was dealt and has not parted with."""
    deal = record.deals[at]
    place, event = next(
        (n, event)
        for n, event in enumerate(deal.events)
        if hasattr(event, "card") and not isinstance(event, Draw)
    )
    deal.events[place] = type(event)(
        **{name: getattr(event, name) for name in event.__struct_fields__}
        | {"card": deal.hands[1 - event.seat][-1]}
    )


@pytest.fixture(scope="module")
def made() -> list[Made]:
    return [make(number) for number in range(GAMES)]


@pytest.fixture(scope="module")
def store(made: list[Made], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store(tmp_path_factory.mktemp("left out")) as opened:
        for number, each in enumerate(made):
            ingest_bytes(opened, f"{number}.json", codec.encode(each.record))
        yield opened


FILTERS = (
    "",
    "sheet=zique",
    "player=Ann",
    "player=Ann&sheet=marjolet",
    "sheet=zetema",
    "month=2026-03",
)


def fits(each: Made, limits: str) -> bool:
    """Whether a filter allows a record: by the record alone."""
    told = dict(part.split("=") for part in limits.split("&") if part)
    names = [player.name for player in each.record.players]
    return (
        told.get("sheet", each.record.rules.id) == each.record.rules.id
        and told.get("player", names[0]) in names
        and ("month" not in told or each.dated)
    )


def total(left_out: LeftOut) -> int:
    return (
        left_out.counted + left_out.with_errors + left_out.unfinished + left_out.partly_known
        + left_out.without_number + left_out.without_group
    )  # fmt: skip


def test_every_kind_is_made(made: list[Made]) -> None:
    kinds = Counter(kind for each in made for kind in each.deals)
    assert set(kinds) == {CLEAN, ERRORS, UNFINISHED, PARTLY}


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_the_rows_of_all_seats_say_the_same_of_a_deal(
    store: Store, tmp_path: Path, players: int
) -> None:
    """Also of a deal for more than two, of which one is not played to the end."""
    differing = [f"count(DISTINCT {name}) > 1" for name in sorted(module.OF_A_DEAL)]
    unlike = " OR ".join([*differing, "count(*) <> max(players)"])
    sql = f"SELECT game FROM seats GROUP BY game, deal HAVING {unlike}"
    assert not store.answer(sql, {}).rows
    record = play_game("zetema", seed=players, deals=2, players=players)
    del record.deals[-1].events[-9:]
    record.result = None
    with Store(with_empty_database(tmp_path)) as of_many:
        ingest_bytes(of_many, "game.json", codec.encode(record))
        seats = of_many.answer("SELECT count(*) FROM seats", {}).rows
        assert seats == [(2 * players,)]
        assert not of_many.answer(sql, {}).rows


@pytest.mark.parametrize("of", module.ERRORS)
def test_a_clean_deal_or_match_is_complete_and_has_no_errors(store: Store, of: str) -> None:
    """Why a clean one is left out is asked of what it tells alone."""
    blamed = f"SELECT game FROM {of} AS it WHERE clean AND ({module.ERRORS[of]} OR NOT complete)"
    assert not store.answer(blamed, {}).rows


@pytest.mark.sampled(20)
@pytest.mark.long
@pytest.mark.parametrize("every", ["", "&every=1"])
@pytest.mark.parametrize("metric", list(metrics()))
def test_what_is_counted_and_what_is_not_are_all(
    store: Store, made: list[Made], metric: str, every: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are, and the same ones, whether every deal is looked at or those alone that are not counted."""
    random = Random(f"{metric} {every}")
    for limits, by in random.sample(list(product(FILTERS, SPLIT_BY)), COMBINED):
        try:
            asked = from_address(f"metric={metric}{by}&{limits}{every}")
        except Refused:
            continue
        matching = [each for each in made if fits(each, limits)]
        left_out = count_left_out(store, asked)
        with monkeypatch.context() as patch:
            patch.setattr(module, "_all_of_them", lambda *_: None)
            assert count_left_out(store, asked) == left_out, asked
        deals = sum(len(each.deals) for each in matching)
        assert total(left_out) == (deals if left_out.of == "deals" else len(matching)), asked


@pytest.mark.parametrize("limits", FILTERS)
def test_what_is_not_counted_is_told_by_its_kind(
    store: Store, made: list[Made], limits: str
) -> None:
    kinds = Counter(kind for each in made if fits(each, limits) for kind in each.deals)
    answer = run_ask(store, from_address(f"metric=points&{limits}"))
    found = answer.left_out
    assert (found.counted, found.with_errors, found.unfinished, found.partly_known) == tuple(
        kinds[kind] for kind in (CLEAN, ERRORS, UNFINISHED, PARTLY)
    )
    assert answer.n == (1 if "player" in limits else 2) * found.counted
    for kind in ("with_errors", "unfinished", "partly_known"):
        number, words = getattr(found, kind), kind.replace("_", " ")
        assert not number or (f"{number} " in found.words and words in found.words)
    assert ("not counted" in found.words) == (found.counted < kinds.total())


def test_what_an_answer_rests_on_is_told_in_the_unit_of_what_it_leaves_out(store: Store) -> None:
    ((deals,),) = store.rows("SELECT count(*) FROM clean_deals").rows
    points = run_ask(store, from_address("metric=points"))
    assert points.full_basis == f"{2 * deals:,} error-free deals of players in {deals:,} deals"
    for metric in metrics():
        answer = run_ask(store, from_address(f"metric={metric}"))
        left = answer.left_out
        assert left.counted in (0, answer.n) or answer.full_basis.endswith(
            f" in {left.counted_words}"
        )


@pytest.mark.parametrize("metric", ["points", "points_from", "meld_rate", "lead", "meld_worth"])
def test_the_switch_counts_all_deals_whose_points_are_known(store: Store, metric: str) -> None:
    """Of a deal with errors the points are open from the breach on, and the answer says that it is not counted."""
    found = count_left_out(store, from_address(f"metric={metric}&sheet=zique&every=1"))
    scores = store.rows("SELECT scores FROM deals WHERE sheet = 'zique'").rows
    assert found.counted == sum(None not in points for (points,) in scores)


def test_a_rate_counts_points_and_deals_of_the_same_deals(store: Store) -> None:
    """The points by source add up to the points of a deal, whatever is known of the deals with errors."""
    for every in ("", "&every=1"):
        by_source = run_ask(store, from_address(f"metric=points_from&by=source&sheet=zique{every}"))
        (points,) = run_ask(store, from_address(f"metric=points&sheet=zique{every}")).column(
            "points"
        )
        assert sum(by_source.column("points_from")) == pytest.approx(points, abs=0.05)


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("question", questions(), ids=lambda question: question.name)
def test_a_question_says_it_too(
    store: Store, made: list[Made], question: Question, *, every: bool
) -> None:
    for sheet in (None, "zique"):
        answer = run_question(store, question, QuestionFilters(sheet, every))
        matching = [each for each in made if sheet in (None, each.record.rules.id)]
        deals = sum(len(each.deals) for each in matching)
        assert total(answer.left_out) == (deals if answer.left_out.of == "deals" else len(matching))
        assert answer.n == answer.left_out.counted
        assert not any(None in row for row in answer.rows if question.name == "deal_scores")


@pytest.mark.parametrize(
    ("left", "words"),
    [
        ({}, ""),
        ({"with errors": 12, "partly known": 36}, "48 of 648 deals are not counted: 12 with errors and 36 partly known."),
        ({"with errors": 1200}, "1,200 deals with errors are not counted."),
        ({"unfinished": 1}, "1 unfinished deal is not counted."),
        ({"partly known": 2, "without this number": 1}, "3 of 603 matches are not counted: 2 partly known and 1 without this number."),
    ],
)  # fmt: skip
def test_the_sentence(left: dict[str, int], words: str) -> None:
    from analyzer.statistics import left_out

    noun, nouns = ("match", "matches") if "match" in words else ("deal", "deals")
    assert left_out._sentence(600, left, noun, nouns) == words
