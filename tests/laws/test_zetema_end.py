"""Z5, Z6 and their rulings: the stock's end, the chain of two, sides, targets, the end of the game."""

import pytest

from records.events import Discard, Draw
from records.record import Deal
from records.replay import replay
from records.selfplay import play_game
from tests.make.tables import Told
from tests.make.turns import deal_of, record_of, turns


def points(told: Told) -> list[int]:
    assert told.codes == [], [finding.message for finding in told.findings]
    return told.points


# the stock's end


LAST = "A: 2H 3H 4H 5H 6H | B: 2C 3C 4C 5C 6C | stock 1"


def test_a34_the_turn_that_draws_the_last_card_is_a_turn_like_any_other():
    told = "A draws 7H, A melds flush_sequence 2H 3H 4H 5H 6H 7H 50, A discards 7H"
    assert points(turns(LAST, told)) == [50, 0]


def test_a34_turns_that_begin_without_a_stock_are_discards():
    assert turns(LAST, "A draws 7H, A discards 7H, B discards 2C").codes == []
    turns(LAST, "A draws 7H, A discards 7H, B draws 7C").only("draw-not-due")


def test_a34_what_is_left_is_drawn_if_it_is_too_little():
    hands = "A: KH 3H 4H | B: 2C 3C 4C 5C 6C | tableau QH | stock 2"
    told = "A draws 7H, A draws 8H, A melds marriages KH QH 10"
    assert points(turns(hands, told)) == [10, 0]
    turns(hands, "A draws 7H, A discards 7H").only("draw-missing")
    turns(hands, "A draws 7H, A draws 8H, A draws 9H").only("draw-not-due")


def test_a34_no_combination_after_that():
    hands = "A: KH 3H 4H | B: 2C 3C 4C 5C 6C | tableau QH | stock 0"
    turns(hands, "A melds marriages KH QH 10").only("meld-after-close")


def test_a34_by_the_option_combinations_go_on():
    hands = "A: KH 3H 4H | B: 2C 3C 4C 5C 6C | tableau QH | stock 0"
    told = "A melds marriages KH QH 10, B discards 2C, A discards 3H"
    assert points(turns(hands, told, combinations_after_stock=True)) == [10, 0]
    five = "A: 7S 7S 7H 7D 7C | B: 2C 3C 4C 5C 6C | stock 0"
    told = "A melds assembly 7S 7S 7H 7D 7C 100, A discards 7C"
    assert points(turns(five, told, combinations_after_stock=True)) == [100, 0]
    turns(five, "A melds assembly 7S 7S 7H 7D 7C, A discards 7C").only("meld-after-close")


def test_z5_zetemas_go_on():
    hands = "A: 7C 3H | B: 2C | tableau 7S 7S 7H 7D | stock 0"
    assert points(turns(hands, "A discards 7C, A zetema 5")) == [5, 0]


# who has no card is passed over; who has one plays


def test_a35_a_player_without_cards_is_passed_over():
    hands = "A: 2H 3H | B: | C: 2D 3D | stock 0"
    assert turns(hands, "A discards 2H, C discards 2D, A discards 3H, C discards 3D").codes == []


def test_a35_nobody_with_cards_passes():
    hands = "A: 2H 3H | B: 2C | C: 2D 3D | stock 0"
    turns(hands, "A discards 2H, C discards 2D").only("out-of-turn")


def test_a35_before_the_stock_is_empty_such_a_player_draws_up():
    hands = "A: KH QH KD QD KC QC | B: 2C 3C 4C 5C 6C | stock 20"
    told = "A melds marriages KH QH KD QD KC QC 60, B draws 7C, B discards 7C"
    turns(hands, f"{told}, B draws 8C").only("draw-not-due")
    drawn = ", ".join(f"A draws {card}" for card in ["2H", "3H", "4H", "5H", "6H", "7H"])
    told = f"{told}, {drawn}, A melds flush_sequence 2H 3H 4H 5H 6H 7H 50"
    assert points(turns(hands, told)) == [110, 0]


def test_z5_the_hand_is_over_when_nobody_holds_a_card():
    hands = "A: 2H | B: 2C | stock 0"
    told = turns(hands, "A discards 2H, B discards 2C")
    assert (told.codes, told.position.step) == ([], "over")
    turns(hands, "A discards 2H, B discards 2C, A discards 3H").only("event-after-end")


# the chain, of two players, once the stock is empty


CHAIN = "A: 7C 8C 2H 3H | B: 2C 3C | tableau 7S 7S 7H 7D 8S 8S 8H 8D | stock 0"


def test_a36_after_a_zetema_he_goes_on_while_he_can_and_once_more():
    told = "A discards 7C, A zetema 5, A discards 8C, A zetema 5, A discards 2H, B discards 2C"
    assert points(turns(CHAIN, told)) == [10, 0]


def test_a36_while_he_holds_a_card_that_completes_a_pile_he_plays_such_a_card():
    told = turns(CHAIN, "A discards 7C, A discards 2H")
    assert told.only("must-go-on").legal == ("8C",)


def test_a36_the_last_discard_is_owed():
    turns(CHAIN, "A discards 7C, A discards 8C, B discards 2C").only("out-of-turn")


def test_a36_the_first_discard_is_free():
    """The duty begins with a zetema: he may keep back the seven."""
    assert turns(CHAIN, "A discards 2H, B discards 2C, A discards 3H").codes == []


def test_a36_an_empty_hand_ends_it():
    hands = "A: 7C | B: 2C 3C | tableau 7S 7S 7H 7D | stock 0"
    told = turns(hands, "A discards 7C, A zetema 5, B discards 2C, B discards 3C")
    assert points(told) == [5, 0]
    assert told.position.step == "over"


def test_a36_it_may_end_the_hand_of_both():
    hands = "A: 7C 8C | B: | tableau 7S 7S 7H 7D 8S 8S 8H 8D | stock 0"
    told = turns(hands, "A discards 7C, A discards 8C")
    assert points(told) == [10, 0]
    assert told.position.step == "over"


def test_a36_not_while_there_is_a_stock():
    hands = "A: 7C 8C 2H 3H 4D 5D | B: 2C 3C 4C 5C 6C | tableau 7S 7S 7H 7D 8S 8S 8H 8D | stock 9"
    assert turns(hands, "A discards 7C, A zetema 5, B draws 9C, B discards 9C").codes == []
    turns(hands, "A discards 7C, A zetema 5, A discards 8C").only("out-of-turn")


def test_a36_in_the_turn_that_empties_the_stock_too():
    hands = "A: 7C 8C 2H 3H 4D | B: 2C 3C 4C 5C 6C | tableau 7S 7S 7H 7D 8S 8S 8H 8D | stock 1"
    told = "A draws 9D, A discards 7C, A discards 8C, A discards 9D, B discards 2C"
    assert points(turns(hands, told)) == [10, 0]


def test_a36_only_the_first_discard_is_bound_to_the_combination():
    hands = "A: 2D 3H 4H 5H 6H | B: 2C | tableau 7S 7S 7H 7D | stock 1"
    told = "A draws 7C, A melds sequence 2D 3H 4H 5H 6H 7C 20, A discards 7C, A zetema 5, A discards 3H"
    assert points(turns(hands, told)) == [25, 0]
    odd = "A: 2D 7C 2H 2S 2S | B: 3C | tableau 7S 7S 7H 7D | stock 1"
    told = "A draws 2C, A melds assembly 2D 2H 2S 2S 2C 100, A discards 2C, B discards 3C, A discards 7C"
    assert points(turns(odd, f"{told}, A discards 2H")) == [105, 0]


def test_a36_not_with_three():
    hands = "A: 7C 8C 2H | B: 2C | C: 2D | tableau 7S 7S 7H 7D 8S 8S 8H 8D | stock 0"
    assert turns(hands, "A discards 7C, A zetema 5, B discards 2C, C discards 2D").codes == []
    turns(hands, "A discards 7C, A discards 8C").only("out-of-turn")


def test_a36_by_the_option_in_the_whole_hand():
    hands = "A: 7C 8C 2H 3H 4D 5D | B: 2C 3C 4C 5C 6C | tableau 7S 7S 7H 7D 8S 8S 8H 8D | stock 9"
    told = "A discards 7C, A discards 8C, A discards 2H, B draws 9C, B discards 9C"
    drawn = "A draws 9H, A draws TH, A draws JH, A discards JH"
    assert points(turns(hands, f"{told}, {drawn}", chain="whole_hand")) == [10, 0]
    turns(hands, "A discards 7C, A discards 2H", chain="whole_hand").only("must-go-on")


# six_players: five cards, combinations of five


SIX = "A: {} | B: 2C | C: 3C | D: 4C | E: 5C | F: 6C | stock 9"


def test_a33_by_the_option_six_players_hold_five():
    hands = SIX.format("2H 3H 4H 5H 6H")
    told = turns(
        hands, "A melds flush_sequence 2H 3H 4H 5H 6H 50, A discards 6H", six_players="five"
    )
    assert points(told)[0] == 50
    turns(hands, "A draws 7H", six_players="five").only("draw-not-due")
    turns(hands, "A discards 2H").only("draw-missing")


@pytest.mark.parametrize(("cards", "name", "worth"), [
    ("2H 3D 4H 5H 6H", "sequence", 20), ("2H 3H 4H 5H 7H", "flush", 30),
    ("7S 7S 7H 7D 7C", "assembly", 100), ("KS QS KD QD 2H", "marriages", 40),
])  # fmt: skip
def test_a33_combinations_of_five_cards(cards, name, worth):
    melded = cards.removesuffix(" 2H") if name == "marriages" else cards
    told = turns(SIX.format(cards), f"A melds {name} {melded} {worth}", six_players="five")
    assert points(told)[0] == worth


def test_a33_six_cards_are_no_combination_then():
    hands = SIX.format("2H 3H 4H 5H 6H")
    told = turns(hands, "A melds flush_sequence 2H 3H 4H 5H 6H 7H", six_players="five")
    assert "wrong-cards-for-meld" in told.codes


# Z6, A-40, A-43: targets, sides, the end


def ended(scores: list[int], **options) -> Told:
    """Two to six seats with one card each, at these scores; everybody discards."""
    seats = "ABCDEF"[: len(scores)]
    cards = ["2H", "3H", "4H", "6H", "7H", "8H"]
    hands = " | ".join(f"{seat}: {card}" for seat, card in zip(seats, cards, strict=False))
    told = ", ".join(f"{seat} discards {card}" for seat, card in zip(seats, cards, strict=False))
    return turns(f"{hands} | stock 0 | scores {' '.join(map(str, scores))}", told, **options)


@pytest.mark.parametrize(("scores", "winner"), [
    ([299, 10], None), ([300, 10], 0), ([10, 20, 300], 2), ([290, 200, 200], None),
    ([10, 200, 30, 40], 1), ([199, 0, 0, 0], None), ([0, 0, 0, 0, 200], 4), ([0, 0, 0, 0, 0, 205], 5),
])  # fmt: skip
def test_z6_300_for_two_or_three_200_for_more(scores, winner):
    report = ended(scores).report
    assert report.winner == winner
    assert report.verdict == ("incomplete" if winner is None else "legal")


def test_a11_the_higher_of_two_over_the_target_wins_and_equal_play_on():
    assert ended([310, 350]).report.winner == 1
    assert ended([350, 350]).report.winner is None


@pytest.mark.parametrize(("sides", "scores", "totals", "winner"), [
    ([[0, 2], [1, 3]], [120, 90, 90, 100], [210, 190], 0),
    ([[0, 2, 4], [1, 3, 5]], [60, 70, 60, 70, 60, 70], [180, 210], 1),
    ([[0, 3], [1, 4], [2, 5]], [90, 60, 101, 90, 60, 100], [180, 120, 201], 2),
])  # fmt: skip
def test_a43_partners_pool_their_points_and_the_target_is_200(sides, scores, totals, winner):
    report = ended(scores, sides=sides).report
    assert (report.scores, report.winner) == (totals, winner)


def test_a43_partners_do_not_share_cards():
    hands = "A: KH 2H 3H 4H 5H 6D | B: 2C | C: QH | D: 3C | stock 9"
    told = turns(hands, "A melds marriages KH QH 10", sides=[[0, 2], [1, 3]])
    told.only("meld-card-not-held")


def test_a40_the_hand_is_played_out():
    hands = "A: 8C 2H | B: 2C 7S | tableau 8S 8S 8H 8D | stock 0 | scores 299 0"
    told = turns(hands, "A discards 8C, A zetema 5, A discards 2H, B discards 2C, B discards 7S")
    assert points(told) == [304, 0]
    assert told.report.winner == 0


def test_a40_by_the_option_play_stops_at_once():
    hands = "A: 8C 2H | B: 2C 7S | tableau 8S 8S 8H 8D | stock 0 | scores 299 0"
    told = turns(hands, "A discards 8C, A zetema 5", game_end="at_once")
    assert points(told) == [304, 0]
    assert (told.report.verdict, told.report.winner) == ("legal", 0)
    turns(hands, "A discards 8C, A zetema 5, A discards 2H", game_end="at_once").only(
        "event-after-end"
    )


def test_a40_at_once_means_before_the_discard():
    hands = "A: 2H 3H 4H 5H 6H 7H | B: 2C | stock 9 | scores 250 0"
    melds = "A melds flush_sequence 2H 3H 4H 5H 6H 7H 50"
    assert turns(hands, melds, game_end="at_once").report.verdict == "legal"
    turns(hands, f"{melds}, A discards 2H", game_end="at_once").only("event-after-end")


def test_a40_at_once_counts_what_the_side_had_before_this_deal():
    first = deal_of("A: 2H | B: 2C | stock 0 | scores 260 0", "A discards 2H, B discards 2C")
    then = "A melds flush_sequence 2H 3H 4H 5H 6H 7H 50"
    second = deal_of("A: 2H 3H 4H 5H 6H 7H | B: 3C | stock 9", then)
    second.dealer = 1
    told = Told(record_of(first, second, game_end="at_once"))
    assert told.report.verdict == "legal"
    assert told.report.scores == [310, 0]


def test_a40_at_once_by_sides():
    hands = "A: 2H 3H 4H 5H 6H 7H | B: 2C | C: 3C | D: 4C | stock 9 | scores 90 0 60 0"
    told = turns(
        hands,
        "A melds flush_sequence 2H 3H 4H 5H 6H 7H 50",
        game_end="at_once",
        sides=[[0, 2], [1, 3]],
    )
    assert (told.report.verdict, told.report.scores, told.report.winner) == ("legal", [200, 0], 0)


# section 9: what a hand played out comes to


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("style", ["greedy", "random"])
def test_every_rank_makes_one_zetema_and_every_card_is_somewhere(players, style):
    """90 points of zetemas without kings and queens; they make theirs where nobody married: 190."""
    seen = set()
    for seed in range(6):
        record = play_game("zetema", seed=seed, style=style, players=players, deals=2)
        for number, (awards, table) in enumerate(_deals(record)):
            zetemas = [award for award in awards if award.source == "zetema"]
            married = any(award.name == "marriages" for award in awards)
            ranks = sorted(award.name for award in zetemas)
            seen.add(married)
            assert sum(award.points for award in zetemas) == (90 if married else 190), (
                seed,
                number,
            )
            assert ranks == sorted("A23456789TJ" if married else "A23456789TJQK")
            lying = sum(len(pile) for pile in table.tableau.piles.values())
            assert len(table.tableau.removed) + lying == 65
            assert not any(table.hand_count(seat) for seat in range(players))
    assert seen


def _deals(record):
    awards, table, number = [], None, 0
    for frame in replay(record):
        if frame.deal != number:
            yield awards, table
            awards, number = [], frame.deal
        awards, table = [*awards, *frame.awards], frame.table
    yield awards, table


def test_a_hand_without_marriages_has_zetemas_of_kings_and_queens():
    """Nobody combines: 13 zetemas, 190 points."""
    pack = [rank + suit for rank in "A23456789TJQK" for suit in "SSHDC"]
    deal = Deal(dealer=1, knowledge="full", hands=[pack[:6], pack[6:12]], events=[])
    hands, stock, seat = [list(hand) for hand in deal.hands], pack[12:], 0
    piles: dict[str, int] = {}
    while any(hands):
        while stock and len(hands[seat]) < 6:
            hands[seat].append(stock.pop(0))
            deal.events.append(Draw(seat=seat, card=hands[seat][-1]))
        going = True
        while going and hands[seat]:
            full = [card for card in hands[seat] if piles.get(card[0], 0) == 4]
            card = (full or hands[seat])[0]
            hands[seat].remove(card)
            deal.events.append(Discard(seat=seat, card=card))
            piles[card[0]] = piles.get(card[0], 0) + 1
            going = piles[card[0]] == 5 and not stock
        seat = 1 - seat if hands[1 - seat] or stock else seat
    told = Told(record_of(deal))
    assert told.codes == []
    assert sum(points for _, source, points in told.awards if source == "zetema") == 190
