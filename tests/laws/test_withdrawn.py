"""A-45: a withdrawn meld. The table is as before it, and the player may score another in its place."""

import pytest

from records.rules.registry import ALL_SHEETS, get_sheet
from records.rules.vocabulary import MeldsFrom, TurnUp
from tests.make.tables import N, table
from tests.make.turns import turns

OTHERS = "B: 2C 3C 4C 5D 6C"
FLUSH = "flush_sequence 2H 3H 4H 5H 6H 7H 50"
BACK = "A irregular withdrawn_meld"
OF_HELD_CARDS = [
    sheet.id
    for sheet in ALL_SHEETS
    if sheet.rules.tableau is None and sheet.rules.melds_from is MeldsFrom.HELD
]
PAIRS = f"A: KH QH KD 2H 3H 4H | {OTHERS} | tableau QD 9S | stock 20"


def listed(told) -> list[int]:
    """The points, once nothing is found but the irregularities."""
    assert set(told.codes) == {"irregularity"}, told.codes
    return told.points


def in_vain(told) -> list[int]:
    """The points, once nothing is found but a withdrawal that takes nothing back."""
    assert set(told.codes) - {"irregularity"} == {"nothing-withdrawn"}, told.codes
    return told.points


# Zetema: a combination


def test_a45_zetema_a_combination_withdrawn_scores_nothing():
    told = turns(f"A: 2H 3H 4H 5H 6H 7H | {OTHERS} | stock 20", f"A melds {FLUSH}, {BACK}")
    assert listed(told) == [0, 0]
    assert (told.position.step, told.position.seat) == ("combine", 0)


def test_a45_zetema_the_discard_is_free_again():
    hands = f"A: 7S 7S 7H 7D 7C 9H | {OTHERS} | stock 20"
    melds = "A melds assembly 7S 7S 7H 7D 7C 100"
    assert listed(turns(hands, f"{melds}, {BACK}, A discards 9H")) == [0, 0]
    turns(hands, f"{melds}, A discards 9H").only("discard-not-of-combination")


def test_a45_zetema_another_combination_may_be_scored():
    hands = f"A: 2H 3H 4H 5H 6H 7H | {OTHERS} | stock 20"
    told = turns(hands, f"A melds flush 2H 3H 4H 5H 6H 7H, {BACK}, A melds {FLUSH}")
    assert listed_with(told, "wrong-cards-for-meld") == [50, 0]
    assert told.report.verdict != "illegal"


def listed_with(told, code: str) -> list[int]:
    """The points, where this was excused by the irregularity."""
    assert [(finding.code, finding.severity) for finding in told.findings] == [
        (code, "note"), ("irregularity", "note"),
    ]  # fmt: skip
    return told.points


def test_a45_zetema_marriages_go_back_where_they_came_from():
    melds = "A melds marriages KH QH KD QD 30"
    told = turns(PAIRS, f"{melds}, {BACK}")
    assert listed(told) == [0, 0]
    assert told.hands[0] == sorted(["KH", "QH", "KD", "2H", "3H", "4H"])
    assert told.position.tableau["Q"] == ["QD"]
    assert told.position.tableau["9"] == ["9S"]
    assert told.position.out == []
    assert (told.position.step, told.position.seat) == ("combine", 0)


@pytest.mark.parametrize("lying", ["QS", "KS"])
def test_a45_zetema_each_of_two_like_cards_goes_back_to_its_own_place(lying):
    hands = f"A: KS QS 2H 3H 4H 5H | {OTHERS} | tableau {lying} | stock 20"
    told = turns(hands, f"A melds marriages KS QS from {lying} 20, {BACK}, A discards {lying}")
    assert listed(told) == [0, 0]
    assert told.position.tableau[lying[0]] == [lying, lying]
    assert lying not in told.hands[0]


def test_a45_zetema_the_turn_is_still_his():
    melds = "A melds marriages KH QH 10"
    assert listed(turns(PAIRS, f"{melds}, {BACK}, A discards 2H, B draws 7C")) == [0, 0]
    told = turns(PAIRS, f"{melds}, {BACK}, A melds marriages KD QD 10, B draws 7C, B discards 7C")
    assert listed(told) == [10, 0]
    assert sorted(told.position.out) == ["KD", "QD"]
    late = turns(PAIRS, f"{melds}, {BACK}, B draws 7C")
    assert late.codes == ["irregularity", "draw-not-due"]


def test_a45_zetema_of_marriages_unsaid_before_it():
    """A withdrawn marriage tells nothing of where the cards of the one before it came from."""
    hands = f"A: KS QS 2H 3H 4H 5H | {OTHERS} | tableau KS QS | stock 20"
    told = f"""A melds marriages KS QS 20, B draws 7C, B discards 7C, A draws 8H,
        A melds marriages KS QS 20, {BACK}, A discards KS"""
    assert listed(turns(hands, told)) == [20, 0]


@pytest.mark.parametrize("since", ["A discards 2H", "A discards 2H, B draws 7C"])
def test_a45_zetema_too_late_to_withdraw(since):
    """The game has gone on: the points stand, and what was ruled is only listed."""
    hands = f"A: 2H 3H 4H 5H 6H 7H | {OTHERS} | stock 20"
    assert in_vain(turns(hands, f"A melds {FLUSH}, {since}, {BACK}")) == [50, 0]
    drawn = f"A melds marriages KH QH 10, B draws 7C, {BACK}, B discards 7C"
    assert in_vain(turns(PAIRS, drawn)) == [10, 0]


def test_a45_zetema_nobody_withdraws_for_another():
    told = turns(PAIRS, "A melds marriages KH QH 10, B irregular withdrawn_meld, B draws 7C")
    assert in_vain(told) == [10, 0]


def test_a45_zetema_a_withdrawal_is_one():
    told = turns(PAIRS, f"A melds marriages KH QH 10, {BACK}, {BACK}, A discards KH")
    assert in_vain(told) == [0, 0]
    assert told.position.tableau["K"] == ["KH"]


def test_a45_zetema_the_combination_that_won_is_withdrawn_and_the_hand_goes_on():
    hands = f"A: 2H 3H 4H 5H 6H 7H | {OTHERS} | stock 20 | scores 260 0"
    told = turns(hands, f"A melds {FLUSH}, {BACK}, A discards 2H", game_end="at_once")
    assert listed(told) == [260, 0]
    assert told.report.winner is None


def test_a45_zetema_points_of_the_ruling_are_given_besides():
    told = turns(PAIRS, f"A melds marriages KH QH 10, {BACK} -10, A discards 2H")
    assert told.points == [-10, 0]


def test_a45_zetema_a_marriage_of_cards_nobody_had_named():
    """From unknown cards: what was shown is known from then on, and is in the hand again."""
    hands = "A: KH ?? ?? 2H 3H 4H | B: ?? ?? ?? ?? ?? | stock 20"
    told = turns(hands, f"A melds marriages KH QH 10, {BACK}")
    assert listed(told) == [0, 0]
    view = told.position.seats[0]
    assert (sorted(view.hand), view.hidden) == (sorted(["KH", "QH", "2H", "3H", "4H"]), 1)


# trick games: everything is as before it


@pytest.mark.parametrize("sheet", OF_HELD_CARDS)
def test_a45_the_meld_of_the_trick_may_be_another(sheet):
    turn_up = "turn-up 9C | " if isinstance(get_sheet(sheet).rules.trumps, TurnUp) else ""
    position = f"N: KH QH KS QS 8C | S: 7S 8D 9D 7H | trump C | {turn_up}stock 20 | N won"
    withdrawn = "N melds marriage KH QH 20, irregular N withdrawn_meld"
    told = table(position, withdrawn, sheet=sheet)
    assert listed(told) == [0, 0]
    assert told.position.seats[N].laid == []
    assert listed(table(position, f"{withdrawn}, N melds marriage KS QS 20", sheet=sheet)) == [
        20,
        0,
    ]
    assert listed(table(position, f"{withdrawn}, N melds marriage KH QH 20", sheet=sheet)) == [
        20,
        0,
    ]


def test_a45_cards_won_are_free_again():
    position = "N: 9C | S: 8C | trump H | turn-up 7H | stock 9 | N captured QS KS JD | N won"
    withdrawn = "N melds marriage KS QS 20, irregular N withdrawn_meld"
    told = table(position, f"{withdrawn}, N melds marriage KS QS 20", sheet="polish-bezique")
    assert listed(told) == [20, 0]


# trick games: what else was laid at that trick stays


MARJOLET = "N: KH QH KS QD JD 8C | S: 7S 8D 9D 7H | trump D | turn-up 9C | stock 9 | N won"


def test_a45_only_the_last_meld_goes_back():
    melds = "N melds marriage KH QH 20, N melds marjolet JD QD 40"
    told = table(MARJOLET, f"{melds}, irregular N withdrawn_meld", sheet="marjolet")
    assert told.points == [20, 0]
    assert [(card.card, card.meld) for card in told.position.seats[N].laid] == [
        ("KH", "marriage"), ("QH", "marriage"),
    ]  # fmt: skip


def test_a45_cards_that_were_no_meld_go_back_and_the_meld_before_stays():
    melds = "N melds marriage KH QH 20, N melds marriage KS QD, irregular N withdrawn_meld"
    told = table(MARJOLET, melds, sheet="marjolet")
    assert [(finding.code, finding.severity) for finding in told.findings] == [
        ("wrong-cards-for-meld", "note"), ("irregularity", "note"),
    ]  # fmt: skip
    assert told.points == [20, 0]
    assert told.hands[N] == sorted(["KS", "QD", "JD", "8C"])


def test_a45_a_meld_shown_goes_back_and_the_meld_scored_stays():
    position = "N: KH QH QS JD 8C | S: 7S 8D 9D 7H | trump C | turn-up 9C | stock 9 | N won"
    melds = "N melds marriage KH QH 20, N shows bezique QS JD, irregular N withdrawn_meld"
    told = table(position, melds)
    assert told.points == [20, 0]
    assert told.hands[N] == sorted(["QS", "JD", "8C"])


def test_a45_a_meld_that_counted_for_nothing_gives_no_other():
    """One meld a trick: what was withdrawn had not used it up, so it is not given back twice."""
    position = "N: KH QH QS JD 8C | S: 7S 8D 9D 7H | trump C | turn-up 9C | stock 9 | N won"
    told = """N melds marriage KH QH 20, N shows bezique QS JD, irregular N withdrawn_meld,
        N melds bezique QS JD 40"""
    assert "too-many-melds" in table(position, told).codes


# trick games: once play has gone on, the meld stands


ENHANCED = "N: KD QD AD 9S | S: 7C 8C 9C 7D | trump H | turn-up 9H | stock 3 | N won"
MELDED = "N melds marriage KD QD 20"
WITHDRAWN = "irregular N withdrawn_meld"


@pytest.mark.parametrize(
    "since",
    [
        "N draws 8S",
        "N draws 8S, S draws 8S",
        "N draws 8S, S draws 8S, N 9S",
        "N draws 8S, S draws 8S, N 9S, S 7C",
    ],
)
def test_a45_after_a_draw_or_a_play_the_meld_stands(since):
    told = table(ENHANCED, f"{MELDED}, {since}, {WITHDRAWN}", sheet="bezique-enhanced")
    assert in_vain(told) == [20, 0]
    assert [card.card for card in told.position.seats[N].laid] == ["KD", "QD"]


def test_a45_and_is_not_scored_again():
    gone_on = f"{MELDED}, N draws 8S, {WITHDRAWN}, S draws 8S, N 9S, S 7C, {MELDED}"
    told = table(ENHANCED, gone_on, sheet="bezique-enhanced")
    assert told.codes == ["nothing-withdrawn", "meld-reuses-cards"]


def test_a45_a_meld_out_of_time_is_withdrawn_in_time():
    told = table(ENHANCED, f"N draws 8S, S draws 8S, {MELDED}, {WITHDRAWN}, N 9S", sheet="zique")
    assert [(f.code, f.severity) for f in told.findings] == [
        ("meld-out-of-window", "note"), ("irregularity", "note"),
    ]  # fmt: skip
    assert (told.points, told.position.seats[N].laid) == ([0, 0], [])


def test_a45_what_is_drawn_from_a_written_stock_is_drawn_with_the_next_card():
    told = table(ENHANCED, f"{MELDED}, {WITHDRAWN}, {MELDED}", sheet="bezique-enhanced")
    assert listed(told) == [20, 0]


# trick games: a dix since the meld stays what it was


SEVENS = "N: KD QD 7H 7H 9S | S: 7C 8C 9C 7D JD | trump H | turn-up 9H | stock 3 | N won"


def test_a45_a_seven_shown_since_stays_shown():
    one = SEVENS.replace("7H 7H", "7H AD")
    shown = "N dix show 10"
    told = table(one, f"{MELDED}, {shown}, {WITHDRAWN}, {shown}", sheet="bezique-enhanced")
    assert told.codes == ["irregularity", "dix-spent"]
    both = table(SEVENS, f"{MELDED}, {shown}, {WITHDRAWN}, {shown}", sheet="bezique-enhanced")
    assert listed(both) == [20, 0]
    third = f"{MELDED}, {shown}, {WITHDRAWN}, {shown}, {shown}"
    assert table(SEVENS, third, sheet="bezique-enhanced").codes == ["irregularity", "dix-spent"]


def test_a45_a_seven_shown_before_the_meld_stays_shown():
    one = SEVENS.replace("7H 7H", "7H AD")
    told = table(
        one, f"N dix show 10, {MELDED}, {WITHDRAWN}, N dix show 10", sheet="bezique-enhanced"
    )
    assert told.codes == ["irregularity", "dix-spent"]


def test_a45_an_exchange_since_stays_made():
    one = SEVENS.replace("7H 7H", "7H AD")
    told = table(
        one,
        f"{MELDED}, N dix exchange 10, {WITHDRAWN}, N draws 8S, S draws 8S, N 9H from table",
        sheet="bezique-enhanced",
    )
    assert listed(told) == [10, 0]
    assert told.position.turn_up == "7H"
    assert table(
        one,
        f"{MELDED}, N dix exchange 10, {WITHDRAWN}, N draws 8S, S draws 8S, N KD from table",
        sheet="bezique-enhanced",
    ).codes == ["irregularity", "not-on-table"]


def test_a45_carte_blanche_since_stays_shown():
    position = "N: AD 9S 8S 7S | S: 7C 8C 9C 7D | stock 4 | N leads"
    told = table(
        position,
        f"N shows carte_blanche 50, {WITHDRAWN}, N 9S",
        sheet="rubicon-bezique",
    )
    assert in_vain(told) == [50, 0]


def test_a45_a_meld_shown_and_then_scored_is_pending_again():
    """The meld that scores a pending one is withdrawn; the pending one still lies there."""
    position = "N: KH QH QS JD 8C | S: 7S 8D 9D 7H JH | trump C | turn-up 9C | stock 9 | N won"
    shown = "N shows bezique QS JD, N melds bezique QS JD 40"
    told = table(position, f"{shown}, {WITHDRAWN}")
    assert listed(told) == [0, 0]
    assert [(card.card, card.meld) for card in told.position.seats[N].laid] == [
        ("QS", "bezique"), ("JD", "bezique"),
    ]  # fmt: skip
    assert listed(table(position, f"{shown}, {WITHDRAWN}, N melds bezique QS JD 40")) == [40, 0]
    assert listed(table(position, f"{shown}, {WITHDRAWN}, N melds marriage KH QH 20")) == [20, 0]


def test_a45_trumps_made_by_a_withdrawn_meld_are_made_by_the_next():
    position = "N: KH QH KS QS 8C | S: 7S 8D 9D 7H JH | stock 8 | N won"
    told = table(
        position,
        f"N melds marriage KH QH 40, {WITHDRAWN}, N melds marriage KS QS 40",
        sheet="rubicon-bezique",
    )
    assert listed(told) == [40, 0]
    assert told.position.trump == "S"
