"""Each code of the dix is found where its page says, and nowhere else (A-01 to A-05)."""

import pytest

from tests.make.tables import table

POSITION = "N: 7S KH QH 9D | S: 8H 8D 8C 9C | trump S | turn-up AS | stock 9 | N leads"
LAST = "N: 7S KH | S: 8H 8D | trump S | N leads"
WON = POSITION.replace("leads", "won")

CASES = {
    # A dix for a played seven is claimed right after the player has played the seven of trumps.
    "no card has been played": (POSITION, "N dix play 10", ["dix-not-played"]),
    "another card was played": (POSITION, "N KH, N dix play 10", ["dix-not-played"]),
    "another card since": (
        POSITION,
        "N 7S, S 8H, N takes, N draws JC, S draws QC, N KH, N dix play 10",
        ["dix-not-played"],
    ),
    "another card after a seven that was claimed": (
        POSITION,
        "N 7S, N dix play 10, S 8H, N takes, N draws JC, S draws QC, N KH, N dix play 10",
        ["dix-not-played"],
    ),
    "another card after a seven that had scored": (
        LAST + " | spent 7S", "N 7S, S 8H, N takes, N KH, N dix play 10", ["dix-not-played"],
    ),
    "the other player's seven": (POSITION, "N 7S, S dix play 10", ["dix-not-played"]),
    "a seven of another suit": (POSITION, "N 7S, N dix play 7H 10", ["dix-not-played"]),
    "another claim since that was wrong": (
        POSITION, "N 7S, N dix play 7H 10, N dix play 10", ["dix-not-played"],
    ),
    "right after": (POSITION, "N 7S, N dix play 10", []),
    "after the reply": (POSITION, "N 7S, S 8H, N dix play 10, N takes", []),
    "after the trick is named": (POSITION, "N 7S, S 8H, N takes, N dix play 10", []),
    # Each seven of trumps scores once per deal: turned up, exchanged, shown or played.
    "claimed already": (POSITION, "N 7S, N dix play 10, N dix play 10", ["dix-spent"]),
    "claimed before the reply and after it": (
        POSITION, "N 7S, N dix play 10, S 8H, N dix play 10", ["dix-spent"],
    ),
    "had scored before it was played": (LAST + " | spent 7S", "N 7S, N dix play 10", ["dix-spent"]),
    "had scored before it is shown": (WON + " | spent 7S", "N dix show 10", ["dix-spent"]),
    "had scored before it is exchanged": (WON + " | spent 7S", "N dix exchange 10", ["dix-spent"]),
    # A dix is exchanged or shown after winning a trick and before drawing.
    "shown without a trick": (POSITION, "N dix show 10", ["dix-out-of-window"]),
    "exchanged without a trick": (POSITION, "N dix exchange 10", ["dix-out-of-window"]),
    "shown by the other": (
        WON.replace("8H", "7S"), "S dix show 10", ["dix-out-of-window"],
    ),
    "shown after the draw": (WON, "N draws JC, N dix show 10", ["dix-out-of-window"]),
    "shown when all is over": (
        "N: 8H | S: 7S | trump S | N leads", "N 8H, S 7S, S dix show 10", ["dix-out-of-window", "dix-not-held"],
    ),
    # The player does not hold a seven of trumps.
    "not held": (WON.replace("7S", "8S"), "N dix show 10", ["dix-not-held"]),
    "no dix": (WON, "N dix show 9D 10", ["dix-not-held"]),
    # The turn-up has been drawn, or is itself a seven.
    "a seven is turned up": (WON.replace("AS", "7S"), "N dix exchange 10", ["nothing-to-exchange"]),
    # The sheet gives other points for the dix.
    "other points": (WON, "N dix show 20", ["wrong-dix-points"]),
    "other points for a played one": (POSITION, "N 7S, N dix play 20", ["wrong-dix-points"]),
}  # fmt: skip


@pytest.mark.parametrize(("position", "told", "codes"), CASES.values(), ids=CASES)
def test_the_code_of_a_dix(position, told, codes):
    assert table(position, told).codes == codes


def test_two_sevens_in_one_trick_are_claimed_in_any_order():
    position = POSITION.replace("8H 8D", "7S 8D")
    for claims in ("N dix play 10, S dix play 10", "S dix play 10, N dix play 10"):
        told = table(position, f"N 7S, S 7S, {claims}, N takes")
        assert (told.codes, told.points) == ([], [10, 10])
        twice = table(position, f"N 7S, S 7S, {claims}, N dix play 10, N takes")
        assert (twice.codes, twice.points) == (["dix-spent"], [10, 10])


def test_by_the_option_a_seven_played_after_the_close_scores_nothing():
    told = table(LAST, "N 7S, N dix play 10", dix_in_last_tricks=False)
    assert told.codes == ["dix-not-in-rules"]
    assert table(LAST, "N KH, N dix play 10", dix_in_last_tricks=False).codes == ["dix-not-played"]


def test_by_the_option_a_seven_scores_again_but_not_twice_for_one_play():
    back = LAST + " | spent 7S"
    once = table(back, "N 7S, N dix play 10", dix_once_per_card=False)
    assert (once.codes, once.points) == ([], [10, 0])
    twice = table(back, "N 7S, N dix play 10, N dix play 10", dix_once_per_card=False)
    assert (twice.codes, twice.points) == (["dix-spent"], [10, 0])


def test_a_card_nobody_saw_may_have_been_the_seven_once():
    position = "N: ?? KH ?? | S: ?? ?? ?? | trump S | turn-up AS | stock 9 | N leads"
    once = table(position, "N ??, N dix play 10", knowledge="public")
    assert (once.codes, once.points) == ([], [10, 0])
    twice = table(position, "N ??, N dix play 10, N dix play 10", knowledge="public")
    assert twice.codes == ["dix-spent"]
    later = "N ??, N dix play 10, S ??, N takes, N draws ??, S draws ??, N KH, N dix play 10"
    assert table(position, later, knowledge="public").codes == ["dix-not-played"]
