"""Every pattern of implausible play is found where it was played, and nowhere near by."""

import pytest

from tests.make.tables import N, cut_down, deal_of, record_of
from tests.referee.implausible_play import Pattern, count_patterns

STOCK = "trump C | turn-up 9C | stock 9"
LAST_TRICK_BEFORE_CLOSE = "trump C | turn-up 9C | stock 1"
SET_HAND = "AS AH AD AC 9D KH 8D 7D"
SEQUENCE_HAND = "AC TC KC QC JC 9D 8D 7D"
OTHER_HAND = "KS 9S JD QD 8H TH KD QC"


def counted(pattern: Pattern, position: str, told: str, sheet: str = "bezique") -> tuple[int, int]:
    """How often North played a pattern in what is told, and on how many occasions."""
    with cut_down():
        counts = count_patterns(record_of([deal_of(position, told)], sheet=sheet))
    return counts.times[N, pattern], counts.occasions[N, pattern]


@pytest.mark.parametrize(
    ("hand", "card", "found"),
    [
        ("AS 9H KD QS 8D 7C JS JH", "AS", (1, 1)),
        ("AS 9H KD QS 8D 7C JS JH", "9H", (0, 1)),
        ("AS QH KD QS KS 7C JS JH", "AS", (0, 0)),  # only a trump is low
        ("AS TD KH QS KS 7H JS JD", "7H", (0, 1)),
        ("KS QS KH QH KD 7H JS JD", "7H", (0, 0)),  # there is no brisque to throw
        ("AH 9H KD QS 8D 7C JS JD", "AH", (0, 0)),  # the ace wins
    ],
)
def test_a_brisque_thrown_away(hand: str, card: str, found: tuple[int, int]):
    position = f"N: {hand} | S: {OTHER_HAND} | {STOCK} | N replies to KH"
    assert counted(Pattern.BRISQUE_THROWN, position, f"N {card}") == found


def test_a_brisque_is_not_thrown_away_after_the_close():
    position = "N: AS 9H | S: 8D | trump C | N replies to KD"
    assert counted(Pattern.BRISQUE_THROWN, position, "N AS") == (0, 0)


def test_a_brisque_that_never_counts_is_not_asked_for():
    position = f"N: AS 9H KD | S: {OTHER_HAND} | trump C | stock 30 | N replies to KH"
    assert counted(Pattern.BRISQUE_THROWN, position, "N AS", "six-pack-bezique") == (0, 0)
    assert counted(Pattern.BRISQUE_THROWN, position, "N AS", "chinese-bezique") == (1, 1)


@pytest.mark.parametrize(
    ("hand", "rest", "told", "found"),
    [
        ("AC 9D 9H 8S KS JH TS KD", STOCK, "N AC, S 9S, N takes, N draws 9C", (1, 1)),
        ("TC 9D 9H 8S KS JH TS KD", STOCK, "N TC, S 9S, N takes, N draws 9C", (1, 1)),
        ("AC 9D 9H 8S KS JH TS KD", STOCK, "N 9D, S KD, S takes, S draws 9C", (0, 1)),
        ("AC KH AH AD KS JH TS KD", STOCK, "N AC, S 9S, N takes, N draws 9C", (0, 0)),
        # A king and a queen wait to be married.
        ("AC 9D 9H QS KS JH TS KD", STOCK, "N AC, S 9S, N takes, N draws 9C", (0, 1)),
        ("AC 9D", LAST_TRICK_BEFORE_CLOSE, "N AC, S 9S, N takes, N draws 8H", (0, 0)),
    ],
)
def test_a_high_trump_led(hand: str, rest: str, told: str, found: tuple[int, int]):
    position = f"N: {hand} | S: {OTHER_HAND} | {rest} | N leads"
    assert counted(Pattern.HIGH_TRUMP_LED, position, told) == found


@pytest.mark.parametrize(
    ("hand", "told", "found"),
    [
        (SET_HAND, "N AS, S 9S, N takes, N draws 9C", (1, 1)),
        (SET_HAND, "N 9D, S QD, S takes, S draws 9C", (0, 1)),
        (SET_HAND, "N KH, S 9S, N takes, N draws 9C", (0, 1)),
        ("AS AS AH AD AC 9D 8D 7D", "N AS, S 9S, N takes, N draws 9C", (0, 1)),
        ("AS AH AD AC QS KH KD JH", "N AS, S 9S, N takes, N draws 9C", (0, 0)),
        (SEQUENCE_HAND, "N JC, S QC, S takes, S draws 9C", (1, 1)),
        ("AS AH AD AC KS QS 9D 8D", "N AH, S 8H, N takes, N melds marriage KS QS 20", (0, 1)),
        (SET_HAND, "N AH, S TH, N takes, N draws 9C", (0, 1)),  # it won a ten
    ],
)
def test_a_set_broken_for_nothing(hand: str, told: str, found: tuple[int, int]):
    position = f"N: {hand} | S: {OTHER_HAND} | {STOCK} | N leads"
    assert counted(Pattern.SET_BROKEN, position, told) == found


def test_a_set_that_has_scored_is_not_broken():
    lies = f"N: 9D KH 8D 7D | N lays four_aces AS AH AD AC | S: {OTHER_HAND} | {STOCK} | N leads"
    assert counted(Pattern.SET_BROKEN, lies, "N AS, S 9S, N takes, N draws 9C") == (0, 0)


def test_a_set_too_late_to_be_scored_is_not_broken():
    position = f"N: {SET_HAND} | S: {OTHER_HAND} | {LAST_TRICK_BEFORE_CLOSE} | N leads"
    assert counted(Pattern.SET_BROKEN, position, "N AS, S 9S, N takes, N draws 8S") == (0, 0)
    assert counted(Pattern.SET_BROKEN, position, "N AS, S 9S, N takes, N draws 8S", "zique") == (
        1,
        1,
    )


@pytest.mark.parametrize(
    ("rest", "told", "found"),
    [
        (LAST_TRICK_BEFORE_CLOSE, "N draws 8H, S draws 9C", (1, 1)),
        (LAST_TRICK_BEFORE_CLOSE, "N melds marriage KH QH 20, N draws 8H, S draws 9C", (0, 1)),
        (STOCK, "N draws 8H, S draws 8S", (0, 0)),
    ],
)
def test_a_last_chance_passed_up(rest: str, told: str, found: tuple[int, int]):
    position = f"N: AS KH QH | S: 7S 9D 8D | {rest} | N leads"
    assert counted(Pattern.LAST_CHANCE_PASSED, position, f"N AS, S 7S, N takes, {told}") == found


def test_a_bonus_claimed_before_the_meld_passes_up_nothing():
    position = f"N: AS KH QH | S: 7S 9D 8D | {LAST_TRICK_BEFORE_CLOSE} | N leads"
    trick, pattern = "N AS, S 7S, N takes, S scores tenth_trick 10", Pattern.LAST_CHANCE_PASSED
    melds = f"{trick}, N melds marriage KH QH 20, N draws 8H, S draws 9C"
    assert counted(pattern, position, melds, "marjolet") == (0, 1)
    assert counted(pattern, position, f"{trick}, N draws 8H, S draws 9C", "marjolet") == (1, 1)


@pytest.mark.parametrize(
    ("sheet", "stock", "times"),
    [("rubicon-bezique", "stock 30", 0), ("bezique", "turn-up 9C | stock 9", 1)],
)
def test_a_card_is_parted_with_where_its_meld_may_be_formed_again(
    sheet: str, stock: str, times: int
):
    lies = f"N: 9D 8D | N lays sequence AC TC KC QC JC | S: {OTHER_HAND} | trump C | {stock} | N"
    lost = "N TC, S KD, N takes, N draws 9S"
    assert counted(Pattern.HIGH_TRUMP_LED, f"{lies} leads", lost, sheet) == (times, 1)
    reply = f"{lies} replies to AC"
    assert counted(Pattern.BRISQUE_THROWN, reply, "N TC", sheet) == (times, 1)


def test_a_high_trump_is_led_to_be_captured():
    position = f"N: AC 9D | N captured AH AD AS | S: 9H 8S | {STOCK} | N leads"
    told = "N AC, S 9H, N takes, N draws 9S"
    assert counted(Pattern.HIGH_TRUMP_LED, position, told, "polish-bezique") == (0, 0)


def test_where_melds_go_on_a_chance_is_the_last_when_the_next_card_breaks_the_meld():
    position = "N: AS KH QH{more} | S: 7S 9D 8D{more} | trump C | N leads"
    told, pattern = "N AS, S 7S, N takes, N KH, S 9D", Pattern.LAST_CHANCE_PASSED
    assert counted(pattern, position.format(more=""), told, "zique") == (1, 1)
    assert counted(pattern, position.format(more=" JD"), told, "zique") == (0, 0)
    melds = "N AS, S 7S, N takes, N melds marriage KH QH 20, N KH, S 9D"
    assert counted(pattern, position.format(more=""), melds, "zique") == (0, 1)


def test_melds_of_captured_cards_need_a_card_of_this_trick():
    position = f"N: KH 9D | N captured QH 7D | S: 9H 8S | {STOCK} | N leads"
    trick, pattern = "N KH, S 9H, N takes", Pattern.LAST_CHANCE_PASSED
    assert counted(pattern, position, f"{trick}, N draws 8H", "polish-bezique") == (1, 1)
    melds = f"{trick}, N melds marriage KH QH 20, N draws 8H"
    assert counted(pattern, position, melds, "polish-bezique") == (0, 1)
