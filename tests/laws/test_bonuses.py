"""Last tricks and the game: rulings A-06 to A-11, and the options that change them."""

import pytest

from records.record import Claims, Deal, Result
from records.rules.registry import ALL_SHEETS
from records.validator import check_record
from tests.make.tables import N, S, deal_of, record_of, table

PLAYABLE = ["bezique", "bezique-enhanced", "polish-bezique", "marjolet", "marjolet-oxford", "zique"]
OF_HELD_CARDS = [sheet for sheet in PLAYABLE if sheet != "polish-bezique"]
ONE_TRICK = "N: {n} | S: {s} | trump C | N leads"


@pytest.mark.parametrize(("sheet", "scores"), [("marjolet", [0, 10]), ("marjolet-oxford", [10, 0])])
def test_a06_the_tenth_trick_pays_its_loser_who_draws_the_turn_up(sheet, scores):
    """In the older text of Marjolet it pays the winner."""
    position = "N: AS 8D | S: 7S 9D | trump C | turn-up 9C | stock 1 | N leads"
    told = table(position, "N AS, S 7S", sheet=sheet)
    assert told.points == scores
    seat = scores.index(10)
    claimed = f"N AS, S 7S, N takes, {'NS'[seat]} scores tenth_trick 10"
    assert table(position, claimed, sheet=sheet).codes == []
    other = f"N AS, S 7S, N takes, {'NS'[1 - seat]} scores tenth_trick 10"
    assert table(position, other, sheet=sheet).codes == ["score-not-earned"]


@pytest.mark.parametrize("sheet", ["bezique", "bezique-enhanced", "polish-bezique", "zique"])
def test_a06_elsewhere_it_pays_nobody(sheet):
    position = "N: AS 8D | S: 7S 9D | trump C | turn-up 9C | stock 1 | N leads"
    assert table(position, "N AS, S 7S", sheet=sheet).points == [0, 0]


@pytest.mark.parametrize("sheet", ["marjolet", "marjolet-oxford"])
def test_the_trick_before_it_is_not_the_tenth(sheet):
    position = "N: AS 8D | S: 7S 9D | trump C | turn-up 9C | stock 3 | N leads"
    assert table(position, "N AS, S 7S", sheet=sheet).points == [0, 0]


@pytest.mark.parametrize("sheet", OF_HELD_CARDS)
def test_a07_the_winner_of_the_last_open_trick_still_melds(sheet):
    position = "N: AS KH QH | S: 7S 9D 8D | trump C | turn-up 9C | stock 1 | N leads"
    told = table(
        position, "N AS, S 7S, N melds marriage KH QH 20, N draws 8C, S draws 9C", sheet=sheet
    )
    assert told.codes == []


@pytest.mark.parametrize(
    ("sheet", "legal"),
    [
        ("bezique", False),
        ("bezique-enhanced", True),
        ("marjolet", False),
        ("marjolet-oxford", True),
        ("zique", True),
    ],
)
def test_a08_melding_after_the_close(sheet, legal):
    position = "N: AS KH QH | S: 7S 9D 8D | trump C | N leads"
    told = table(position, "N AS, S 7S, N melds marriage KH QH 20", sheet=sheet)
    assert told.codes == ([] if legal else ["meld-after-close"])


@pytest.mark.parametrize("sheet", OF_HELD_CARDS)
@pytest.mark.parametrize("legal", [True, False])
def test_a08_the_option_meld_after_close(sheet, legal):
    position = "N: AS KH QH | S: 7S 9D 8D | trump C | N leads"
    told = table(
        position, "N AS, S 7S, N melds marriage KH QH", sheet=sheet, meld_after_close=legal
    )
    assert told.codes == ([] if legal else ["meld-after-close"])


@pytest.mark.parametrize("sheet", ["bezique-enhanced", "marjolet-oxford", "zique"])
def test_a08_before_leading_and_by_the_winner(sheet):
    position = "N: AS KH QH 9H | S: 7S 9D 8D 7D | trump C | N leads"
    told = table(position, "N AS, S 7S, N 9H, N melds marriage KH QH", sheet=sheet)
    assert told.codes == ["meld-out-of-window"]
    position = "N: AS 9D 8D | S: 7S KH QH | trump C | N leads"
    told = table(position, "N AS, S 7S, S melds marriage KH QH", sheet=sheet)
    assert told.codes == ["meld-by-loser"]


@pytest.mark.parametrize("sheet", OF_HELD_CARDS)
def test_a08_nothing_is_held_after_the_last_trick(sheet):
    position = ONE_TRICK.format(n="KH", s="QH")
    told = table(position, "N KH, S QH, N melds marriage KH QH", sheet=sheet)
    assert "meld-card-not-held" in told.codes


@pytest.mark.parametrize("sheet", PLAYABLE)
def test_a09_the_last_trick_is_the_last_of_the_deal(sheet):
    told = table(
        ONE_TRICK.format(n="KH", s="QH"), "N KH, S QH, N takes, N scores last_trick 10", sheet=sheet
    )
    assert told.codes == []
    assert told.points == [10, 0]


@pytest.mark.parametrize("sheet", PLAYABLE)
def test_a09_the_option_last_trick_before_the_close(sheet):
    position = "N: KS 8D | S: 7S 9D | trump C | turn-up 9C | stock 1 | N leads"
    told = table(
        position,
        "N KS, S 7S, N takes, N scores last_trick 10",
        sheet=sheet,
        last_trick="before_close",
    )
    assert told.codes == []
    assert told.scored("last_trick") == [(N, 10)]
    told = table(
        ONE_TRICK.format(n="KH", s="QH"), "N KH, S QH", sheet=sheet, last_trick="before_close"
    )
    assert told.points == [0, 0]


SIX = "N: AH KH QH JH 9H 8H | S: TH 7H 9S 8S 7S 9D | trump H"
TAKEN = "N AH, S TH, N KH, S 7H, N QH, S 9S, N JH, S 8S, N 9H, S 7S, N 8H, S 9D"
BEFORE = "N: AC KH QH JH 9H 8H | S: 8C TH 9S 8S 7S 9D | trump H | turn-up 7H | stock 1 | N leads"
CLOSE = "N AC, S 8C, N draws AH, S draws 7H"


@pytest.mark.parametrize(("options", "bonus"), [({}, 50), ({"last_tricks_bonus": 40}, 40)])
@pytest.mark.parametrize(("sheet", "tenth"), [("marjolet", [0, 10]), ("marjolet-oxford", [10, 0])])
def test_a10_all_six_last_tricks_on_top_of_the_last(sheet, tenth, options, bonus):
    """10 for the last trick, the bonus for all six; brisques: the ace of clubs, the ace and ten of hearts."""
    told = table(BEFORE, f"{CLOSE}, {TAKEN}", sheet=sheet, **options)
    assert told.codes == []
    assert told.scored("all_last_tricks") == [(N, bonus)]
    assert told.points == [tenth[N] + 10 + bonus + 30, tenth[S]]


@pytest.mark.parametrize("sheet", ["marjolet", "marjolet-oxford"])
def test_a10_not_for_five_of_six(sheet):
    last = TAKEN.replace("N 9H, S 7S, N 8H, S 9D", "N 9S, S TS, S 7S, N 8H")
    position = BEFORE.replace("9H 8H", "8H 9S").replace("9S 8S 7S 9D", "TS 8S 7S 9D")
    told = table(position, f"{CLOSE}, {last}".replace("S 9S", "S 9D"), sheet=sheet)
    assert told.codes == []
    assert told.scored("last_trick") == [(N, 10)]
    assert told.scored("all_last_tricks") == []


@pytest.mark.parametrize("sheet", ["bezique", "bezique-enhanced", "zique"])
def test_a10_in_the_games_of_two_packs_it_pays_nothing(sheet):
    told = table(BEFORE, f"{CLOSE}, {TAKEN}", sheet=sheet)
    assert told.scored("all_last_tricks") == []
    claimed = table(BEFORE, f"{CLOSE}, {TAKEN}, N scores all_last_tricks 50", sheet=sheet)
    assert claimed.codes == ["score-not-earned"]


def test_a_position_set_up_after_the_close_pays_no_bonus_for_tricks_nobody_saw():
    told = table(f"{SIX} | N leads", TAKEN, sheet="marjolet")
    assert told.scored("all_last_tricks") == []


def _ends(scores: list[list[int]], **options: object):
    """Deals that are one last trick each, North's, from positions with these scores; the report."""
    deals = []
    for number, (north, south) in enumerate(scores):
        deal = deal_of(f"N: KH | S: QH | trump C | scores {north} {south} | N leads", "N KH, S QH")
        deal.dealer = (S + number) % 2
        deals.append(deal)
    return deals, check_record(record_of(deals, **options))


@pytest.mark.parametrize(
    ("sheet", "target"),
    [
        ("bezique", 1000),
        ("bezique-enhanced", 1000),
        ("marjolet", 500),
        ("marjolet-oxford", 500),
        ("zique", 800),
    ],
)
def test_a_game_is_won_with_so_many_points(sheet, target):
    """The last trick of each deal brings North 10."""
    _, report = _ends([[target - 10, 0]], sheet=sheet)
    assert (report.verdict, report.winner, report.scores) == ("legal", N, [target, 0])
    _, report = _ends([[target - 20, 0]], sheet=sheet)
    assert (report.verdict, report.winner) == ("incomplete", None)


def test_zique_long_game():
    _, report = _ends([[1580, 0]], sheet="zique", long_game=True)
    assert report.verdict == "incomplete"
    _, report = _ends([[1590, 0]], sheet="zique", long_game=True)
    assert (report.verdict, report.winner) == ("legal", N)


def test_the_option_target():
    _, report = _ends([[1990, 0]], sheet="bezique", target=2000)
    assert (report.verdict, report.winner) == ("legal", N)
    _, report = _ends([[1980, 0]], sheet="bezique", target=2000)
    assert report.verdict == "incomplete"


def test_a11_the_deal_is_played_out_and_the_higher_total_wins():
    """Both are past 1,000: South, who had it before the last trick, has less at its end than North."""
    _, report = _ends([[1040, 1045]], sheet="bezique")
    assert (report.winner, report.scores) == (N, [1050, 1045])
    _, report = _ends([[1040, 1055]], sheet="bezique")
    assert (report.winner, report.scores) == (S, [1050, 1055])


def test_a11_equal_totals_mean_another_deal():
    _, report = _ends([[1040, 1050]], sheet="bezique")
    assert (report.verdict, report.winner) == ("incomplete", None)
    _, report = _ends([[1040, 1050], [0, 0]], sheet="bezique")
    assert (report.verdict, report.winner, report.scores) == ("legal", N, [1060, 1050])


def test_a_deal_after_the_game_was_won():
    _, report = _ends([[990, 0], [0, 0]], sheet="bezique")
    assert [finding.code for finding in report.findings] == ["deal-after-game-won"]
    assert report.verdict == "legal_with_mismatches"


def test_hand_size_nine():
    nine = "N: AS KS QS JS 9S 8S KD 9D TD | S: AH KH QH JH 9H 8H AD 8D TC | turn-up 9C | S deals afresh"
    assert table(nine, "N AS", sheet="bezique").codes == ["wrong-hand-size", "wrong-hand-size"]
    assert table(nine, "N AS", sheet="bezique", hand_size=9).codes == []


def test_hand_size_nine_leaves_forty_five_cards_face_down():
    nine = "N: AS KS QS JS 9S 8S KD 9D TD | S: AH KH QH JH 9H 8H AD 8D TC | turn-up 9C | S deals afresh"
    told = table(nine, "N AS", sheet="bezique", hand_size=9)
    assert told.position.stock == 45


@pytest.mark.parametrize(
    ("sheet", "stock"), [("bezique", 47), ("marjolet", 19), ("marjolet-oxford", 19)]
)
def test_so_many_cards_lie_face_down_after_the_deal(sheet, stock):
    hands = {
        47: "N: AS KS QS JS 9S 8S KD 9D | S: AH KH QH JH 9H 8H AD 8D",
        19: "N: AS KS QS JS 9S 8S | S: AH KH QH JH 9H 8H",
    }[stock]
    assert table(f"{hands} | turn-up 9C | S deals afresh", sheet=sheet).position.stock == stock


@pytest.mark.parametrize("sheet", PLAYABLE)
def test_c9_brisques_claimed_as_they_are_taken_or_at_the_end(sheet):
    position = "N: AS TH | S: TS 7H | trump C | N leads"
    at_once = "N AS, S TS, N takes, N counts 2 brisques 20, N TH, S 7H, N counts 1 brisques 10"
    at_the_end = "N AS, S TS, N TH, S 7H, N counts 3 brisques 30"
    for told in (at_once, at_the_end, at_the_end.replace(" 30", "")):
        assert table(position, told, sheet=sheet).codes == []


@pytest.mark.parametrize("sheet", PLAYABLE)
@pytest.mark.parametrize(
    ("told", "expected", "found"),
    [
        ("N AS, S TS, N counts 3 brisques 30, N TH, S 7H", "20", "30"),
        ("N AS, S TS, N TH, S 7H, N counts 4 brisques 40", "30", "40"),
        ("N AS, S TS, N TH, S 7H, N counts 2 brisques 20", "30", "20"),
        ("N AS, S TS, N TH, S 7H, N counts 2 brisques", "30", "20"),
    ],
)
def test_c9_and_not_more_or_fewer_than_were_taken(sheet, told, expected, found):
    position = "N: AS TH | S: TS 7H | trump C | N leads"
    finding = table(position, told, sheet=sheet).only("wrong-brisques")
    assert (finding.expected, finding.found) == (expected, found)


def test_c9_a_count_and_points_that_do_not_agree():
    position = "N: AS TH | S: TS 7H | trump C | N leads"
    told = table(position, "N AS, S TS, N TH, S 7H, N counts 2 brisques 30")
    assert told.codes == ["wrong-score-points"]


@pytest.mark.parametrize("sheet", PLAYABLE)
def test_what_the_whole_deal_came_to(sheet):
    """North: two brisques and the last trick; South nothing."""
    deal = deal_of("N: AS KH | S: TS 7H | trump C | N leads", "N AS, S TS, N KH, S 7H")
    deal.claims = Claims(scores=[30, 0])
    record = record_of([deal], sheet=sheet)
    record.result = Result(status="unfinished", scores=[30, 0])
    assert [f.code for f in check_record(record).findings] == ["unfinished"]
    deal.claims = Claims(scores=[30, 10])
    record.result = Result(status="complete", scores=[40, 0], winner=0)
    codes = sorted(f.code for f in check_record(record).findings)
    assert codes == ["unfinished", "wrong-deal-scores", "wrong-result-scores", "wrong-status"]


def test_a_deal_of_scores_alone_is_not_judged():
    deals = [Deal(dealer=d, knowledge="scores", claims=Claims(scores=[600, 200])) for d in (0, 1)]
    record = record_of(deals)
    record.result = Result(status="complete", scores=[1200, 400], winner=0)
    assert [f.code for f in check_record(record).findings] == ["undetermined"]


@pytest.mark.parametrize("option", ["last", "before_close"])
def test_a50_a_bonus_is_claimed_when_it_is_earned_or_later_in_the_deal(option):
    position = "N: AS KH | S: TS 7H | turn-up 8C | stock 1 | trump C | N leads"
    told = "N AS, S TS, CLAIM1 N draws 9C, S draws 8C, N KH, S 7H, N 9C, S 8C, CLAIM2"
    early = told.replace("CLAIM1", "N scores last_trick 10,").replace("CLAIM2", "")
    late = told.replace("CLAIM1", "").replace("CLAIM2", "N scores last_trick 10")
    assert table(position, late, last_trick=option).codes == []
    codes = table(position, early, last_trick=option).codes
    assert codes == ([] if option == "before_close" else ["score-not-earned"])


@pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL_SHEETS if sheet.rules.tableau is None])
def test_a50_a_bonus_is_not_claimed_before_it_is_earned(sheet):
    position = ONE_TRICK.format(n="KH", s="QH")
    assert table(position, "N KH, S QH, N takes, N scores last_trick", sheet=sheet).codes == []
    early = table(position, "N scores last_trick, N KH, S QH, N takes", sheet=sheet)
    assert early.codes != []
    other = table(position, "N KH, S QH, N takes, S scores last_trick", sheet=sheet)
    assert other.codes == ["score-not-earned"]
