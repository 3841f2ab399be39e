"""C13, A-12, A-13 and the other laws of the rubicon games: trumps by the first meld, four and six packs."""

import pytest

from records.replay import replay
from records.rules.registry import get_sheet
from records.selfplay import play_game
from tests.make.tables import N, S, Told, deal_of, record_of, table
from tests.make.winning import melded, points

OPEN_AT_THE_END = ["rubicon-bezique", "rubicon-bezique-recommended", "chinese-bezique"]
SHUT = ["rubicon-bezique-club", "six-pack-bezique"]
FAMILY = OPEN_AT_THE_END + SHUT

family = pytest.mark.parametrize("sheet", FAMILY)


# the pack and the deal


@pytest.mark.parametrize(("sheet", "copies", "hand"), [
    ("rubicon-bezique", 4, 9), ("rubicon-bezique-recommended", 4, 9), ("rubicon-bezique-club", 4, 9),
    ("chinese-bezique", 6, 12), ("six-pack-bezique", 6, 12),
])  # fmt: skip
def test_c1_packs_and_hands(sheet, copies, hand):
    assert (get_sheet(sheet).rules.pack.packs, get_sheet(sheet).rules.hand[2]) == (copies, hand)
    short = " ".join(["7C"] * min(copies, hand - 1))
    found = table(f"N: {short} | S: {short} | S deals afresh", sheet=sheet).codes
    assert found == ["wrong-hand-size", "wrong-hand-size", "too-many-copies"]
    assert table(f"N: {'7C ' * copies} | S: 8C | stock 9 | N leads", sheet=sheet).codes == []
    more = table(f"N: {'7C ' * copies} | S: 7C | stock 9 | N leads", sheet=sheet)
    more.only("too-many-copies")


@family
def test_no_card_is_turned_up_and_no_seven_scores(sheet):
    copies, size = get_sheet(sheet).rules.pack.packs, get_sheet(sheet).rules.hand[2]
    low = [[rank + suit for rank in "789" for _ in range(copies)] for suit in "SD"]
    hands = [" ".join(cards[:size]) for cards in low]
    dealt = table(f"N: {hands[0]} | S: {hands[1]} | turn-up 7C | S deals afresh", sheet=sheet)
    dealt.only("turn-up-not-in-rules")
    position = "N: 7H 9H | S: 8H TD | trump H | stock 20 | N leads"
    played = table(position, "N 9H, S 8H, N dix show", sheet=sheet)
    played.only("dix-not-in-rules")
    assert table(position, "N 7H, S TD", sheet=sheet).points == [0, 0]


# C13: before trumps, and what makes them


@family
def test_c13_without_trumps_the_suit_led_wins(sheet):
    position = "N: 7D | S: AS | stock 20 | N leads"
    assert table(position, "N 7D, S AS, N takes", sheet=sheet).codes == []
    assert table(position, "N 7D, S AS, N takes", sheet=sheet).position.trump is None


@family
def test_c13_the_first_marriage_scored_makes_trumps_and_is_a_royal_one(sheet):
    told = melded("KD QD", "marriage KD QD 40", sheet=sheet, trump="")
    assert points(told) == [40]
    assert told.position.trump == "D"


@family
def test_c13_the_first_sequence_scored_makes_trumps_and_is_250(sheet):
    told = melded("AS TS KS QS JS", "sequence AS TS KS QS JS 250", sheet=sheet, trump="")
    assert points(told) == [250]
    assert told.position.trump == "S"


@family
def test_c13_the_second_one_is_plain_and_changes_nothing(sheet):
    acts = ["marriage KD QD 40", "marriage KS QS 20", "sequence AH TH KH QH JH 150"]
    told = melded("KD QD KS QS AH TH KH QH JH", *acts, sheet=sheet, trump="")
    assert points(told) == [40, 20, 150]
    assert told.position.trump == "D"


@family
def test_c13_fours_and_beziques_make_no_trumps(sheet):
    acts = ["four_aces AS AH AD AC", "bezique QS JD"]
    told = melded("AS AH AD AC QS JD", *acts, sheet=sheet, trump="")
    assert points(told) == [100, 40]
    assert told.position.trump is None


@family
def test_c13_trumps_take_from_the_next_trick_on(sheet):
    position = "N: KS QS 9D 8D | S: 7D 7H AD | stock 20 | N leads"
    before = "N 9D, S 7H, N takes, N melds marriage KS QS 40, N draws 8H, S draws 7S"
    assert table(position, f"{before}, N 8D, S 7S, S takes", sheet=sheet).codes == []


@pytest.mark.parametrize("sheet", ["chinese-bezique", "six-pack-bezique"])
def test_c13_four_of_trumps_need_trumps(sheet):
    meld = "four_trump_aces AH AH AH AH"
    melded("AH AH AH AH", meld, sheet=sheet, trump="").only("wrong-cards-for-meld")
    acts = ["marriage KH QH 40", f"{meld} 1000"]
    assert points(melded("AH AH AH AH KH QH", *acts, sheet=sheet, trump="")) == [40, 1000]


@family
def test_c13_a_marriage_taken_back_takes_its_trumps_along(sheet):
    position = "N: KS QS KD QD 9D | S: 7D 7H | stock 20 | N leads"
    told = """N 9D, S 7H, N takes, N melds marriage KS QS 40, irregular N withdrawn_meld,
        N melds marriage KD QD 40"""
    heard = table(position, told, sheet=sheet)
    assert heard.codes == ["irregularity"]
    assert (heard.position.trump, heard.points) == ("D", [40, 0])


# the close


@pytest.mark.parametrize("sheet", OPEN_AT_THE_END)
def test_a12_melds_after_the_close(sheet):
    position = "N: KS QS 9D | S: 8S 7S 8D | trump H | N leads"
    told = "N 9D, S 8D, N melds marriage KS QS 20"
    assert table(position, told, sheet=sheet).codes == []
    table(position, told, sheet=sheet, meld_after_close=False).only("meld-after-close")


@pytest.mark.parametrize("sheet", SHUT)
def test_a12_none_in_the_club_and_in_six_pack(sheet):
    position = "N: KS QS 9D | S: 8S 7S 8D | trump H | N leads"
    told = "N 9D, S 8D, N melds marriage KS QS 20"
    table(position, told, sheet=sheet).only("meld-after-close")
    assert table(position, told, sheet=sheet, meld_after_close=True).codes == []


@family
def test_a08_nothing_is_held_after_the_last_trick(sheet):
    options = {} if sheet in OPEN_AT_THE_END else {"meld_after_close": True}
    told = table("N: 9D | S: 8D | trump H | N leads", "N 9D, S 8D, N melds marriage KS QS",
                 sheet=sheet, **options)  # fmt: skip
    assert "meld-out-of-window" in told.codes


@family
def test_a13_no_trumps_at_the_close_and_nothing_owed_by_the_void(sheet):
    position = "N: 9D KS QS | S: AS 7C 8H | N leads"
    for card in ("AS", "7C", "8H"):
        told = table(position, f"N 9D, S {card}, N takes", sheet=sheet)
        assert told.codes == []
        assert told.position.trump is None


@pytest.mark.parametrize("sheet", OPEN_AT_THE_END)
def test_a13_a_marriage_scored_after_the_close_makes_them(sheet):
    position = "N: 9D KS QS | S: 9S 8C 8S | N leads"
    told = table(position, "N 9D, S 8C, N melds marriage KS QS 40", sheet=sheet)
    assert (told.codes, told.position.trump) == ([], "S")


@pytest.mark.parametrize("sheet", OPEN_AT_THE_END)
def test_a13_and_from_then_on_the_void_must_trump(sheet):
    position = "N: 9D 9C KS QS | S: 8S 8C 7H 7H | N leads"
    told = "N 9C, S 8C, N melds marriage KS QS 40, N 9D, S {}"
    assert table(position, told.format("8S"), sheet=sheet).codes == []
    table(position, told.format("7H"), sheet=sheet).only("must-trump")


@family
def test_c6_the_stock_is_even_and_both_draw_face_down_cards(sheet):
    position = "N: 9D 9C | S: 8D 8C | trump H | stock 2 | N leads"
    told = table(position, "N 9D, S 8D, N takes, N draws 7C, S draws 7S", sheet=sheet)
    assert told.codes == []
    assert told.position.phase == "close"
    over = table(position, "N 9D, S 8D, N takes, N draws 7C, S draws 7S, N draws 7D", sheet=sheet)
    over.only("draw-not-due")


# the last trick


@family
def test_a09_last_trick(sheet):
    worth = {"chinese-bezique": 250, "six-pack-bezique": 250}.get(sheet, 50)
    told = table("N: 9D | S: TD | trump H | N leads", "N 9D, S TD, S takes", sheet=sheet)
    assert told.scored("last_trick") == [(S, worth)]
    assert told.points[N] == 0


# section 9: what every deal comes to


@pytest.mark.parametrize(("sheet", "tricks", "brisques"), [
    ("polish-bezique", 32, 160), ("rubicon-bezique", 64, 320), ("rubicon-bezique-club", 64, 320),
    ("rubicon-bezique-recommended", 64, 320),
    ("chinese-bezique", 96, 480), ("six-pack-bezique", 96, 480),
])  # fmt: skip
def test_c9_every_ace_and_ten_is_taken_by_somebody(sheet, tricks, brisques):
    for frame in replay(play_game(sheet, seed=1, deals=1)):
        last = frame.table
    assert last.tricks == tricks
    assert 10 * sum(last.brisques) == brisques


# one meld a trick


@family
def test_c5_one_meld_is_scored_a_trick(sheet):
    acts = ["marriage KS QS, marriage KD QD"]
    melded("KS QS KD QD", *acts, sheet=sheet).only("too-many-melds")


# a deal is the game


@family
def test_a_second_deal_comes_after_the_game_was_decided(sheet):
    deals = [deal_of("N: 9D | S: 8D | trump H | N leads", "N 9D, S 8D") for _ in range(2)]
    deals[1].dealer = N
    told = Told(record_of(deals, sheet=sheet))
    told.only("deal-after-game-won")


@family
def test_a_deal_not_played_out_is_incomplete(sheet):
    told = table("N: 9D 8C | S: 8D 7C | trump H | N leads", "N 9D, S 8D", sheet=sheet)
    assert told.report.verdict == "incomplete"
    assert told.report.settlement is None


@pytest.mark.parametrize(
    ("sheet", "scores", "verdict"),
    [
        ("rubicon-bezique", "0 0", "illegal"),
        # The cards may have married others before: then they may be rearranged.
        ("rubicon-bezique", "500 500", "undetermined"),
        ("zique", "500 500", "illegal"),
    ],
)
def test_a_marriage_again_in_a_position_after_the_close(sheet, scores, verdict):
    told = table(
        f"N: KS QS 9D 9D | S: 8S 8C 8D 8D | trump H | scores {scores} | N leads",
        "N 9D, S 8D, N melds marriage KS QS, N 9D, S 8D, N melds marriage KS QS",
        sheet=sheet,
    )
    assert told.report.verdict == verdict
