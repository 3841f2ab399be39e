"""The laws that all the trick games share: C1 to C11 of the rulings."""

import pytest

from records.replay import replay
from records.validator import check_record
from tests.make.tables import N, S, cut_down, deal_of, record_of, table

HEAD_TURNED = ["bezique", "bezique-enhanced", "polish-bezique", "marjolet", "marjolet-oxford"]
TURNED = [*HEAD_TURNED, "zique"]
"""The games with a card turned up, which count brisques at the end."""
RUBICON = [
    "rubicon-bezique", "rubicon-bezique-recommended", "rubicon-bezique-club", "chinese-bezique",
    "six-pack-bezique",
]  # fmt: skip
TRICKS = [*TURNED, *RUBICON]
HELD = [sheet for sheet in TRICKS if sheet != "polish-bezique"]
"""The games whose melds are made of cards in hand and stay in it."""
CLOSED_BY_HEAD = [*HEAD_TURNED, *RUBICON]
SEVERAL_PACKS = [sheet for sheet in TRICKS if not sheet.startswith("marjolet")]
MELDED_AFTER_CLOSE = ["bezique-enhanced", "marjolet-oxford", "zique"]


@pytest.mark.parametrize("sheet", TRICKS)
@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("AS", "TS"),
        ("TS", "KS"),
        ("KS", "QS"),
        ("QS", "JS"),
        ("JS", "9S"),
        ("9S", "8S"),
        ("8S", "7S"),
    ],
)
def test_c1_ace_ten_king_queen_jack_nine_eight_seven(sheet, higher, lower):
    taken = f"N: {lower} 9H | S: {higher} 8D | trump C | stock 5 | N leads"
    assert table(taken, f"N {lower}, S {higher}, S takes", sheet=sheet).codes == []
    kept = f"N: {higher} 9H | S: {lower} 8D | trump C | stock 5 | N leads"
    assert table(kept, f"N {higher}, S {lower}, N takes", sheet=sheet).codes == []


@pytest.mark.parametrize(("sheet", "copies"), [("marjolet", 1), ("bezique", 2), ("zique", 2)])
def test_c1_a_pack_has_so_many_copies(sheet, copies):
    hands = f"N: {'KH ' * copies} | S: KH | trump C | stock 5 | N leads"
    assert table(hands, sheet=sheet).codes == ["too-many-copies"]
    hands = f"N: {'KH ' * copies} | S: KD | trump C | stock 5 | N leads"
    assert table(hands, sheet=sheet).codes == []


def test_c1_no_sixes():
    assert table("N: 6H | S: KH | trump C | stock 5 | N leads").codes == ["card-not-in-pack"]


@pytest.mark.parametrize(("dealer", "leader", "other"), [("N", "S", "N"), ("S", "N", "S")])
def test_c2_the_player_who_did_not_deal_leads(dealer, leader, other):
    hands = "N: AS KS QS JS 9S 8S | S: AH KH QH JH 9H 8H | turn-up 9C"
    card = {"N": "AS", "S": "AH"}
    fresh = f"{hands} | {dealer} deals afresh"
    assert table(fresh, f"{leader} {card[leader]}", sheet="marjolet").codes == []
    assert table(fresh, f"{other} {card[other]}", sheet="marjolet").codes == ["out-of-turn"]


@pytest.mark.parametrize("sheet", TRICKS)
def test_c2_the_winner_of_a_trick_leads_to_the_next(sheet):
    position = "N: 9H 8H | S: AH 7D | trump C | turn-up 9C | stock 3 | N leads"
    drawn = "N 9H, S AH, S draws 8D, N draws JD"
    assert table(position, f"{drawn}, S AH", sheet=sheet).codes == ["card-not-held"]
    assert table(position, f"{drawn}, S 7D", sheet=sheet).codes == []
    assert table(position, f"{drawn}, N 8H", sheet=sheet).codes == ["out-of-turn"]


def test_c2_the_deal_alternates():
    """The wrong dealer is a finding on the deal, and no reason to call the deal illegal."""
    first = deal_of("N: AS | S: 7S | trump H | N leads", "N AS, S 7S")
    again = deal_of("N: AS | S: 7S | trump H | N leads", "N AS, S 7S")
    report = check_record(record_of([first, again]))
    found = report.findings
    assert [finding.code for finding in found if finding.severity != "note"] == ["wrong-dealer"]
    assert found[0].at.event is None
    assert report.verdict != "illegal"
    again.dealer = N
    found = check_record(record_of([first, again])).findings
    assert [finding.code for finding in found if finding.severity != "note"] == []


@pytest.mark.parametrize("sheet", SEVERAL_PACKS)
def test_c3_of_identical_cards_the_first_wins(sheet):
    position = "N: QS 9H | S: QS 7D | trump H | stock 5 | N leads"
    assert table(position, "N QS, S QS, N takes", sheet=sheet).codes == []
    assert table(position, "N QS, S QS, S takes", sheet=sheet).codes == ["wrong-trick-winner"]


@pytest.mark.parametrize("sheet", SEVERAL_PACKS)
def test_c3_of_identical_trumps_the_first_wins(sheet):
    position = "N: QS 9H | S: QS 7D | trump S | stock 5 | N leads"
    assert table(position, "N QS, S QS, N takes", sheet=sheet).codes == []


@pytest.mark.parametrize("sheet", TRICKS)
def test_c3_the_lowest_trump_takes_the_highest_plain_card(sheet):
    position = "N: AH 9H | S: 8S 7D | trump S | stock 5 | N leads"
    assert table(position, "N AH, S 8S, S takes", sheet=sheet).codes == []


@pytest.mark.parametrize("sheet", TRICKS)
def test_c3_a_plain_card_of_another_suit_never_takes(sheet):
    position = "N: 7H 9H | S: AC AD | trump S | stock 5 | N leads"
    assert table(position, "N 7H, S AC, N takes", sheet=sheet).codes == []
    position = "N: 7S 9H | S: AC AD | trump S | stock 5 | N leads"
    assert table(position, "N 7S, S AC, N takes", sheet=sheet).codes == []


@pytest.mark.parametrize("sheet", TRICKS)
@pytest.mark.parametrize("reply", ["AH", "7H", "7C", "8S"])
def test_c4_any_card_may_follow_while_there_is_a_stock(sheet, reply):
    position = "N: KH 9D | S: AH 7H 7C 8S | trump S | turn-up 9S | stock 1 | N leads"
    assert table(position, f"N KH, S {reply}", sheet=sheet).codes == []


@pytest.mark.parametrize("sheet", HELD)
def test_c5_lead_reply_meld_draw_draw_lead(sheet):
    position = "N: KH QH AS | S: 7H 8D 9D | trump C | turn-up 9C | stock 5 | N leads"
    turn = "N AS, S 7H, N takes, N melds marriage KH QH 20, N draws 8C, S draws 7D, N 8C"
    assert table(position, turn, sheet=sheet).codes == []


@pytest.mark.parametrize("sheet", HELD)
def test_c5_only_the_winner_of_the_trick_melds(sheet):
    position = "N: AS 7D 8D | S: KH QH 7S | trump C | turn-up 9C | stock 5 | N leads"
    assert table(position, "N AS, S 7S, S melds marriage KH QH", sheet=sheet).codes == [
        "meld-by-loser"
    ]


@pytest.mark.parametrize("sheet", HELD)
@pytest.mark.parametrize(
    "when", ["", "N AS", "N AS, S 7H, N draws 8C", "N AS, S 7H, N draws 8C, S draws 7D"]
)
def test_c5_melds_come_after_the_trick_and_before_the_draw(sheet, when):
    position = "N: KH QH AS | S: 7H 8D 9D | trump C | turn-up 9C | stock 5 | N leads"
    told = f"{when}, N melds marriage KH QH"
    assert table(position, told, sheet=sheet).codes == ["meld-out-of-window"]


@pytest.mark.parametrize(
    ("told", "clause"),
    [("", "first"), ("N AS", "first"), ("N AS, S AH", None), ("N AS, S AH, N draws 7D", "draw")],
)
def test_c5_before_the_first_trick_is_said_of_no_later_time(told, clause):
    """Nobody knows what was played before a position, unless all cards are still there."""
    hands = "N: AS KH QH JS 9S 8S KD 9D | S: AH KS QS JH 9H 8H AD 8D"
    melds = f"{told}, N melds marriage KH QH"
    found = table(f"{hands} | turn-up 9C | S deals afresh", melds).findings
    assert [finding.clause for finding in found] == ([clause] if clause else [])
    later = table("N: KH QH AS | S: AH 8D 9D | trump C | turn-up 9C | stock 5 | N leads", melds)
    assert {finding.clause for finding in later.findings} <= {"draw"}


@pytest.mark.parametrize("sheet", TRICKS)
def test_c5_the_winner_draws_first(sheet):
    position = "N: AS 8D | S: 7S 9D | trump C | turn-up 9C | stock 5 | N leads"
    assert table(position, "N AS, S 7S, S draws 8C, N draws 7D", sheet=sheet).codes == [
        "draw-out-of-turn"
    ]


@pytest.mark.parametrize("sheet", TRICKS)
def test_c5_one_card_each(sheet):
    position = "N: AS 8D | S: 7S 9D | trump C | turn-up 9C | stock 5 | N leads"
    twice = "N AS, S 7S, N draws 8C, N draws 7D"
    assert table(position, twice, sheet=sheet).codes == ["draw-not-due"]
    thrice = "N AS, S 7S, N draws 8C, S draws 7D, N draws 7H"
    assert table(position, thrice, sheet=sheet).codes == ["draw-not-due"]


@pytest.mark.parametrize("sheet", TRICKS)
def test_c5_nobody_leads_before_both_have_drawn(sheet):
    position = "N: AS 8D | S: 7S 9D | trump C | turn-up 9C | stock 5 | N leads"
    assert table(position, "N AS, S 7S, N draws 8C, N 8C", sheet=sheet).codes == ["draw-missing"]


@pytest.mark.parametrize(
    ("sheet", "allowed"),
    [
        ("bezique", 1),
        ("bezique-enhanced", 1),
        ("zique", 1),
        ("marjolet", 2),
        ("marjolet-oxford", 2),
    ],
)
def test_c5_one_meld_a_trick_but_in_marjolet_any_number(sheet, allowed):
    position = "N: KH QH KD QD AS | S: 7S 9D | trump C | turn-up 9C | stock 5 | N leads"
    told = "N AS, S 7S, N melds marriage KH QH, N melds marriage KD QD"
    assert table(position, told, sheet=sheet).codes == ([] if allowed == 2 else ["too-many-melds"])


@pytest.mark.parametrize("sheet", TURNED)
def test_c6_the_loser_of_the_last_open_trick_takes_the_turn_up(sheet):
    position = "N: AS 8D | S: 7S 9D | trump C | turn-up 9C | stock 1 | N leads"
    told = table(position, "N AS, S 7S, N draws 8C, S draws 9C", sheet=sheet)
    assert told.codes == []
    assert told.hands == [["8C", "8D"], ["9C", "9D"]]
    assert told.position.phase == "close"


@pytest.mark.parametrize("sheet", TURNED)
def test_c6_the_loser_draws_no_other_card_than_the_one_that_lies_there(sheet):
    position = "N: AS 8D | S: 7S 9D | trump C | turn-up 9C | stock 1 | N leads"
    told = table(position, "N AS, S 7S, N draws 8C, S draws 7D", sheet=sheet)
    finding = told.only("wrong-card-drawn")
    assert (finding.expected, finding.found) == ("9C", "7D")


@pytest.mark.parametrize("sheet", HEAD_TURNED)
def test_c6_or_the_seven_that_was_exchanged_for_it(sheet):
    position = "N: AS 7C | S: 7S 9D | trump C | turn-up 9C | stock 1 | N leads"
    told = table(position, "N AS, S 7S, N dix exchange 10, N draws 8C, S draws 7C", sheet=sheet)
    assert told.codes == []
    assert told.hands == [["8C", "9C"], ["7C", "9D"]]


@pytest.mark.parametrize("sheet", HELD)
@pytest.mark.parametrize("card", ["KH", "QH"])
def test_c7_a_melded_card_may_be_played_any_time(sheet, card):
    position = "N lays marriage KH QH | N: 7D | S: 9D 8D | trump C | turn-up 9C | stock 5 | N leads"
    assert table(position, f"N {card} from table", sheet=sheet).codes == []
    assert table(position, f"N {card}", sheet=sheet).codes == []
    assert table(position, f"N {card} from hand", sheet=sheet).codes == ["not-in-hand"]


@pytest.mark.parametrize("sheet", HELD)
def test_c7_at_the_close_melded_cards_go_back_to_the_hand(sheet):
    position = (
        "N lays marriage KH QH | N: AS | S: 7S 9D 8D | trump C | turn-up 9C | stock 1 | N leads"
    )
    closed = "N AS, S 7S, N draws 8C, S draws 9C"
    told = table(position, closed, sheet=sheet)
    assert told.hands[N] == ["8C", "KH", "QH"]
    assert told.position.seats[N].laid == []
    assert table(position, f"{closed}, N KH from hand", sheet=sheet).codes == []
    assert table(position, f"{closed}, N KH from table", sheet=sheet).codes == ["not-on-table"]


@pytest.mark.parametrize("sheet", MELDED_AFTER_CLOSE)
def test_c7_unless_they_are_melded_after_it(sheet):
    position = "N: AS KH QH | S: 7S 9D 8D | trump C | N leads"
    melded = "N AS, S 7S, N melds marriage KH QH 20"
    assert table(position, f"{melded}, N KH from table", sheet=sheet).codes == []
    assert table(position, f"{melded}, N KH from hand", sheet=sheet).codes == ["not-in-hand"]


@pytest.mark.parametrize("sheet", CLOSED_BY_HEAD)
@pytest.mark.parametrize(
    ("led", "hand", "allowed"),
    [
        ("KH", "AH 9H 7C", "AH"),
        ("KH", "AH TH 9H", "AH TH"),
        ("AH", "TH 9H 7C", "TH 9H"),
        ("KH", "7C 8C 9D", "7C 8C"),
        ("KH", "9D 8S", "9D 8S"),
        ("KC", "AC 7C 9D", "AC"),
        ("AC", "7C TC 9D", "7C TC"),
        ("KC", "9D 8H", "9D 8H"),
    ],
)
def test_c8_head_follow_and_beat_else_follow_else_trump_else_anything(sheet, led, hand, allowed):
    position = f"N: {led} 9S | S: {hand} | trump C | N leads"
    _only(position, led, hand, allowed, sheet)


def _only(position: str, led: str, hand: str, allowed: str, sheet: str) -> None:
    """Exactly these replies are lawful, and each other is a breach that names them."""
    for reply in hand.split():
        told = table(position, f"N {led}, S {reply}", sheet=sheet)
        if reply in allowed.split():
            assert told.codes == [], reply
        else:
            assert len(told.codes) == 1, reply
            assert sorted(told.findings[0].legal) == sorted(allowed.split())
    lawful = table(position, f"N {led}", sheet=sheet).choices.plays
    assert sorted(lawful) == sorted(allowed.split())


@pytest.mark.parametrize("sheet", ["bezique", "bezique-enhanced"])
def test_c8_head_an_identical_card_does_not_beat(sheet):
    """It need not be played where nothing beats, and does not do where something does."""
    _only("N: KH 9S | S: KH 9H 7C | trump C | N leads", "KH", "KH 9H 7C", "KH 9H", sheet)
    _only("N: KH 9S | S: KH AH 7C | trump C | N leads", "KH", "KH AH 7C", "AH", sheet)


@pytest.mark.parametrize(
    ("led", "reply", "hand", "code"),
    [
        ("KH", "7C", "AH 7C", "must-follow-suit"),
        ("KH", "9D", "8H 9D", "must-follow-suit"),
        ("KH", "9H", "AH 9H", "must-beat"),
        ("KH", "9D", "7C 9D", "must-trump"),
        ("KC", "9C", "AC 9C", "must-beat"),
        ("KC", "9D", "AC 9D", "must-follow-suit"),
    ],
)
def test_c8_head_each_breach_has_its_name(led, reply, hand, code):
    position = f"N: {led} 9S | S: {hand} | trump C | N leads"
    assert table(position, f"N {led}, S {reply}").codes == [code]


@pytest.mark.parametrize(
    ("led", "hand", "allowed"),
    [
        ("KH", "AH 9H 7C", "AH 9H"),
        ("KH", "9H 8H 7C", "9H 8H"),
        ("KH", "7C 8C 9D", "7C 8C"),
        ("KH", "9D 8S", "9D 8S"),
        ("KC", "AC 7C 9D", "AC"),
        ("AC", "7C TC 9D", "7C TC"),
        ("KC", "KC 9C 9D", "KC 9C"),
        ("KC", "9D 8H", "9D 8H"),
    ],
)
def test_c8_follow_in_zique(led, hand, allowed):
    _only(f"N: {led} 9S | S: {hand} | trump C | N leads", led, hand, allowed, "zique")


@pytest.mark.parametrize("sheet", TRICKS)
def test_c8_the_leader_leads_what_he_likes(sheet):
    position = "N: AC 9S | S: 7D 8D | trump C | N leads"
    for card in ("AC", "9S"):
        assert table(position, f"N {card}", sheet=sheet).codes == []


@pytest.mark.parametrize(
    ("option", "allowed"), [("head", "AH"), ("suit", "AH 9H"), ("any", "AH 9H 7C")]
)
def test_c8_the_option_follow(option, allowed):
    for sheet in TRICKS:
        position = "N: KH 9S 8S | S: AH 9H 7C | trump C | N leads"
        for reply in ("AH", "9H", "7C"):
            codes = table(position, f"N KH, S {reply}", sheet=sheet, follow=option).codes
            assert (codes == []) == (reply in allowed), (sheet, reply)


@pytest.mark.parametrize("sheet", TURNED)
def test_c9_aces_and_tens_taken_count_ten_each_at_the_end(sheet):
    position = "N: AS TH | S: TS 7H | trump C | N leads"
    told = table(position, "N AS, S TS, N TH", sheet=sheet)
    assert told.points == [0, 0]
    told = table(position, "N AS, S TS, N TH, S 7H", sheet=sheet)
    assert told.scored("brisques") == [(N, 30)]


@pytest.mark.parametrize("sheet", TURNED)
def test_c9_they_go_to_the_winner_of_the_trick(sheet):
    position = "N: TS 7H | S: AS 8H | trump C | N leads"
    told = table(position, "N TS, S AS, S 8H, N 7H", sheet=sheet)
    assert told.scored("brisques") == [(S, 20)]
    assert told.points == [0, 30]


def test_c10_a_quartet_may_repeat_suits():
    position = "N: AS AS AH AH 9D | S: 7D 8C | trump C | turn-up 9C | stock 5 | N leads"
    for sheet in (sheet for sheet in HELD if sheet in SEVERAL_PACKS):
        told = table(position, "N 9D, S 7D, N melds four_aces AS AS AH AH 100", sheet=sheet)
        assert told.codes == []
        assert told.points == [100, 0]


def test_c10_three_are_not_four():
    position = "N: AS AS AH 9D | S: 7D 8C | trump C | turn-up 9C | stock 5 | N leads"
    told = table(position, "N 9D, S 7D, N melds four_aces AS AS AH")
    assert told.codes == ["wrong-cards-for-meld"]


@pytest.mark.parametrize("sheet", [sheet for sheet in HELD if sheet in SEVERAL_PACKS])
@pytest.mark.parametrize("trump", "SHDC")
def test_c11_queen_of_spades_and_jack_of_diamonds_whatever_trumps_are(sheet, trump):
    position = f"N: QS JD AH | S: 7H 8C | trump {trump} | turn-up 9{trump} | stock 5 | N leads"
    told = table(position, "N AH, S 7H, N melds bezique QS JD", sheet=sheet)
    assert told.codes == []
    assert told.scored("meld") == [(N, 50 if sheet == "zique" else 40)]


@pytest.mark.parametrize("sheet", ["bezique", "bezique-enhanced", "zique"])
@pytest.mark.parametrize(
    ("trump", "cards"), [("S", "QC JH"), ("D", "QC JH"), ("H", "QS JD"), ("C", "QS JD")]
)
def test_c11_the_option_bezique_cards(sheet, trump, cards):
    other = "QS JD" if cards == "QC JH" else "QC JH"
    position = (
        f"N: QS JD QC JH AH | S: 7H 8C | trump {trump} | turn-up 9{trump} | stock 5 | N leads"
    )
    told = f"N AH, S 7H, N melds bezique {cards}"
    assert table(position, told, sheet=sheet, bezique_cards="by_trump").codes == []
    told = f"N AH, S 7H, N melds bezique {other}"
    codes = table(position, told, sheet=sheet, bezique_cards="by_trump").codes
    assert codes == ["wrong-cards-for-meld"]


@pytest.mark.parametrize(
    ("hand", "reply", "let_go"),
    [
        ("AS 7S", "7S", True),
        ("8S 7S", "7S", False),
        # A trump takes it only where no spade is held.
        ("7H 7S", "7S", False),
        ("7H 7D", "7D", True),
        ("8D 7D", "7D", False),
    ],
)
def test_a_brisque_is_let_go_if_a_legal_reply_takes_it(hand, reply, let_go):
    """Zique: a suit led must be followed, or trumped."""
    told = table(f"N: TS 9C | S: {hand} | trump H | N leads", f"N TS, S {reply}", sheet="zique")
    with cut_down():
        *_, frame = replay(told.record, log_tricks=True)
    assert frame.table.trick_log[-1] is let_go


@pytest.mark.parametrize(("sheet", "lead"), [("bezique", 20 - 70), ("rubicon-bezique", -70)])
def test_the_lead_in_points_counts_brisques_where_they_are_counted(sheet, lead):
    told = table(
        "N: AS KS | S: TS 8S | trump H | scores 30 100 | N leads", "N AS, S TS", sheet=sheet
    )
    with cut_down():
        *_, frame = replay(told.record)
    assert frame.table.points_lead() == lead


def test_once_the_melds_of_a_trick_are_made_none_is_listed():
    """Bezique: one meld after each trick."""
    told = table(
        "N: KS QS KH QH 9C | S: 7S 8S 8C 9S TS | turn-up 9H | stock 9 | N won",
        "N melds marriage KS QS",
    )
    assert told.choices.melds == []
