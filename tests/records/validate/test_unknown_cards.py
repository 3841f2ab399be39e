"""What a record hides excuses a player; what cannot be, whatever is hidden, is found."""

from typing import Any

import pytest

from records.validator import check_record
from tests.make.tables import Told, deal_of, record_of, table

PUBLIC = {"knowledge": "public"}


def marjolet(position: str, told: str, **how: Any) -> Told:
    return table(position, told, sheet="marjolet", **how)


# -- hidden plays


def test_either_card_may_have_been_the_hidden_one():
    """The eight of hearts, drawn in between, was played face down, and the jack is still there."""
    position = "N: 7C JH | S: 9S AS | turn-up 9D | stock 1 | N leads"
    told = marjolet(
        position,
        "N ??, S 9S, N draws 8H, S draws 9D, N ??, S 9D, S AS, N JH",
        **PUBLIC,
    )
    assert told.codes == []


def test_a_card_that_was_surely_hidden_is_held_no_more():
    position = "N: 7C | S: 9S | turn-up 9D | stock 1 | N leads"
    told = "N ??, S 9S, N draws 8H, S draws 9D, N 8H, S 9D"
    assert marjolet(position, told, **PUBLIC).codes == []
    told = "N ??, S 9S, N draws 8H, S draws 9D, N 7C, S 9D"
    marjolet(position, told, **PUBLIC).only("card-not-held")


def test_a_hidden_heart_leaves_the_other_suits_known():
    position = "N: 9S 8H | S: AS KS 7S | trump C | S leads"
    assert marjolet(position, "S AS, N ?H", **PUBLIC).codes == ["must-follow-suit"]
    assert marjolet(position, "S AS, N ?S, S KS, N 8H", **PUBLIC).codes == []


def test_a_trump_led_must_be_beaten_by_who_surely_can():
    """By the sheet that asks for no more than to follow suit, too: the eight of hearts would not have done."""
    told = marjolet(
        "N: 9H | S: QH 8H 7C ?? | trump H | N leads", "N 9H, S 7C", **PUBLIC, follow="suit"
    )
    assert [(finding.code, finding.legal) for finding in told.findings] == [
        ("must-follow-suit", ("QH",))
    ]


def test_a_hidden_play_leaves_no_duty_with_the_cards_it_may_have_been():
    position = "N: 9S 8H 7C | S: AH AS 7S | trump D | N leads"
    assert marjolet(position, "N ??, S AH, S AS, N 8H", **PUBLIC).codes == []


def test_a_card_said_to_come_from_the_hand_is_none_of_those_laid():
    position = "N: 8H 7C | N lays marriage KS QS | S: AH KH 9H 8C | turn-up 9D | stock 9 | N leads"
    hidden = "N ?? from hand, S AH, S takes, S draws 7S, N draws 7S"
    assert table(position, f"{hidden}, S KH, N KS from table", **PUBLIC).codes == []
    assert table(position, f"{hidden}, S KH, N KS from hand", **PUBLIC).codes == ["not-in-hand"]


# -- draws left out


DRAWS = "N: AS KS | S: AH KH | turn-up 9D | stock 7 | N leads"


@pytest.mark.parametrize("draws", ["", "N draws 8C, ", "S draws 8C, ", "N draws 8C, S draws 8D, "])
def test_any_draw_may_be_missing(draws):
    assert marjolet(DRAWS, f"N AS, S KH, {draws}N KS, S AH", **PUBLIC).codes == []


def test_draws_that_are_both_there_are_in_order():
    told = marjolet(DRAWS, "N AS, S KH, S draws 8C, N draws 8D, N KS", **PUBLIC)
    told.only("draw-out-of-turn")


@pytest.mark.parametrize("draws", ["S draws 9D, ", "N draws 8C, ", "S draws ??, ", ""])
def test_the_last_draws_may_be_missing(draws):
    position = DRAWS.replace("stock 7", "stock 1")
    assert marjolet(position, f"N AS, S KH, {draws}N KS, S 9D", **PUBLIC).codes == []
    # The turn-up is a trump, and nobody else can have it.
    marjolet(position, f"N AS, S KH, {draws}N KS, S AH", **PUBLIC).only("must-trump")


def test_the_last_to_draw_takes_the_turn_up():
    told = marjolet(DRAWS.replace("stock 7", "stock 1"), "N AS, S KH, S draws 8C", **PUBLIC)
    told.only("wrong-card-drawn")


def test_a_draw_alone_does_not_tell_who_won():
    """The winner led, whoever's draw was written."""
    for draws in ("N draws 8C, ", "S draws 8C, ", ""):
        told = marjolet(
            "N: ?? KS | S: AH KH | turn-up 9D | stock 7 | N leads",
            f"N ??, S KH, {draws}S AH",
            **PUBLIC,
        )
        assert told.codes == []


@pytest.mark.parametrize(("seat", "name"), [(0, "N"), (1, "S")])
def test_a_bonus_tells_who_won_or_lost_the_trick_that_pays_it(seat, name):
    """The last trick pays its winner, the tenth of Marjolet its loser; its cards are not known."""
    told = table(
        "N: ?? | S: ?? | trump H | N leads", f"N ??, S ??, {name} scores last_trick 10", **PUBLIC
    )
    assert (told.codes, [each.tricks for each in told.position.seats][seat]) == ([], 1)
    position = "N: ?? ?? | S: ?? ?? | turn-up 9H | stock 1 | N leads"
    told = marjolet(position, f"N ??, S ??, {name} scores tenth_trick 10", **PUBLIC)
    assert (told.codes, [each.tricks for each in told.position.seats][1 - seat]) == ([], 1)


def test_a_lead_tells_more_than_a_trick_that_is_claimed():
    told = marjolet(
        "N: ?? KS | S: AH KH | turn-up 9D | stock 7 | N leads",
        "N ??, S KH, N takes, S AH",
        **PUBLIC,
    )
    told.only("wrong-trick-winner")


def test_a_trick_that_no_card_can_win_is_known():
    position = "N: AS KS | S: ?? ?? | trump H | N leads"
    marjolet(position, "N AS, S ?S, S ??", **PUBLIC).only("out-of-turn")
    marjolet(position, "N AS, S 9?, S takes", **PUBLIC)


# -- melds that may be missing


LAID = "N: AH KS QS 9H | S: KH 8S 9D 7C | trump C | stock 8 | turn-up 9C | N leads"


@pytest.mark.parametrize("sheet", ["marjolet", "bezique", "zique"])
def test_a_card_may_lie_there_by_a_meld_that_is_not_written(sheet):
    told = "N AH, S KH, N takes, N KS from table, S 8S"
    assert table(LAID, told, sheet=sheet, knowledge="plays").codes == []
    assert "not-on-table" in table(LAID, told, sheet=sheet, knowledge="public").codes


def test_where_nothing_may_be_melded_nothing_lies_on_the_table():
    position = "N: AH KS | S: KH 8S | trump C | N leads"
    table(position, "N AH, S KH, N KS from table", knowledge="plays").only("not-on-table")


def test_a_meld_with_an_unknown_card_lays_some_card():
    position = "N: AH KS QS 9H | S: KH 8S 9D 7C | turn-up 9C | stock 8 | N leads"
    told = "N AH, S KH, N takes, N melds marriage KS ??, N QS from table, S 8S"
    assert table(position, told, **PUBLIC).codes == []


def test_an_unwritten_meld_may_have_taken_a_card_out_of_another():
    """R-RUB: a marriage is formed again once its king has served in four kings."""
    position = "N: KS QS QS KH KD KC AC | S: 7H 7H 7D 7D 7S 8S 9S | trump C | stock 60 | N won"
    again = "N melds marriage KS QS, N AC, S 7H, N melds marriage KS QS"
    rubicon = {"sheet": "rubicon-bezique"}
    assert table(position, again, knowledge="plays", **rubicon).codes == []


def test_trumps_that_were_not_written_leave_brisques_open():
    """An ace of spades on an ace of hearts: who took both depends on trumps, and so does the rubicon."""
    position = "N: AS | S: AH | N leads | scores 900 800"
    told = "N AS, S AH, N scores last_trick 50, S counts 9 brisques 90"
    rubicon = {"sheet": "rubicon-bezique"}
    assert "score-not-earned" not in table(position, told, knowledge="plays", **rubicon).codes


@pytest.mark.parametrize("played", ["9S", "??"])
def test_brisques_claimed_wrongly_are_told_once_whoever_knows_the_cards(played):
    """Two brisques for thirty points are more than were taken, whichever of its two cards North led."""
    told = f"N {played}, S TS, S takes, S AH, N 7H, S takes, S counts 2 brisques 30"
    hands = "N: 9S 7H | S: TS AH | trump C | N leads"
    record = table(hands, told, sheet="marjolet", **PUBLIC).record
    mismatches = [f.code for f in check_record(record).findings if f.severity == "mismatch"]
    assert mismatches == ["wrong-brisques"]


def test_the_cut_may_be_missing_and_its_points_are_not():
    deal = deal_of("N: 7S | S: 8S | S deals afresh", "S scores cut 250, N scores guess 150")
    deal.hands, deal.knowledge = None, "plays"
    assert Told(record_of([deal], sheet="six-pack-bezique")).codes == []
    deal.knowledge = "public"
    codes = Told(record_of([deal], sheet="six-pack-bezique")).codes
    assert codes == ["score-not-earned", "score-not-earned"]


# -- events that cannot be make no facts


def test_a_seven_shown_where_the_game_does_not_score_it_accuses_nobody():
    position = "N: 8S KD 7S | S: QD 9C AH | trump S | N leads"
    told = "S dix show, N 8S, S 9C, N 7S, S QD"
    marjolet(position, told, knowledge=None).only("dix-not-in-rules")


# -- what cannot be, whatever is hidden


def test_a_card_from_among_unknown_ones_does_not_excuse_a_revoke():
    position = "N: AS KS | S: 9S ?? | trump H | N leads"
    marjolet(position, "N AS, S 9D", knowledge=None).only("must-follow-suit")


def test_what_is_played_later_was_held_before():
    position = "N: AS KS | S: ?? ?? | trump H | N leads"
    marjolet(position, "N AS, S 9D, N KS, S 9S", knowledge=None).only("must-follow-suit")
    marjolet(position, "N AS, S 9D, N KS, S 9H", knowledge=None).only("must-trump")
    assert marjolet(position, "N AS, S 9D, N KS, S 9C", knowledge=None).codes == []


def test_a_card_that_cannot_have_been_held_later_accuses_nobody_now():
    position = "N: AS KS 7S | S: ?H ?D ?D | trump H | N leads"
    told = marjolet(position, "N AS, S 9H, S 9D, N 7S, S 9S", knowledge=None)
    told.only("card-not-held")


def test_a_duty_is_known_by_the_suits_alone():
    position = "N: ?? KS | S: 9S 9D | trump H | N leads"
    marjolet(position, "N ?S, S ?D", **PUBLIC).only("must-follow-suit")
    marjolet("N: ?? KS | S: 9H 9D | trump H | N leads", "N ?S, S 9D", **PUBLIC).only("must-trump")


def test_carte_blanche_comes_before_the_first_card_at_every_level():
    hand = "7S 8S 9S TS AS 7H 8H 9H TH"
    position = f"N: {hand} | S: 7C 8C 9C TC AC 7D 8D 9D TD | S deals afresh"
    told = "N 7S, S 7D, S shows carte_blanche 50"
    for knowledge in ("public", "full"):
        codes = table(position, told, sheet="rubicon-bezique", knowledge=knowledge).codes
        assert codes == ["carte-blanche-too-late"]


def test_carte_blanche_may_be_shown_between_the_draws():
    position = "N: 7S 8S 9S TS AS 7H 8H 9H TH | S: ?? ?? ?? ?? ?? ?? ?? ?? ?? | S deals afresh"
    told = "N shows carte_blanche 50, N 8S, S 7S, N draws 7C, N shows carte_blanche 50, S draws ??, N 9S"
    rubicon = {"sheet": "rubicon-bezique", **PUBLIC}
    assert table(position, told, **rubicon).codes == []
    assert table(position, told.replace("N draws 7C, ", ""), **rubicon).codes == []
    early = "N shows carte_blanche 50, N 8S, S 7S, N shows carte_blanche 50, N draws 7C, S draws ??"
    assert table(position, early, **rubicon).codes == ["carte-blanche-too-late"]


def test_no_carte_blanche_from_a_hand_that_is_unknown_once_it_has_played():
    position = "N: ?? ?? ?? ?? ?? ?? ?? ?? ?? | S: ?? ?? ?? ?? ?? ?? ?? ?? ?? | S deals afresh"
    rubicon = {"sheet": "rubicon-bezique", **PUBLIC}
    assert (
        table(
            position, "N shows carte_blanche 50, N 8S, S shows carte_blanche 50, S 7S", **rubicon
        ).codes
        == []
    )
    told = "N 8S, S 7S, N shows carte_blanche 50"
    assert table(position, told, **rubicon).codes == ["carte-blanche-too-late"]
    told = "N shows carte_blanche 50, N KS"
    table(position, told, **rubicon)


# -- more cards of a suit or a rank than there are


def test_a_deal_has_no_more_cards_of_a_rank_than_the_pack():
    aces = " ".join(["A?"] * 8)
    position = f"N: {aces} | S: {{}} TS KH QH JD 9C 8C 7H | turn-up 9H | S deals afresh"
    assert table(position.format("9S"), knowledge="seat").codes == []
    found = table(position.format("AS"), knowledge="seat").only("too-many-copies")
    assert "9 cards of which each is an ace of some suit" in found.message


def test_suits_and_ranks_together_may_ask_for_too_much():
    """Eight spades with all black aces elsewhere leave fourteen spades; eight aces more take none of them."""
    position = "N: {} | S: 7H 7H 8H 8H 9H 9H TH TH | turn-up {} | S deals afresh"
    hand = " ".join(["?S"] * 7 + ["A?"])
    assert table(position.format(hand, "KD"), knowledge="seat").codes == []
    rest = "?S ?S ?S ?S ?S ?S ?S ?S | S: AS AS KS KS QS QS JS JS"
    full = f"N: {rest} | turn-up {{}} | S deals afresh"
    assert table(full.format("7D"), knowledge="seat").codes == []
    table(full.format("?S"), knowledge="seat").only("too-many-copies")
    two_aces = (
        "N: A? A? A? A? A? A? A? ?S | S: TS TS KS KS QS QS JS JS | turn-up {} | S deals afresh"
    )
    assert table(two_aces.format("7D"), knowledge="seat").codes == []


def test_no_suit_and_no_rank_alone_asks_for_too_much():
    """Three aces and three spades are left, one of them both: five cards for six."""
    position = "N: A? A? A? ?S ?S {} | S: TS KS QS JS 9S AH | turn-up 8H | S deals afresh"
    assert marjolet(position.format("?D"), "", knowledge="seat").codes == []
    found = marjolet(position.format("?S"), "", knowledge="seat").only("too-many-copies")
    assert found.clause == "mixed"


def test_a_turn_up_of_which_the_rank_alone_is_known_is_one_of_the_rank():
    position = "N: {} 9D 9C 9H 8D 8C | S: AS AH AD KS KH KD | turn-up A? | S deals afresh"
    assert marjolet(position.format("7S"), "", knowledge="seat").codes == []
    found = marjolet(position.format("A?"), "", knowledge="seat").only("too-many-copies")
    assert (found.found, found.expected) == ("5", "at most 4")


def test_a_suit_that_has_run_out_cannot_be_drawn():
    spades = " ".join(["?S"] * 8)
    position = f"N: {spades} | S: AS AS TS TS KS KS QS QS | turn-up 9H | stock 47 | S leads"
    assert table(position, "S AS, N ??, S takes, S draws 9C", knowledge="seat").codes == []
    told = table(position, "S AS, N ??, S takes, S draws JS", knowledge="seat")
    told.only("no-such-card-left")
    told = table(position, "S AS, N ??, S takes, S draws ?S", knowledge="seat")
    told.only("no-such-card-left")


# -- a suit beside a rank


def test_an_ace_of_some_suit_may_be_the_spade_that_is_played():
    position = "N: AS KS | S: A? 9D | trump H | N leads"
    assert marjolet(position, "N KS, S ?S", **PUBLIC).codes == []
    position = "N: AS KS | S: A? 9D | turn-up ?C | stock 1 | N leads"
    told = "N KS, S ?D, N takes, N draws 8H, S draws T?, N 8H, S TC"
    assert marjolet(position, told, **PUBLIC).codes == []


# -- what a position leaves out


def test_a_turn_up_that_is_not_written_lies_under_an_odd_stock():
    position = "N: AS KS | S: AH KH | trump D | stock 1 | N leads"
    told = "N AS, S KH, N draws 8C, S draws 9D, N KS, S 9D"
    assert marjolet(position, told, **PUBLIC).codes == []
    marjolet(position, told.replace("9D", "9C"), **PUBLIC).only("wrong-card-drawn")


def test_cards_captured_that_are_not_listed_may_be_any():
    position = "N: AS KS 7S | S: AH KH 7H | trump D | stock 9 | turn-up 9D | N leads"
    told = "N AS, S KH, N takes, N melds four_kings KH KS KD KC 80"
    polish = {"sheet": "polish-bezique"}
    assert table(position, told, **PUBLIC, **polish).codes == []
    table(position, told, **polish).only("meld-card-not-held")


@pytest.mark.parametrize("how", ["melds", "shows"])
def test_cards_melded_from_an_unknown_hand_are_among_its_unknown_ones(how):
    told = table(
        "N: ?? ?? ?? | S: 9H AD 9C | turn-up KS | stock 9 | N won",
        f"N {how} marriage KH QH",
        **PUBLIC,
    )
    north = told.position.seats[0]
    assert (told.codes, north.hidden) == ([], 1)
    assert [(card.card, card.sure) for card in north.laid] == [("KH", True), ("QH", True)]


def test_a_dix_claimed_after_one_was_shown_is_the_other_seven():
    """North showed the one it was known to hold; an unknown card may be the other."""
    told = table(
        "N: 7H ?? ?? | S: 8S 8C 8D ?? | turn-up 9H | stock 9 | N won",
        "N dix show 10, N draws 7D, S draws ??, N 7H, N dix play 10",
        **PUBLIC,
    )
    assert (told.codes, told.points) == ([], [20, 0])
    assert told.position.seats[0].hidden == 1


def test_who_exchanges_the_dix_has_won_the_trick():
    """In Marjolet the winner of a trick may exchange, and nobody shows a dix: the trick itself was hidden."""
    position = "N: ?? ?? ?? | S: ?? ?? ?? | turn-up AH | stock 9 | N leads"
    told = marjolet(position, "N ??, S ??, S dix exchange", **PUBLIC)
    assert told.codes == []
    assert [seat.tricks for seat in told.position.seats] == [0, 1]


@pytest.mark.parametrize(
    ("draws", "left"), [("S draws 9D", 1), ("S draws 8S", 1), ("S draws KS", 2)]
)
def test_a_draw_that_cannot_be_the_first_comes_after_one_that_is_not_written(draws, left):
    """North says that it took the hidden trick, so South draws the second card of the stock, or a wrong one."""
    deal = deal_of(
        "N: ?? ?? ?? | S: ?? ?? ?? | turn-up AH | stock 3 | N leads",
        f"N ??, S ??, N takes, {draws}",
    )
    deal.knowledge, deal.stock = "public", ["KS", "8S", "9S"]
    told = Told(record_of([deal], sheet="marjolet"))
    assert told.position.stock == left
    assert told.codes == (["wrong-card-drawn"] if "9D" in draws else [])


def test_of_two_copies_one_played_from_the_table_leaves_the_other_in_the_hand():
    told = table(
        "N: KS KS QS QS AC AD ?? ?? | S: 8S 8C 8D ?? ?? | turn-up 9H | stock 9 | N won",
        "N melds marriage KS QS, N draws 7D, S draws ??, N KS from table, S 8C,"
        " N draws ??, S draws ??, N KS from table",
        **PUBLIC,
    )
    assert told.codes == ["not-on-table"]


@pytest.mark.parametrize("turn_up", ["AH", "??"])
def test_a_seven_of_unknown_suit_may_have_been_exchanged_where_only_plays_are_told(turn_up):
    told = marjolet(
        f"N: 7? 8S | S: 7D 8D | turn-up {turn_up} | stock 3 | N leads",
        "N 8S, S 8D, N draws KD, S draws KC, N AH",
        knowledge="plays",
    )
    assert told.codes == []


def test_a_seven_shown_may_have_been_drawn_by_a_draw_that_is_not_written():
    """Zique by its option: a dix is shown at any time."""
    position = "N: AS 9C | S: 8S 8C | turn-up KH | stock 9 | N leads"
    told = table(position, "N AS, S 8S, N dix show 7H", sheet="zique", dix=True, **PUBLIC)
    assert told.codes == []


def test_a_seven_that_never_scored_scores_for_certain_when_it_is_played():
    """Whatever North holds besides: the seven, the last trick, and a brisque."""
    position = "N: 7H ?? | S: 8S 8C | trump H | N leads"
    assert table(position, "N 7H, S 8S, N AC, S 8C", **PUBLIC).report.scores == [30, 0]


@pytest.mark.parametrize(
    ("turn_up", "reply", "wrong"),
    [
        ("?H", "7H", []),
        ("?H", "7D", ["card-not-held"]),
        ("7?", "7H", []),
        ("7?", "AH", ["card-not-held"]),
    ],
)
def test_a_turn_up_known_in_part_is_so_in_the_hand_that_draws_it(turn_up, reply, wrong):
    told = marjolet(
        f"N: AS 9C | S: 8S 8D | turn-up {turn_up} | stock 1 | N leads",
        f"N AS, S 8S, N draws KC, S draws ??, N 9C, S {reply}",
        **PUBLIC,
    )
    assert told.codes == wrong


def test_a_card_played_from_an_unknown_hand_is_none_of_those_on_the_table():
    told = marjolet(
        "N: KS QS KH KD KC AS ?? | S: 9S 8S 8C 8D 9D ?? | turn-up 9H | stock 9 | N won",
        "N melds marriage KS QS, N melds four_kings ?? KH KD KC, N draws 9C, S draws ??, N ?? from hand",
        **PUBLIC,
    )
    laid = told.position.seats[0].laid
    assert [card.card for card in laid if card.sure] == ["KS", "QS", "KH", "KD", "KC"]
