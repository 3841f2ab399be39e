"""Small deals with hidden cards: the verdict says what is true of all their completions.

Every completion is enumerated and judged by the slow referees, which use nothing of the replay. The
soak compares 5,000 cases.
"""

import os

import pytest

from records.validator import check_record
from tests.records.partial.cases import make_reply, make_whole
from tests.records.partial.comparing import LEAST_SHARE, Tally, compare
from tests.records.partial.truth import truth_of

CASES = int(os.environ.get("BEZIQUE_COMPLETIONS", "150"))
FEW_STEPS = 1_500


@pytest.fixture(scope="module")
def tally() -> Tally:
    found = Tally()
    for seed in range(CASES):
        found.add(seed, most=FEW_STEPS)
    print("\n" + "\n".join(found.lines()))
    return found


@pytest.mark.slow
def test_no_verdict_and_no_number_is_untrue(tally):
    assert tally.of("unsound") == []


@pytest.mark.slow
def test_nearly_every_verdict_is_as_certain_as_it_can_be(tally):
    assert tally.share() >= LEAST_SHARE, tally.of("missed")


def test_a_legal_completion_is_legal_with_every_card_known(tally):
    """What the referee finds legal the validator finds legal, too, once nothing is hidden."""
    assert len(tally.witnesses) > CASES / 10
    for seed, witness in tally.witnesses:
        assert check_record(witness).verdict != "illegal", seed


def test_most_cases_are_small_enough_to_enumerate(tally):
    total = tally.total()
    assert total["too many to enumerate"] < CASES / 4
    assert min(total["legal"], total["illegal"]) > CASES / 10


@pytest.mark.long
def test_of_a_record_that_hides_nothing_the_referee_and_the_validator_say_the_same():
    for seed in range(CASES):
        record = make_whole(seed)[0].record
        compared = compare(record, truth_of(record), check_record(record))
        assert compared.outcome == "agrees", (seed, compared.why)


@pytest.mark.slow
def test_no_duty_is_said_to_be_broken_that_another_completion_does_not_break():
    broken = 0
    for seed in range(CASES):
        record = make_reply(seed).record
        truth, report = truth_of(record, most=20 * FEW_STEPS), check_record(record)
        compared = compare(record, truth, report)
        assert compared.outcome == "agrees", (seed, compared.why)
        broken += report.verdict == "illegal"
    assert broken > CASES / 10
