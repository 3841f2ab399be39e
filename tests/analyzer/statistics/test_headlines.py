"""Each stored question says its answer in a sentence, with an interval, and of too little it says that."""

import re

import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.statistics.answer import (
    FEWEST_UNITS,
    NO_DIFFERENCE,
    headline,
    is_all_by_programs,
    run_ask,
    run_differences,
)
from analyzer.statistics.ask import from_address
from analyzer.statistics.questions import (
    Question,
    QuestionFilters,
    find_question,
    questions,
    run_question,
)
from analyzer.store.store import Store
from records.format import codec
from records.record import Provenance
from records.selfplay import play_game

EVERY = [pytest.param(question, id=question.name) for question in questions()]


@pytest.mark.parametrize("question", EVERY)
def test_a_question_is_answered_in_a_sentence(full: Store, question: Question):
    said = headline(full, run_question(full, question, QuestionFilters(sheet="bezique")))
    assert "{" not in said
    assert "_" not in said
    assert "None" not in said
    assert said.endswith(".)") or "too few" in said.lower() or "Nothing is stored" in said


@pytest.mark.parametrize("question", EVERY)
def test_of_nothing_nothing_is_said(store: Store, question: Question):
    said = headline(store, run_question(store, question))
    assert said == "Nothing is stored that could answer this."


@pytest.mark.usefixtures("however_few")
def test_the_sentence_has_the_numbers_of_the_answer_and_their_interval(full: Store):
    question = find_question("deal_scores")
    assert question is not None
    said = headline(full, run_question(full, question, QuestionFilters(sheet="marjolet")))
    (row,) = run_ask(full, from_address("metric=points&sheet=marjolet")).dicts()
    numbers = [float(text) for text in re.findall(r"\d+\.?\d*", said)[:3]]
    assert numbers == pytest.approx([row["points"], row["low"], row["high"]], abs=0.51)
    assert said.startswith("In Marjolet: a player scores ")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("programs", "said"),
    [
        (["one", "two"], "All 2 groups are alike: 0.00. (From 40 records, "),
        (["one"], "There is only one group with enough to count, one: 0.00 ("),
    ],
)
def test_groups_that_are_alike_are_not_ranked(store: Store, programs: list[str], said: str):
    """None of these matches is played to its end: no program has the most legal records."""
    question = find_question("verdicts_by_program")
    assert question is not None
    for i in range(FEWEST_UNITS * len(programs)):
        record = play_game("marjolet", seed=i, deals=1)
        record.provenance = Provenance(program=programs[i % len(programs)])
        ingest_bytes(store, "games", codec.encode(record))
    assert headline(store, run_question(store, question)).startswith(said)


def test_a_sample_that_is_too_small_says_so(full: Store):
    question = find_question("match_length")
    assert question is not None
    answer = run_question(full, question, QuestionFilters(sheet="bezique"))
    assert answer.n < FEWEST_UNITS
    assert headline(full, answer) == f"Only {answer.basis}: too few to answer this."


@pytest.mark.usefixtures("however_few")
@pytest.mark.parametrize("question", EVERY)
def test_no_difference_is_said_to_be_open_that_an_interval_shows(full: Store, question: Question):
    """It is said of two groups of one rulebook alone, where the interval of their difference has both signs."""
    said = headline(full, run_question(full, question, QuestionFilters(sheet="marjolet")))
    ask = from_address(f"{question.headline}&sheet=marjolet")
    assert ask.by is None or NO_DIFFERENCE not in said or len(run_ask(full, ask).rows) == 2


@pytest.mark.usefixtures("however_few")
@pytest.mark.parametrize("question", EVERY)
def test_whose_interval_reaches_that_of_the_highest_is_named(full: Store, question: Question):
    """Of three groups and more: those whose intervals reach that of the highest, and no others."""
    ask = from_address(f"{question.headline}&sheet=marjolet")
    rows = [row for row in run_ask(full, ask).dicts() if row["n"] >= FEWEST_UNITS]
    said = headline(full, run_question(full, question, QuestionFilters(sheet="marjolet")))
    if "{most" not in question.says or len(rows) < 3:
        assert "order may be chance" not in said
        return
    ranked = sorted(rows, key=lambda row: -row[ask.metric.name])
    low = ranked[0]["low"]
    rivals = [row for row in ranked[1:] if low is not None and (row["high"] or 0) >= low]
    assert ("order may be chance" in said) == bool(rivals)
    if 0 < len(rivals) <= 3:
        assert all(f"“{row[ask.by.name]}”".replace("_", " ") in said for row in rivals)
    elif rivals:
        assert f" of {len(rivals)} others reach that of " in said


@pytest.mark.usefixtures("however_few")
def test_the_dealer_and_the_leader_are_told_apart_only_by_their_difference(full: Store):
    question = find_question("dealer_or_leader")
    assert question is not None
    for sheet in ("marjolet", "bezique"):
        said = headline(full, run_question(full, question, QuestionFilters(sheet=sheet)))
        scored, wins = re.split(r" (?=The \w+ wins |All 2 groups )", said)
        for metric, told in {"points": scored, "deals_won": wins}.items():
            ask = from_address(f"metric={metric}&by=sheet&split=role&sheet={sheet}")
            differences = run_differences(full, ask, run_ask(full, ask))
            ((_, _, low, high, *_),) = differences.rows
            assert (NO_DIFFERENCE in told) == (low is not None and low <= 0 <= high)


@pytest.mark.usefixtures("however_few")
def test_the_sentence_counts_deals_as_the_page_beside_it(full: Store):
    question = find_question("deal_scores")
    assert question is not None
    answer = run_question(full, question, QuestionFilters(sheet="marjolet"))
    deals = answer.left_out.counted
    assert f"(From {deals} error-free deals, both players of each" in headline(full, answer)


def test_games_by_programs_alone_are_told(store: Store):
    assert not is_all_by_programs(store), "there is none"
    game = play_game("zique", seed=1)
    ingest_bytes(store, "program.json", codec.encode(game))
    assert is_all_by_programs(store)
    game = play_game("marjolet", seed=2, deals=1)
    game.players[0].kind = None
    ingest_bytes(store, "person.json", codec.encode(game))
    assert not is_all_by_programs(store)
    assert is_all_by_programs(store, "zique")
    assert not is_all_by_programs(store, "marjolet")
