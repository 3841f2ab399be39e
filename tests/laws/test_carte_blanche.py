"""C14, A-30a, A-30b: carte blanche, and the chain of draws that keeps a hand without courts."""

import pytest

from tests.make.tables import N, S, Told, deal_of, record_of, table

BLANK = {9: "AS AH TS TH 9S 9H 8S 8H 7S", 12: "AS AH TS TH 9S 9H 8S 8H 7S 7H AD TD"}
BLANK_TOO = {9: "AC AC TC TC 9C 9C 8C 8C 7C", 12: "AC AC TC TC 9C 9C 8C 8C 7C 7C TD 9D"}
COURTS = {9: "KS KH KD KC QS QH QD QC JS", 12: "KS KH KD KC QS QH QD QC JS JH JD JC"}
SIZE = {"rubicon-bezique": 9, "rubicon-bezique-recommended": 9, "rubicon-bezique-club": 9,
        "chinese-bezique": 12, "six-pack-bezique": 12}  # fmt: skip
WORTH = {sheet: 50 if size == 9 else 250 for sheet, size in SIZE.items()}
RUBICON = [sheet for sheet in SIZE if sheet != "six-pack-bezique"]

each = pytest.mark.parametrize("sheet", SIZE)
shown = "N shows carte_blanche"


def dealt(sheet: str, told: str, *, north: dict = BLANK, south: dict = COURTS, **more) -> Told:
    """A fresh deal, South dealing."""
    size = SIZE[sheet]
    return table(f"N: {north[size]} | S: {south[size]} | S deals afresh", told, sheet=sheet, **more)


def blanches(told: Told) -> list[tuple[int, int]]:
    assert told.codes == [], [finding.message for finding in told.findings]
    return told.scored("carte_blanche")


# the hand as dealt


@each
def test_c14_a_hand_without_courts_scores(sheet):
    assert blanches(dealt(sheet, f"{shown} {WORTH[sheet]}")) == [(N, WORTH[sheet])]


@each
def test_a30b_an_ace_is_no_court_card(sheet):
    assert "A" in BLANK[SIZE[sheet]]
    assert blanches(dealt(sheet, shown)) == [(N, WORTH[sheet])]


@each
@pytest.mark.parametrize("court", ["KD", "QD", "JD"])
def test_a30b_king_queen_and_jack_are(sheet, court):
    north = {size: cards.replace("AS", court, 1) for size, cards in BLANK.items()}
    dealt(sheet, shown, north=north).only("not-blank")


@each
def test_c14_not_shown_before_the_own_first_card_never_shown(sheet):
    dealt(sheet, "N 7S, N shows carte_blanche").only("carte-blanche-too-late")
    later = "N 7S, S JS, S takes, S draws 7D, N draws 8D, N shows carte_blanche"
    dealt(sheet, later).only("carte-blanche-too-late")


@pytest.mark.parametrize("sheet", RUBICON)
def test_c14_the_dealer_may_show_after_the_lead_before_his_own_card(sheet):
    told = dealt(sheet, "N JS, S shows carte_blanche", north=COURTS, south=BLANK)
    assert blanches(told) == [(S, WORTH[sheet])]
    late = "N JS, S 7S, S shows carte_blanche"
    dealt(sheet, late, north=COURTS, south=BLANK).only("carte-blanche-too-late")


def test_c14_in_six_pack_both_show_before_the_first_lead():
    told = dealt("six-pack-bezique", "S shows carte_blanche", north=COURTS, south=BLANK)
    assert blanches(told) == [(S, 250)]
    late = "N JS, S shows carte_blanche"
    dealt("six-pack-bezique", late, north=COURTS, south=BLANK).only("carte-blanche-too-late")


@each
def test_c14_both_may_have_one(sheet):
    told = dealt(sheet, f"{shown}, S shows carte_blanche", south=BLANK_TOO)
    assert blanches(told) == [(N, WORTH[sheet]), (S, WORTH[sheet])]


@each
def test_c14_once_a_hand(sheet):
    dealt(sheet, f"{shown}, N shows carte_blanche").only("carte-blanche-too-late")


@each
def test_c14_its_points_are_a_claim(sheet):
    dealt(sheet, f"{shown} 40").only("wrong-score-points")


# the chain


@each
def test_a30a_each_card_drawn_that_is_no_court_scores_again(sheet):
    told = f"""{shown}, N 7S, S JS, S takes, S draws KS, N draws 7D, {shown},
        S KS, N 8S, S takes, S draws QS, N draws AC, {shown},
        S QS, N 8H, S takes, S draws JS, N draws TC, {shown}"""
    assert blanches(dealt(sheet, told)) == [(N, WORTH[sheet])] * 4


@each
def test_c14_it_has_nothing_to_do_with_winning_the_trick(sheet):
    lost = f"{shown}, N 7S, S JS, S takes, S draws KS, N draws 7D, {shown}"
    won = f"{shown}, N TS, S JS, N takes, N draws 7D, S draws KS, {shown}"
    assert len(blanches(dealt(sheet, lost))) == len(blanches(dealt(sheet, won))) == 2


@each
def test_c14_it_may_be_shown_before_the_other_draws(sheet):
    assert len(blanches(dealt(sheet, f"{shown}, N TS, S JS, N draws 7D, {shown}, S draws KS"))) == 2


@each
def test_c14_the_chain_ends_for_ever_at_the_first_court_drawn(sheet):
    drawn = f"{shown}, N 7S, S JS, S takes, S draws KS, N draws JD"
    dealt(sheet, f"{drawn}, {shown}").only("not-blank")
    gone = f"{drawn}, S KS, N JD, S takes, S draws QS, N draws 7C"
    dealt(sheet, f"{gone}, {shown}").only("carte-blanche-too-late")


@each
def test_c14_the_chain_ends_at_the_first_draw_not_shown(sheet):
    told = f"""{shown}, N 7S, S JS, S takes, S draws KS, N draws 7D,
        S KS, N 8S, S takes, S draws QS, N draws 8D, {shown}"""
    dealt(sheet, told).only("carte-blanche-too-late")


@each
def test_c14_a_draw_is_shown_before_the_next_card_of_anybody(sheet):
    told = f"{shown}, N 7S, S JS, S takes, S draws KS, N draws 7D, S KS, {shown}"
    dealt(sheet, told).only("carte-blanche-too-late")


@each
def test_c14_a_hand_that_becomes_blank_later_is_none(sheet):
    north = {size: cards.replace("AS", "JS", 1) for size, cards in BLANK.items()}
    told = f"N JS, S QS, S takes, S draws KS, N draws 7D, {shown}"
    dealt(sheet, told, north=north).only("carte-blanche-too-late")


@each
def test_c14_it_is_not_the_meld_of_a_trick(sheet):
    """L43: four aces inside it may still be scored."""
    north = {size: "AS AS AH AD TS TH TD 9D 8D" + " 7D 7C 8C" * (size == 12) for size in (9, 12)}
    told = f"""{shown}, N TS, S JS, N takes, N melds four_aces AS AS AH AD 100,
        N draws 7H, S draws 7H, {shown}"""
    heard = dealt(sheet, told, north=north)
    assert blanches(heard) == [(N, WORTH[sheet])] * 2
    assert heard.points[N] == 2 * WORTH[sheet] + 100


# how it may be written


@each
@pytest.mark.parametrize(("second", "found"), [("7D", []), ("JD", ["not-blank"])])
def test_a_record_that_writes_its_stock_need_not_write_the_draws(sheet, second, found):
    size, copies = SIZE[sheet], 4 if SIZE[sheet] == 9 else 6
    text = f"N: {BLANK[size]} | S: {COURTS[size]} | S deals afresh"
    deal = deal_of(text, f"{shown}, N 7S, S JS, {shown}, S KS")
    stock = [rank + suit for rank in "789TJQKA" for suit in "CDHS" for _ in range(copies)]
    for card in [*(BLANK[size] + " " + COURTS[size]).split(), "KH", second]:
        stock.remove(card)
    deal.stock = ["KH", second, *stock]
    assert Told(record_of([deal], sheet=sheet)).codes == found


@each
def test_a_card_drawn_unseen_may_have_been_no_court(sheet):
    told = f"{shown}, N 7S, S JS, S takes, S draws ??, N draws ??, {shown}"
    assert len(blanches(dealt(sheet, told, knowledge="public"))) == 2


@each
@pytest.mark.parametrize("court", ["K?", "Q?", "J?"])
def test_a_court_known_by_its_rank_is_a_court(sheet, court):
    north = {size: cards.replace("AS", court, 1) for size, cards in BLANK.items()}
    dealt(sheet, shown, north=north, knowledge="public").only("not-blank")
    drawn = f"{shown}, N 7S, S JS, S takes, S draws ??, N draws {court}"
    dealt(sheet, f"{drawn}, {shown}", knowledge="public").only("not-blank")
    gone = f"{drawn}, S KS, N {court[0]}D, S takes, S draws ??, N draws 7C, {shown}"
    dealt(sheet, gone, knowledge="public").only("carte-blanche-too-late")


def test_a_position_does_not_say_whether_a_chain_goes_on():
    position = "N: 9S 8S | S: KH QH | stock 20 | S leads"
    told = f"S QH, N 8S, S takes, S draws KH, N draws 7D, {shown}"
    table(position, told, sheet="rubicon-bezique").only("carte-blanche-too-late")
    assert table(position, shown, sheet="rubicon-bezique").codes == []


@pytest.mark.parametrize("sheet", ["polish-bezique", "bezique", "zique", "marjolet"])
def test_other_games_have_none(sheet):
    position = "N: 9S 8S | S: KH QH | trump H | turn-up 9H | stock 20 | N leads"
    table(position, shown, sheet=sheet).only("event-not-in-rules")


# at the level `plays`, where a deal writes every showing or none


PLAYED = f"{shown}, N 7S, S JS, S takes"


@pytest.mark.parametrize("sheet", RUBICON)
def test_plays_that_write_a_showing_write_the_first(sheet):
    for told in ("N 7S, S JS, N shows carte_blanche", "N 7S, S JS, S KS, N shows carte_blanche"):
        dealt(sheet, told, knowledge="plays").only("carte-blanche-too-late")


@pytest.mark.parametrize("sheet", RUBICON)
def test_plays_that_write_a_showing_write_them_all(sheet):
    assert dealt(sheet, f"{PLAYED}, {shown}, S KS, N 8S", knowledge="plays").codes == []
    told = f"{PLAYED}, S KS, N 8S, S takes, {shown}"
    dealt(sheet, told, knowledge="plays").only("carte-blanche-too-late")


@pytest.mark.parametrize("sheet", RUBICON)
def test_plays_may_write_no_showing(sheet):
    assert dealt(sheet, "N 7S, S JS, S takes, S KS, N 8S", knowledge="plays").codes == []


@pytest.mark.parametrize("sheet", RUBICON)
def test_a30a_a_hand_that_was_not_shown_begins_no_chain_by_a_draw(sheet):
    """South plays the only court card and draws a seven: the hand is blank now, and was not as it was dealt."""
    south = {size: hand.replace("AC", "KC", 1) for size, hand in BLANK_TOO.items()}
    told = f"{shown}, N 7S, S KC, N takes, N draws 7D, S draws 7H, "
    late = dealt(sheet, f"{told}S shows carte_blanche", south=south)
    assert late.codes == ["carte-blanche-too-late"]
    assert dealt(sheet, f"{told}{shown}", south=south).codes == []


# in a position


SMALL = "N: 9S 9D | S: 8S 8D | trump H | stock 4"


@each
def test_c14_in_a_position_a_chain_may_have_begun_before(sheet):
    assert blanches(table(f"{SMALL} | N leads", f"{shown}, S shows carte_blanche", sheet=sheet))
    drawn = f"N draws 7C, {shown}, S draws KS"
    assert blanches(table(f"{SMALL} | N won", drawn, sheet=sheet)) == [(N, WORTH[sheet])]


@each
@pytest.mark.parametrize("who", "NS")
def test_c14_in_a_position_nothing_is_shown_between_a_play_and_the_next_draw(sheet, who):
    told = f"{who} shows carte_blanche"
    table(f"{SMALL} | N won", told, sheet=sheet).only("carte-blanche-too-late")
    led = "N: 9S | S: 8S 8D | trump H | stock 4 | brisques 1 0 | S replies to 9D"
    table(led, told, sheet=sheet).only("carte-blanche-too-late")


@each
def test_c14_in_a_position_the_first_lead_may_have_been_made(sheet):
    """The dealer may show before replying, except in Six-Pack Bezique."""
    led = "N: 9S | S: 8S 8D | trump H | stock 4 | S replies to 9D"
    told = table(led, "S shows carte_blanche", sheet=sheet)
    if sheet == "six-pack-bezique":
        told.only("carte-blanche-too-late")
    else:
        assert blanches(told) == [(S, WORTH[sheet])]
    table(led, shown, sheet=sheet).only("carte-blanche-too-late")


@each
@pytest.mark.parametrize("earlier", ["brisques 1 0", "N captured 8H 9H", "S lays four_aces AS"])
def test_c14_in_a_position_after_a_trick_no_hand_is_as_it_was_dealt(sheet, earlier):
    """So who replies shows before the lead or not at all, wherever the position begins."""
    position = f"N: 9S 9D | S: 8S 8D | trump H | stock 4 | {earlier}"
    assert blanches(table(f"{position} | N leads", "S shows carte_blanche", sheet=sheet))
    led = table(f"{position} | N leads", "N 9D, S shows carte_blanche", sheet=sheet)
    led.only("carte-blanche-too-late")
    replied = f"{position.replace('9S 9D', '9S')} | S replies to 9D"
    table(replied, "S shows carte_blanche", sheet=sheet).only("carte-blanche-too-late")
