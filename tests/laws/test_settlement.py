"""C15, A-27 to A-30: settlements of one-deal matches, to the point. North wins the last trick: 50, or 250."""

from collections import defaultdict
from itertools import product

import pytest

from records.record import Result
from records.rules.registry import resolve_sheet
from records.rules.settlement import is_rubiconed, possible_settlements, settle_deal
from records.validate.report import Report
from tests.make.tables import N, S, Told, table

CLUB, CHINESE, SIX_PACK = "rubicon-bezique-club", "chinese-bezique", "six-pack-bezique"
RUBICON = ["rubicon-bezique", "rubicon-bezique-recommended"]
LAST_TRICK = {CHINESE: 250, SIX_PACK: 250}
SHEETS = [*RUBICON, CLUB, CHINESE, SIX_PACK]
NORTH, SOUTH, NOBODY = 0, 1, None


def played(
    sheet: str,
    scores: tuple[int, int],
    brisques: tuple[int, int] = (0, 0),
    then: str = "",
    **options,
) -> Told:
    """A deal that ends at these scores, North taking the last trick; `brisques` are cards taken."""
    north = scores[0] - LAST_TRICK.get(sheet, 50)
    position = f"N: 9S | S: 8S | trump H | scores {north} {scores[1]} | brisques {brisques[0]} {brisques[1]}"
    told = table(f"{position} | N leads", f"N 9S, S 8S{then}", sheet=sheet, **options)
    assert told.points == list(scores)
    return told


def ruled(sheet: str, scores: tuple[int, int], brisques: tuple[int, int], ruling: str) -> Report:
    """The report on a deal in which a ruling of the players follows the last trick."""
    north = scores[0] - LAST_TRICK.get(sheet, 50)
    position = f"N: 9S | S: 8S | trump H | scores {north} {scores[1]} | brisques {brisques[0]} {brisques[1]}"
    return table(f"{position} | N leads", f"N 9S, S 8S{ruling}", sheet=sheet).report


def result(**claims: object) -> Result:
    return Result(status="complete", **claims)


def settled(sheet: str, scores, brisques=(0, 0), **options):
    """What each side receives, and who wins."""
    report = played(sheet, scores, brisques, **options).report
    return report.settlement, report.winner


# G2, verbatim [PG p. 21-22]

G2 = [((1510, 1240), 800, 800, 800), ((1550, 1520), 600, 500, 500), ((1320, 620), 3200, 2900, 3220)]


@pytest.mark.parametrize(("scores", "portland", "seed", "club"), G2)
def test_g2_the_three_settlements_of_pg(scores, portland, seed, club):
    for sheet in [*RUBICON, CLUB]:
        assert settled(sheet, scores, settlement="portland") == ([portland, 0], NORTH)
    for sheet in RUBICON:
        assert settled(sheet, scores) == ([seed, 0], NORTH)
    assert settled(CLUB, scores) == ([club, 0], NORTH)


# G3, verbatim [001]


def test_g3_3500_to_2800_is_7300():
    assert settled(SIX_PACK, (3500, 2800)) == ([7300, 2800], NORTH)


# raw points decide who wins, hundreds what it is worth


@pytest.mark.parametrize("sheet", [*RUBICON, CLUB])
def test_a27_one_point_more_wins_and_the_hundreds_are_equal(sheet):
    assert settled(sheet, (1210, 1220)) == ([0, 500], SOUTH)


def test_a27_so_it_is_beyond_the_rubicon_of_3000():
    assert settled(CHINESE, (3210, 3220)) == ([0, 500], SOUTH)


@pytest.mark.parametrize("sheet", [*RUBICON, CLUB])
def test_rounding_is_down(sheet):
    """1990 and 1000 are 1900 and 1000."""
    assert settled(sheet, (1990, 1000)) == ([1400, 0], NORTH)


# a difference that rounds to nothing


def test_a29_500_and_by_the_portland_terms_600():
    assert settled("rubicon-bezique", (1190, 1110)) == ([500, 0], NORTH)
    assert settled(CLUB, (1190, 1110)) == ([500, 0], NORTH)
    assert settled(CLUB, (1190, 1110), settlement="portland") == ([600, 0], NORTH)


# the rubicon, also where the winner has not crossed it


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_loser_is_rubiconed_even_if_the_winner_is(sheet):
    by_sheet = {CLUB: [1000 + 800 + 500 + 320, 0], SIX_PACK: [850 + 1000 + 510, 510]}
    expected = by_sheet.get(sheet, [1000 + 800 + 500, 0])
    assert settled(sheet, (850, 510)) == (expected, NORTH)


@pytest.mark.parametrize("sheet", RUBICON)
def test_the_rubicon_is_1000(sheet):
    assert settled(sheet, (1200, 1000)) == ([700, 0], NORTH)
    assert settled(sheet, (1200, 990)) == ([1000 + 1200 + 900, 0], NORTH)


def test_the_rubicon_of_chinese_bezique_is_3000():
    assert settled(CHINESE, (4210, 3000)) == ([500 + 4200 - 3000, 0], NORTH)
    assert settled(CHINESE, (4210, 2990)) == ([1000 + 4200 + 2900, 0], NORTH)


def test_the_rubicon_of_six_pack_is_3000():
    assert settled(SIX_PACK, (3510, 3000)) == ([4510, 3000], NORTH)
    assert settled(SIX_PACK, (3510, 2990)) == ([3510 + 1000 + 2990, 2990], NORTH)


def test_six_pack_rounds_nothing():
    assert settled(SIX_PACK, (4490, 3010)) == ([5490, 3010], NORTH)
    assert settled(SIX_PACK, (300, 3050)) == ([300, 3050 + 1000 + 300], SOUTH)


# 320 and the hundred for less than a hundred


def test_club_320_for_all_the_brisques_whoever_took_them():
    for brisques in ((0, 0), (20, 12)):
        assert settled(CLUB, (1310, 520), brisques) == ([1000 + 1300 + 500 + 320, 0], NORTH)


@pytest.mark.parametrize(("loser", "extra"), [(90, 100), (100, 0), (110, 0), (0, 100)])
def test_a_hundred_more_where_the_loser_has_not_even_100(loser, extra):
    hundreds = loser // 100 * 100
    assert settled(CLUB, (1350, loser)) == ([1000 + 1300 + hundreds + 320 + extra, 0], NORTH)
    portland = [1300 + 1300 + hundreds + extra, 0]
    assert settled("rubicon-bezique", (1350, loser), settlement="portland") == (portland, NORTH)
    assert settled("rubicon-bezique", (1350, loser)) == ([1000 + 1300 + hundreds, 0], NORTH)


# brisques save the rubicon, for both, and may turn the order round


@pytest.mark.parametrize("sheet", [*RUBICON, CLUB])
def test_a28_brisques_save_the_rubicon_and_count_for_both(sheet):
    """1200 + 120 against 900 + 200: 1300 - 1100 + 500."""
    told = played(sheet, (1200, 900), (12, 20))
    assert (told.report.settlement, told.report.winner) == ([700, 0], NORTH)
    assert told.report.scores == [1320, 1100]


@pytest.mark.parametrize("sheet", [*RUBICON, CLUB])
def test_a28_brisques_that_do_not_save_it_do_not_count(sheet):
    """890 and 100 are 990: rubiconed; the totals stay as they were."""
    extra = 320 if sheet == CLUB else 0
    told = played(sheet, (1200, 890), (22, 10))
    assert (told.report.settlement, told.report.winner) == ([1000 + 1200 + 800 + extra, 0], NORTH)
    assert told.report.scores == [1200, 890]


@pytest.mark.parametrize("sheet", [*RUBICON, CLUB])
def test_a28_they_may_turn_the_order_round(sheet):
    """1010 + 20 against 950 + 300: South wins, 1200 - 1000 + 500."""
    assert settled(sheet, (1010, 950), (2, 30)) == ([0, 700], SOUTH)


@pytest.mark.parametrize("sheet", [*RUBICON, CLUB])
def test_a28_equal_with_them_is_a_draw(sheet):
    """1010 + 100 and 890 + 220 are 1110 each."""
    assert settled(sheet, (1010, 890), (10, 22)) == ([0, 0], NOBODY)


@pytest.mark.parametrize("sheet", [*RUBICON, CLUB])
def test_a28_the_other_is_not_rubiconed_by_them(sheet):
    """980 + 10 against 900 + 310: South wins 1210 to 990, and pays no rubicon: 1200 - 900 + 500."""
    assert settled(sheet, (980, 900), (1, 31)) == ([0, 800], SOUTH)


def test_a28_in_chinese_bezique_3000_is_to_be_reached():
    """2900 + 100: saved; 4000 + 380 and 3000: 4300 - 3000 + 500."""
    assert settled(CHINESE, (4000, 2900), (38, 10)) == ([1800, 0], NORTH)
    assert settled(CHINESE, (4000, 2890), (38, 10)) == ([1000 + 4000 + 2800, 0], NORTH)


def test_a28_six_pack_has_no_brisques_to_save_anybody():
    assert settled(SIX_PACK, (3500, 2990), (0, 48)) == ([3500 + 1000 + 2990, 2990], NORTH)


# ties


@pytest.mark.parametrize("sheet", [*RUBICON, CLUB])
def test_a_tie_is_broken_by_brisques_counted_for_both(sheet):
    """1200 + 190 against 1200 + 130: 1300 - 1300 + 500."""
    told = played(sheet, (1200, 1200), (19, 13))
    assert (told.report.settlement, told.report.winner) == ([500, 0], NORTH)
    assert told.report.scores == [1390, 1330]
    assert settled(sheet, (1200, 1200), (4, 28)) == ([0, 1400 - 1200 + 500], SOUTH)


@pytest.mark.parametrize("sheet", [*RUBICON, CLUB])
def test_a_tie_with_equal_brisques_is_a_draw_l61(sheet):
    assert settled(sheet, (1200, 1200), (16, 16)) == ([0, 0], NOBODY)
    assert settled(sheet, (700, 700), (16, 16)) == ([0, 0], NOBODY)


@pytest.mark.parametrize("sheet", [*RUBICON, CLUB])
def test_a48_a_tie_broken_below_the_rubicon_is_worth_the_points_without_brisques(sheet):
    """700 each; with brisques 850 and 870: South wins, rubicon: 1000 + 700 + 700."""
    extra = 320 if sheet == CLUB else 0
    told = played(sheet, (700, 700), (15, 17))
    assert (told.report.settlement, told.report.winner) == ([0, 2400 + extra], SOUTH)
    assert told.report.scores == [850, 870]


@pytest.mark.parametrize("sheet", [*RUBICON, CLUB])
def test_a_tie_whose_brisques_take_the_loser_over_the_rubicon(sheet):
    """900 each; 1100 and 1020: 1100 - 1000 + 500."""
    assert settled(sheet, (900, 900), (20, 12)) == ([600, 0], NORTH)


def test_a48_in_chinese_bezique_too():
    """2500 each; 2750 and 2730: North wins, rubicon: 1000 + 2500 + 2500."""
    told = played(CHINESE, (2500, 2500), (25, 23))
    assert (told.report.settlement, told.report.winner) == ([6000, 0], NORTH)
    assert told.report.scores == [2750, 2730]


@pytest.mark.parametrize(("settlement", "value"), [("seed", 1000), ("portland", 1300 + 100)])
def test_a48_whether_the_loser_has_less_than_100_is_seen_without_brisques(settlement, value):
    """90 each; 270 and 230: the loser would have more than 100 with brisques."""
    scores, brisques = (90, 90), (18, 14)
    assert settled(RUBICON[0], scores, brisques, settlement=settlement) == ([value, 0], NORTH)
    club = value + (320 + 100 if settlement == "seed" else 0)
    assert settled(CLUB, scores, brisques, settlement=settlement) == ([club, 0], NORTH)


def test_six_pack_a_tie_is_a_draw_and_nobody_adds_anything():
    assert settled(SIX_PACK, (3200, 3200)) == ([3200, 3200], NOBODY)
    assert settled(SIX_PACK, (2200, 2200), (0, 48)) == ([2200, 2200], NOBODY)


# whoever sits where


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("settlement", [None, "portland"])
def test_c15_the_settlement_asks_for_no_seat(sheet, settlement):
    """Around the rubicon, at ties and with brisques that break them, turning the table turns the settlement."""
    if settlement and sheet not in (*RUBICON, CLUB):
        return
    options = {"settlement": settlement} if settlement else {}
    game = resolve_sheet(sheet, None, options).sheet.rules.match
    at = game.rubicon
    scores = [0, 90, 100, at - 110, at - 100, at - 10, at, at + 10, at + 210]
    for raw, brisques in product(
        product(scores, scores), [(0, 0), (110, 100), (100, 110), (0, 320)]
    ):
        this = settle_deal(game, list(raw), list(brisques))
        other = settle_deal(game, list(raw[::-1]), list(brisques[::-1]))
        assert other.receives == this.receives[::-1]
        assert other.totals == this.totals[::-1]
        assert other.brisques_count == this.brisques_count
        assert other.winner == (None if this.winner is None else 1 - this.winner)
        if raw[0] == raw[1] and brisques[0] == brisques[1]:
            assert this.winner is None


@pytest.mark.parametrize("sheet", [RUBICON[0], CLUB])
def test_a28_totals_alone_leave_open_what_some_points_and_brisques_come_to(sheet):
    """Every deal around the rubicon is settled; together they say what totals may mean."""
    game = resolve_sheet(sheet, None, {}).sheet.rules.match
    outcomes = defaultdict(list)
    splits = [[taken, 320 - taken] for taken in range(0, 330, 40)]
    for raw in product(range(480, 1200, 40), repeat=2):
        for split in splits:
            settled = settle_deal(game, list(raw), split)
            outcome = settled.receives, settled.winner
            if outcome not in outcomes[tuple(settled.totals)]:
                outcomes[tuple(settled.totals)].append(outcome)
    several = 0
    for totals in product(range(800, 1200, 40), repeat=2):
        found = possible_settlements(game, list(totals), brisques=8, worth=40)
        assert sorted(found, key=repr) == sorted(outcomes[totals], key=repr)
        several += len(found) > 1
    assert several


# the bonus of a plain win in Chinese Bezique


def test_a30_a_plain_win_is_500_and_by_the_option_1000():
    assert settled(CHINESE, (4210, 3010)) == ([1700, 0], NORTH)
    assert settled(CHINESE, (4210, 3010), win_bonus=1000) == ([2200, 0], NORTH)


def test_a30_the_rubicon_is_1000_either_way():
    for bonus in (500, 1000):
        expected = [1000 + 4200 + 2900, 0]
        assert settled(CHINESE, (4210, 2950), win_bonus=bonus) == (expected, NORTH)


# brisques claimed


@pytest.mark.parametrize("sheet", [*RUBICON, CLUB, CHINESE])
def test_brisques_are_scored_only_where_they_count(sheet):
    claim = ", N counts 12 brisques 120, S counts 20 brisques 200"
    rubicon = 3000 if sheet == CHINESE else 1000
    told = played(sheet, (rubicon + 200, rubicon - 100), (12, 20), then=claim)
    assert told.codes == []
    told = played(sheet, (rubicon + 200, rubicon), (12, 20), then=claim)
    assert told.codes == ["score-not-earned"] * 2
    told = played(sheet, (rubicon + 200, rubicon - 210), (12, 20), then=claim)
    assert told.codes == ["score-not-earned"] * 2


@pytest.mark.parametrize("sheet", RUBICON)
def test_brisques_that_count_are_counted_whole(sheet):
    claim = ", N counts 12 brisques 120, S counts 19 brisques 190"
    played(sheet, (1200, 900), (12, 20), then=claim).only("wrong-brisques")
    played(sheet, (1200, 900), (12, 20), then=", N counts 12 brisques 130").only("wrong-brisques")


@pytest.mark.parametrize("sheet", RUBICON)
def test_brisques_are_no_part_of_the_deal_s_points(sheet):
    told = played(sheet, (1200, 900), (12, 20))
    assert told.scored("brisques") == []
    assert told.points == [1200, 900]


@pytest.mark.parametrize("sheet", [*RUBICON, CLUB])
def test_a45_points_of_a_ruling_after_the_last_trick_are_compared_too(sheet):
    """Level before it or after it: brisques count in the scores as in the settlement, or in neither."""
    ruling = ", irregular S other -60"
    apart = ruled(sheet, (1710, 1710), (19, 13), ruling)
    assert (apart.scores, apart.winner) == ([1710, 1650], NORTH)
    level = ruled(sheet, (1710, 1770), (19, 13), ruling)
    assert (level.scores, level.winner) == ([1900, 1840], NORTH)
    saved = ruled(sheet, (1710, 1020), (1, 13), ruling)
    assert (saved.scores, saved.winner) == ([1720, 1090], NORTH)


# what a record claims


def test_the_result_of_a_record_is_held_against_the_settlement():
    told = played("rubicon-bezique", (1510, 1240))
    record = told.record
    for claimed, winner, codes in [
        ([800, 0], N, []),
        ([810, 0], N, ["wrong-settlement"]),
        ([0, 800], S, ["wrong-winner", "wrong-settlement"]),
        ([800, 0], None, ["wrong-winner"]),
    ]:
        record.result = result(scores=[1510, 1240], settlement=claimed, winner=winner)
        report = Told(record).report
        assert [finding.code for finding in report.findings] == codes
        assert report.verdict == ("legal_with_mismatches" if codes else "legal")


def test_a_drawn_game_has_no_winner():
    record = played("rubicon-bezique", (1200, 1200), (16, 16)).record
    record.result = result(scores=[1360, 1360], settlement=[0, 0], winner=None)
    assert Told(record).report.verdict == "legal"
    record.result.winner = N
    assert [finding.code for finding in Told(record).report.findings] == ["wrong-winner"]


def test_a_race_to_points_has_no_settlement():
    told = table("N: 9S | S: 8S | trump H | scores 1200 300 | N leads", "N 9S, S 8S")
    told.record.result = result(scores=[1210, 300], settlement=[500, 0], winner=N)
    report = Told(told.record).report
    assert [finding.code for finding in report.findings] == ["settlement-not-in-rules"]


@pytest.mark.parametrize("sheet", SHEETS)
def test_c15_whether_the_loser_was_rubiconed_can_be_told_from_the_settlement(sheet):
    """Short of the rubicon with brisques; whose points are compared without them, is short without them, too."""
    game = resolve_sheet(sheet, None, {}).sheet.rules.match
    at, told = game.rubicon, set()
    scores = [0, 90, 500, at - 110, at - 100, at - 10, at, at + 10, at + 210]
    for raw, brisques in product(product(scores, scores), [(0, 0), (110, 100), (20, 300)]):
        settled = settle_deal(game, list(raw), list(brisques))
        if settled.winner is None:
            continue
        counted = [points + more for points, more in zip(raw, brisques, strict=True)]
        six = sheet == SIX_PACK
        behind = 1 - settled.winner if raw[0] == raw[1] or six else int(raw[0] > raw[1])
        rubiconed = (raw if six else counted)[behind] < at
        assert is_rubiconed(game, settled.totals, settled.receives, settled.winner) is rubiconed
        told.add(rubiconed)
    assert told == {True, False}


# the difference rounded or not, in a club


@pytest.mark.parametrize(
    ("scores", "hundreds", "none", "close"),
    [
        ((1550, 1520), 500, 530, 530),
        ((1510, 1240), 800, 770, 800),
        ((1320, 620), 3220, 3220, 3220),
        ((1600, 1590), 600, 510, 600),
    ],
)
def test_a51_how_the_difference_is_rounded_in_a_club(scores, hundreds, none, close):
    assert settled(CLUB, scores) == ([hundreds, 0], NORTH)
    for option, receives in (("hundreds", hundreds), ("none", none), ("close", close)):
        assert settled(CLUB, scores, settlement_rounding=option) == ([receives, 0], NORTH)


def test_a51_a_difference_not_rounded_is_still_at_least_100_by_the_portland_terms():
    options = {"settlement": "portland", "settlement_rounding": "none"}
    assert settled(CLUB, (1550, 1520), **options) == ([600, 0], NORTH)
    assert settled(CLUB, (1550, 1390), **options) == ([660, 0], NORTH)
