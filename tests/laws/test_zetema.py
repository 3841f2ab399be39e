"""Z1 to Z4 and their rulings: the turn of Zetema, its combinations, its marriages, its zetemas."""

import pytest

from records.replay import replay
from records.rules.registry import get_sheet
from tests.make.tables import Told, cut_down
from tests.make.turns import turns

RANKS = "A23456789TJQK"
OTHERS = "B: 2C 3C 4C 5D 6C"
"""A second hand without pairs of king and queen."""


def melds(hand: str, meld: str, *, tableau: str = "", **options):
    """Seat A holds this hand, the others nothing of use, and melds."""
    return turns(
        f"A: {hand} | {OTHERS} | tableau {tableau} | stock 20", f"A melds {meld}", **options
    )


def points(told) -> int:
    assert told.codes == [], [finding.message for finding in told.findings]
    return told.points[0]


# Z1: the pack and the deal


@pytest.mark.parametrize(
    ("players", "dealt", "stock"), [(2, 6, 53), (3, 6, 47), (4, 6, 41), (5, 6, 35), (6, 5, 35)]
)
def test_z1_cards_dealt_and_left(players, dealt, stock):
    pack = [rank + suit for suit in "HDC" for rank in RANKS]
    hands = [pack[i * dealt : (i + 1) * dealt] for i in range(players)]
    text = " | ".join(
        f"{seat}: {' '.join(hand)}" for seat, hand in zip("ABCDEF", hands, strict=False)
    )
    told = turns(f"{text} | fresh")
    assert told.codes == []
    assert (told.position.stock, told.position.seat) == (stock, 0)
    assert told.position.step == ("draw" if players == 6 else "combine")
    short = turns(text.replace(f" {hands[-1][-1]}", "") + " | fresh")
    short.only("wrong-hand-size")


def test_z1_sixty_five_cards_spades_twice():
    pack = get_sheet("zetema").rules.pack
    assert len(pack.ranks) * 4 * pack.packs + len(pack.ranks) * len(pack.doubled_suits) == 65
    assert turns("A: KS KS | B: KH | stock 20").codes == []
    turns("A: KS KS | B: KS | stock 20").only("too-many-copies")
    turns("A: KH | B: KH | stock 20").only("too-many-copies")


def test_z1_left_of_the_dealer_begins_and_turns_go_round():
    told = "A discards 2H, B draws 7H, B discards 2C, C draws 8H, C discards 2D, A draws 9H, A discards 3H"
    hands = "A: 2H 3H 4H 5H 6H TD | B: 2C 3C 4C 5C 6C | C: 2D 3D 4D 5D 6D | stock 20"
    assert turns(hands, told).codes == []
    turns(hands, "B discards 2C").only("out-of-turn")


# Z2, A-33: draw up to six, combine, discard


def test_a33_five_are_held_between_turns_and_six_after_drawing():
    hands = f"A: 2H 3D 4H 5H 6S | {OTHERS} | stock 20"
    assert turns(hands, "A draws 9D, A discards 9D").codes == []
    turns(hands, "A discards 2H").only("draw-missing")
    turns(hands, "A draws 9D, A draws TD").only("draw-not-due")
    turns(hands, "B draws 9D").only("draw-not-due")


def test_a33_the_first_turn_draws_none():
    hands = "A: 2H 3D 4H 5H 6S 9D | B: 2C 3C 4C 5D 6C 9C | fresh"
    turns(hands, "A draws TD").only("draw-not-due")
    assert turns(hands, "A discards 2H, B discards 2C, A draws TD").codes == []


def test_a33_six_players_are_dealt_five_and_draw_one():
    hands = [" ".join(rank + suit for rank in "23456") for suit in "HDCS"] + [
        "7H 8H 9H TH JH",
        "7D 8D 9D TD JD",
    ]
    text = (
        " | ".join(f"{seat}: {hand}" for seat, hand in zip("ABCDEF", hands, strict=True))
        + " | fresh"
    )
    assert turns(text, "A draws KS, A discards KS, B draws QS").codes == []
    turns(text, "A discards 2H").only("draw-missing")


def test_z2_several_cards_are_drawn_after_marriages_and_all_before_the_meld():
    hands = f"A: 2H 3H 4H | {OTHERS} | stock 20"
    drawn = "A draws 5H, A draws 6H, A draws 7H"
    assert turns(hands, f"{drawn}, A melds flush_sequence 2H 3H 4H 5H 6H 7H 50").codes == []
    turns(hands, "A draws 5H, A discards 5H").only("draw-missing")


def test_z2_one_combination_a_turn():
    told = (
        "A melds flush_sequence 2H 3H 4H 5H 6H 7H 50, A melds flush_sequence 2H 3H 4H 5H 6H 7H 50"
    )
    turns(f"A: 2H 3H 4H 5H 6H 7H | {OTHERS} | stock 20", told).only("too-many-melds")


def test_z2_a_combination_is_optional():
    assert turns(f"A: 2H 3H 4H 5H 6H 7H | {OTHERS} | stock 20", "A discards 2H").codes == []


def test_z2_the_other_s_turn_is_not_one_s_own():
    hands = "A: 2D 3H 4H 5H 6H 7H | B: 8C 9C TC JC QC KC | stock 20"
    assert "out-of-turn" in turns(hands, "B melds flush_sequence 8C 9C TC JC QC KC 50").codes


THREE = "A: 2H 3H 4H 5H 6H 8H | B: 3D 4D 7S 7C 9D 9C | C: 4S 5D 6C 9H TD JD | stock 9 | C plays"
OUT_OF_TURN = "A melds flush 2H 3H 4H 5H 6H 8H 30"


def test_z2_after_a_combination_out_of_turn_its_player_finishes_that_turn():
    """Nobody else is accused: the turn goes on as if it had been theirs, and then passes on."""
    told = f"{OUT_OF_TURN}, A discards 8H, B discards 3D, C discards 4S, A draws KS, A discards KS"
    turns(THREE, told).only("out-of-turn")


def test_z2_a_combination_out_of_turn_that_is_withdrawn_gives_the_turn_back():
    told = turns(THREE, f"{OUT_OF_TURN}, A irregular withdrawn_meld, C discards 4S, A discards 8H")
    assert set(told.codes) == {"out-of-turn", "irregularity"}
    assert [f.severity for f in told.findings] == ["note", "note"]


def test_z3_a_second_combination_leaves_the_discard_bound_to_the_first():
    hands = f"A: KS KS KH KD KC 2H | {OTHERS} | stock 20"
    told = "A melds assembly KS KS KH KD KC 130, A melds flush 2H KS KS KH KD KC 30, A discards 2H"
    codes = turns(hands, told).codes
    assert codes[0] == "too-many-melds"
    assert codes[-1] == "discard-not-of-combination"


# Z3, A-37, A-39: sequence, flush, flush sequence


@pytest.mark.parametrize("cards", ["2H 3D 4H 5H 6H 7H", "AS 2S 3S 4S 5S 6D", "8S 9D TC JH QS KD"])
def test_z3_sequence_20(cards):
    assert points(melds(cards, f"sequence {cards} 20")) == 20


@pytest.mark.parametrize("cards", ["2H 4H 5H 6H 7H 8H", "2S 2S 3S 4S 5S 6S", "AS AS KS KS 9S 9S"])
def test_z3_flush_30_like_spades_in_it_too(cards):
    assert points(melds(cards, f"flush {cards} 30")) == 30


@pytest.mark.parametrize("cards", ["2H 3H 4H 5H 6H 7H", "AS 2S 3S 4S 5S 6S", "8D 9D TD JD QD KD"])
def test_z3_flush_sequence_50(cards):
    assert points(melds(cards, f"flush_sequence {cards} 50")) == 50


@pytest.mark.parametrize("meld", ["sequence", "flush"])
def test_a39_six_cards_are_what_they_are(meld):
    cards = "2H 3H 4H 5H 6H 7H"
    told = melds(cards, f"{meld} {cards}")
    assert told.only("wrong-cards-for-meld").candidates == ("flush_sequence",)


@pytest.mark.parametrize(
    "cards", ["2S 2S 3S 4S 5H 6S", "2H 3H 4H 5H 7D 8H", "9H TD JH QH KH AH", "QH KD AH 2H 3H 4H"]
)
def test_a37_a39_no_sequence(cards):
    melds(cards, f"sequence {cards}").only("wrong-cards-for-meld")


def test_a37_the_ace_is_low_and_by_the_option_high_as_well():
    high, low = "9H TD JH QH KH AH", "AH 2D 3H 4H 5H 6H"
    assert points(melds(high, f"sequence {high} 20", ace_high=True)) == 20
    assert points(melds(low, f"sequence {low} 20", ace_high=True)) == 20
    suited = "9H TH JH QH KH AH"
    assert points(melds(suited, f"flush {suited} 30")) == 30
    assert points(melds(suited, f"flush_sequence {suited} 50", ace_high=True)) == 50


@pytest.mark.parametrize("cards", ["TH JD QH KH AH 2H", "QH KD AH 2H 3H 4H", "KH AD 2H 3H 4H 5H"])
def test_a37_never_round_the_corner(cards):
    melds(cards, f"sequence {cards}", ace_high=True).only("wrong-cards-for-meld")


def test_z3_six_cards_and_no_fewer():
    melds("2H 3H 4H 5H 6H 9D", "flush_sequence 2H 3H 4H 5H 6H").only("wrong-cards-for-meld")


def test_z3_all_of_them_from_the_hand():
    told = melds("2H 3H 4H 5H 6H 9D", "flush_sequence 2H 3H 4H 5H 6H 7H", tableau="7H")
    told.only("meld-card-not-held")


# assemblies


@pytest.mark.parametrize("rank", RANKS)
def test_z3_assembly_of_all_five_of_a_rank(rank):
    worth = {"K": 130, "Q": 130, "J": 120, "A": 110, "5": 110}.get(rank, 100)
    cards = f"{rank}S {rank}S {rank}H {rank}D {rank}C"
    other = "7H" if rank != "7" else "8H"
    told = turns(f"A: {cards} {other} | B: | stock 20", f"A melds assembly {cards} {worth}")
    assert points(told) == worth


def test_z3_four_are_none():
    melds("7S 7H 7D 7C 8H 9H", "assembly 7S 7H 7D 7C").only("wrong-cards-for-meld")


# marriages: the table of section 4


KINGS_AND_QUEENS = {"S1": "KS QS", "S2": "KS QS", "H": "KH QH", "D": "KD QD", "C": "KC QC"}


@pytest.mark.parametrize(("pairs", "worth"), [
    ("H", 10), ("S1", 20),
    ("H D", 30), ("H S1", 40), ("S1 S2", 50),
    ("H D C", 60), ("H D S1", 70), ("H S1 S2", 80),
    ("H D C S1", 110), ("H D S1 S2", 120),
    ("H D C S1 S2", 150),
])  # fmt: skip
def test_a41_points_of_marriages(pairs, worth):
    cards = " ".join(KINGS_AND_QUEENS[pair] for pair in pairs.split())
    hand, lying = cards.split()[:6], cards.split()[6:]
    hand += ["2H", "3H", "4H", "5H"][: 6 - len(hand)]
    told = melds(" ".join(hand), f"marriages {cards} {worth}", tableau=" ".join(lying))
    assert points(told) == worth


def test_a41_four_plain_marriages_cannot_be():
    """There are three plain suits: four declared hold a spade pair, 100 and 10."""
    assert sum(suit not in get_sheet("zetema").rules.pack.doubled_suits for suit in "SHDC") == 3


def test_z3_king_and_queen_of_one_suit():
    melds("KH QD 2H 3H 4H 6H", "marriages KH QD").only("wrong-cards-for-meld")
    melds("KH KD 2H 3H 4H 6H", "marriages KH KD").only("wrong-cards-for-meld")


def test_a38_one_card_of_all_must_come_from_the_hand():
    hand = "KH 2H 3H 4H 6H 7H"
    assert points(melds(hand, "marriages KH QH KD QD 30", tableau="QH KD QD")) == 30
    none = "8H 2H 3H 4H 6H 7H"
    melds(none, "marriages KD QD", tableau="KD QD").only("marriage-without-hand-card")


def test_a38_by_the_option_one_of_each_pair():
    hand = "KH 2H 3H 4H 6H 7H"
    told = melds(hand, "marriages KH QH KD QD", tableau="QH KD QD", marriage_hand_cards="each_pair")
    told.only("marriage-without-hand-card")
    both = "KH QD 3H 4H 6H 7H"
    told = melds(both, "marriages KH QH KD QD 30", tableau="QH KD", marriage_hand_cards="each_pair")
    assert points(told) == 30


def test_a38_by_the_option_two_pairs_of_spades():
    """King and king from the tableau, queen and queen from the hand: each pair has its hand card."""
    told = melds(
        "QS QS 2H 3H 4H 6H",
        "marriages KS KS QS QS 50",
        tableau="KS KS",
        marriage_hand_cards="each_pair",
    )
    assert points(told) == 50
    told = melds(
        "QS KS 2H 3H 4H 6H",
        "marriages KS KS QS QS 50",
        tableau="KS QS",
        marriage_hand_cards="each_pair",
    )
    assert points(told) == 50
    told = melds(
        "QS 9D 2H 3H 4H 6H",
        "marriages KS KS QS QS",
        tableau="KS KS QS",
        marriage_hand_cards="each_pair",
    )
    told.only("marriage-without-hand-card")


def test_a31_no_discard_after_marriages():
    hands = "A: KH QH 2H 3H 4H 5H | B: 2C 3C 4C 5D 6C | stock 20"
    told = "A melds marriages KH QH 10"
    turns(hands, f"{told}, A discards 2H").only("out-of-turn")
    assert turns(hands, f"{told}, B draws 7C, B discards 7C").codes == []


def test_a32_cards_are_drawn_at_the_next_turn():
    hands = f"A: KH QH 2H 3H 4H 5H | {OTHERS} | stock 20"
    told = "A melds marriages KH QH 10"
    turns(hands, f"{told}, A draws 8H").only("draw-not-due")
    later = "B draws 7C, B discards 7C, A draws 8H, A draws 9H, A discards 9H"
    assert turns(hands, f"{told}, {later}").codes == []


def test_z3_the_cards_of_marriages_are_gone():
    hands = f"A: KH KD 2H 3H 4H 5H | {OTHERS} | tableau QH QD | stock 20"
    told = "A melds marriages KH QH 10, B draws 7C, B discards 7C, A draws 8H"
    heard = turns(hands, told)
    assert sorted(heard.position.out) == ["KH", "QH"]
    assert heard.position.tableau["Q"] == ["QD"]
    turns(hands, f"{told}, A melds marriages KH QH").only("meld-card-not-held")
    assert turns(hands, f"{told}, A melds marriages KD QD 10").codes == []


# from_tableau


SPADES = "A: KS QS 2H 3H 4H 5H | B: 2C 3C 4C 5D 6C | tableau KS QS | stock 20"
THEN = "B draws 7C, B discards 7C"


def test_from_tableau_says_which_cards_lie_there():
    told = turns(SPADES, "A melds marriages KS QS from KS 20")
    assert told.codes == []
    assert told.position.tableau["K"] == []
    assert told.position.tableau["Q"] == ["QS"]
    assert "KS" in told.hands[0]
    assert "QS" not in told.hands[0]


def test_from_tableau_binds():
    then = f"A melds marriages KS QS from KS 20, {THEN}, A draws 8H"
    assert turns(SPADES, f"{then}, A discards KS").codes == []
    turns(SPADES, f"{then}, A discards QS").only("card-not-held")
    both = f"A melds marriages KS QS from 20, {THEN}"
    turns(SPADES, f"{both}, A draws 8H, A discards 8H").only("draw-missing")


def test_from_tableau_names_cards_that_lie_there_and_are_married():
    turns(SPADES, "A melds marriages KS QS from KD").only("not-on-tableau")
    turns(SPADES, "A melds marriages KS QS from KS KS").only("not-on-tableau")
    turns(SPADES, "A melds marriages KS QS from KS QS").only("marriage-without-hand-card")


def test_from_tableau_leaves_the_others_to_the_hand():
    """The queen of hearts lies there and is not said to: nobody holds her."""
    hands = f"A: KH 2D 2H 3H 4H 5H | {OTHERS} | tableau QH | stock 20"
    turns(hands, "A melds marriages KH QH from").only("meld-card-not-held")
    assert turns(hands, "A melds marriages KH QH from QH 10").codes == []
    assert turns(hands, "A melds marriages KH QH 10").codes == []


def test_unsaid_some_way_must_fit_the_draws_that_follow():
    for drawn in ("A draws 8H, A discards 8H", "A draws 8H, A draws 9H, A discards 8H"):
        told = turns(SPADES, f"A melds marriages KS QS 20, {THEN}, {drawn}")
        assert told.codes == []


@pytest.mark.parametrize("kept", ["KS", "QS"])
def test_unsaid_some_way_must_fit_the_card_that_is_used_later(kept):
    told = turns(SPADES, f"A melds marriages KS QS 20, {THEN}, A draws 8H, A discards {kept}")
    assert told.codes == []
    both = f"A melds marriages KS QS 20, {THEN}, A draws 8H, A draws 9H, A discards {kept}"
    turns(SPADES, both).only("card-not-held")


def test_unsaid_a_card_that_another_marries_had_stayed_on_its_pile():
    hands = SPADES.replace("tableau KS QS", "tableau KS").replace("B: 2C", "B: QS")
    told = turns(hands, "A melds marriages KS QS 20, B draws 7C, B melds marriages KS QS 20")
    assert told.codes == []
    assert told.points == [20, 20]


def test_unsaid_the_way_must_leave_a_hand_card_for_the_next_marriage():
    """No draws tell: had both come from the hand, the second marriage would be the tableau's alone."""
    hands = "A: KS QS 2H 3H | B: 2C 3C | tableau KS QS | stock 0"
    told = "A melds marriages KS QS 20, B discards 2C, A melds marriages KS QS 20, B discards 3C"
    for ending in ("A discards 2H, A discards 3H", "A discards 2H"):
        heard = turns(hands, f"{told}, {ending}", combinations_after_stock=True)
        assert heard.codes == []


# Z3, A-40: the discard after a combination is one of its cards


@pytest.mark.parametrize(("hand", "meld"), [
    ("2H 3H 4H 5H 6H 7H", "flush_sequence 2H 3H 4H 5H 6H 7H"),
    ("7S 7S 7H 7D 7C 9H", "assembly 7S 7S 7H 7D 7C"),
])  # fmt: skip
def test_a40_the_discard_after_a_combination(hand, meld):
    position = f"A: {hand} | {OTHERS} | stock 20"
    for card in dict.fromkeys(meld.split()[1:]):
        assert turns(position, f"A melds {meld}, A discards {card}").codes == []


def test_a40_not_the_odd_sixth_card():
    position = f"A: 7S 7S 7H 7D 7C 9H | {OTHERS} | stock 20"
    told = turns(position, "A melds assembly 7S 7S 7H 7D 7C 100, A discards 9H")
    assert told.only("discard-not-of-combination").legal == ("7S", "7H", "7D", "7C")


def test_z3_a_combination_is_made_again_with_one_card_new():
    """The strategy of [000]: one card of the flush goes, one comes, and it scores again."""
    position = f"A: 2S 2S 4S 6S 8S TS | {OTHERS} | stock 20"
    told = turns(
        position,
        """A melds flush 2S 2S 4S 6S 8S TS 30, A discards 2S, B draws 7C, B discards 7C,
        A draws QS, A melds flush 2S 4S 6S 8S TS QS 30, A discards 2S""",
    )
    assert points(told) == 60


# Z4, the fifth card of a pile


@pytest.mark.parametrize("rank", RANKS)
def test_z4_the_fifth_card_of_a_pile_scores(rank):
    worth = {"K": 50, "Q": 50, "J": 20, "A": 15, "5": 15}.get(rank, 5)
    lying = " ".join(f"{rank}{suit}" for suit in "SSHD")
    other = "6D 7D 8D 9D TD" if rank in "A2345JQK" else "AD 2D 3D 4D JD"
    hands = f"A: {rank}C {other} | B: | tableau {lying} | stock 20"
    told = turns(hands, f"A discards {rank}C, A zetema {worth}")
    assert told.codes == []
    assert told.points == [worth, 0]
    assert told.position.tableau[rank] == []
    assert len(told.position.out) == 5


FOUR_SEVENS = f"A: 7C 2H 3H 4H 5H 6H | {OTHERS} | tableau 7S 7S 7H 7D | stock 20"


def test_z4_earned_whether_claimed_or_not():
    assert turns(FOUR_SEVENS, "A discards 7C").points == [5, 0]


def test_z4_the_fourth_card_scores_nothing():
    hands = FOUR_SEVENS.replace("tableau 7S 7S 7H 7D", "tableau 7S 7S 7H")
    turns(hands, "A discards 7C, A zetema 5").only("score-not-earned")


def test_z4_claims_are_held_against_the_rules():
    turns(FOUR_SEVENS, "A discards 7C, A zetema 15").only("wrong-score-points")
    turns(FOUR_SEVENS, "A discards 7C, A zetema 5, A zetema 5").only("scored-twice")
    turns(FOUR_SEVENS, "A discards 7C, B zetema 5").only("score-not-earned")
    turns(FOUR_SEVENS, "A discards 2H, A zetema 5").only("score-not-earned")


def test_z4_claimed_directly_after_the_discard():
    late = "A discards 7C, B draws 8C, B discards 8C, A zetema 5"
    turns(FOUR_SEVENS, late).only("score-not-earned")


def test_z4_with_a_combination_in_the_same_turn():
    hands = f"A: 2D 3H 4H 5H 6H 7C | {OTHERS} | tableau 7S 7S 7H 7D | stock 20"
    told = turns(hands, "A melds sequence 2D 3H 4H 5H 6H 7C 20, A discards 7C, A zetema 5")
    assert points(told) == 25


def test_a42_no_zetema_of_kings_after_a_marriage():
    """A king has left with his queen: four are all that can ever lie there."""
    hands = f"A: KH QH 2H 3H 4H 5H | {OTHERS} | tableau KS KS KD | stock 20"
    told = turns(
        hands,
        """A melds marriages KH QH 10, B draws KC, B discards KC,
        A draws 7H, A draws 8H, A discards 2H""",
    )
    assert told.codes == []
    assert told.position.tableau["K"] == ["KS", "KS", "KD", "KC"]
    assert told.scored("zetema") == []
    turns(hands, "A melds marriages KH QH 10, B draws KH").only("no-such-card-left")


def test_a42_unmarried_kings_make_a_zetema():
    hands = f"A: KH 2D 2H 3H 4H 5H | {OTHERS} | tableau KS KS KD KC | stock 20"
    assert points(turns(hands, "A discards KH, A zetema 50")) == 50


def test_while_a_card_is_to_be_drawn_nothing_else_may_be_done():
    """Seat B holds a marriage, but its turn begins with a draw."""
    told = turns(
        "A: KS QS 2H 3H 4H 5H | B: KD QD 2C 3C 4C | tableau KD KH | stock 20", "A discards 5H"
    )
    assert told.choices.draws
    assert (told.choices.plays, told.choices.melds) == ([], [])


def test_the_points_claimed_for_a_combination_are_compared_with_those_computed():
    told = melds("2H 3H 4H 5H 6H 9H", "flush 2H 3H 4H 5H 6H 9H 30")
    (claim, _) = told.report.reconciliation
    assert (claim.what, claim.claimed, claim.computed) == ("meld flush", 30, 30)
    told = melds("2H 3H 4H 5H 6H 9H", "flush 2H 3H 4H 5H 6H 9H 40")
    assert told.only("wrong-meld-points").message == (
        "Seat A claims 40 points for a flush; the rules give 30."
    )


def test_under_an_odd_stock_lies_no_turn_up():
    """Zetema turns none up, also where the record does not show every hand."""
    record = turns("A: KS QS 2H 3H 4H 5H | B: ?? ?? ?? ?? ?? ?? | stock 21").record
    record.deals[0].knowledge = "public"
    told = Told(record)
    assert (told.position.stock, told.position.turn_up) == (21, None)


def test_after_an_impossible_event_the_points_of_the_deal_are_open():
    told = turns("A: KS QS 2H 3H 4H 5H | B: 9C 2C | stock 20", "A discards 9D")
    told.only("card-not-held")
    with cut_down():
        *_, frame = replay(told.record)
    assert frame.table.are_points_open


# the imperial suit


@pytest.mark.parametrize(
    ("suit", "letter"), [("spades", "S"), ("hearts", "H"), ("diamonds", "D"), ("clubs", "C")]
)
def test_a52_the_imperial_suit_is_that_of_the_option(suit, letter):
    other = "H" if letter == "S" else "S"
    hand = f"K{letter} K{letter} Q{letter} Q{letter} 2{other} 3{other}"
    twice = f"K{letter} K{letter} Q{letter} Q{letter}"
    told = melds(hand, f"marriages {twice} 50", doubled_suit=suit)
    assert points(told) == 50
    alone = melds(
        f"K{other} Q{other} 2{letter} 3{letter} 4{letter} 6{letter}",
        f"marriages K{other} Q{other} 10",
        doubled_suit=suit,
    )
    assert points(alone) == 10
    too_many = turns(
        f"A: K{other} K{other} 2{letter} 3{letter} 4{letter} 6{letter} | {OTHERS} | stock 20",
        doubled_suit=suit,
    )
    assert "too-many-copies" in too_many.codes
