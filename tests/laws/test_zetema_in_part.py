"""Zetema told in part: where marriages came from, discards and melds not fully seen, and what stays certain."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice, product
from random import Random

import pytest

from records.engine.zetema import find_combination
from records.events import Discard, Draw, Irregular, Meld
from records.format.codec import encode
from records.record import Deal, Line, Setup
from records.replay import replay
from records.validate import opening
from records.validate.report import Report
from records.validator import check, check_record
from tests.machine.cpu_cost import CpuCost
from tests.make.tables import Told
from tests.make.turns import deal_of, record_of, turns

OTHERS = "B: 2C 3C 4C 5D 6C"
SPADES = f"A: KS QS 2H 3H 4H 5H | {OTHERS} | tableau KS QS | stock 20"
MARRIED = "A melds marriages KS QS 20"


def in_part(position: str, told: str, knowledge: str = "public", **options: object) -> Told:
    """What is told from a position, as a deal of which the record may not show everything."""
    deal = deal_of(position, told)
    deal.knowledge = knowledge
    return Told(record_of(deal, **options))


def hidden(seat: int, *told: str, seats: int = 3) -> list[list[str]]:
    """The hands that one seat sees."""
    return [list(told) if i == seat else ["??"] * 6 for i in range(seats)]


def test_a_queen_of_the_tableau_may_have_been_married_and_another_drawn():
    events = [
        Discard(seat=0, card="QS"), Discard(seat=1, card="2H"),
        Meld(seat=2, meld="marriages", cards=["KS", "QS"]),
        Draw(seat=0, card="??"), Discard(seat=0, card="9C"),
        Draw(seat=1, card="QS"), Discard(seat=1, card="3H"),
    ]  # fmt: skip
    own = hidden(1, "2H", "3H", "4H", "5H", "7H", "9H")
    deal = Deal(dealer=2, knowledge="seat", seat=1, hands=own, events=events)
    assert Told(record_of(deal)).codes == []


@pytest.mark.parametrize("knowledge", ["public", "plays"])
def test_three_queens_of_spades_are_too_many_in_whatever_way(knowledge):
    told = in_part(SPADES, f"{MARRIED}, B discards QS", knowledge)
    told.only("card-not-held")


def test_marriages_known_to_come_from_the_hand_end_the_turn():
    """Nothing lies on the tableau, so it is certain how many cards are left, and whose turn it is."""
    hands = f"A: KH QH 2H 3H 4H 5H | {OTHERS} | stock 20"
    in_part(hands, "A melds marriages KH QH 10, A discards 2H").only("out-of-turn")
    assert in_part(hands, "A melds marriages KH QH 10, B discards 2C, A discards 2H").codes == []


@pytest.mark.parametrize(("drawn", "kept"), [("8H", 1), ("9H", 2)])
def test_the_stock_may_tell_the_way(drawn, kept):
    """No draw is written: the card discarded is the first drawn, or the second."""
    deal = deal_of(SPADES.replace("stock 20", "stock 3"), f"{MARRIED}, B discards 7C")
    deal.stock = ["7C", "8H", "9H"]
    deal.events.append(Discard(seat=0, card=drawn))
    deal.events.append(Discard(seat=1, card="9H" if kept == 1 else "2C"))
    assert Told(record_of(deal)).codes == []
    deal.events[-1] = Discard(seat=1, card="9H" if kept == 2 else "KH")
    assert Told(record_of(deal)).codes == ["card-not-held"]


def test_a_line_may_take_another_way_than_the_game():
    then = "B draws 7C, B discards 7C, A draws 8H, A discards"
    record = turns(SPADES, f"{MARRIED}, {then} KS").record
    line = Line(at=[0, 4], events=[Discard(seat=0, card="QS")])
    record.lines = [line]
    assert [finding.code for finding in check_record(record).findings] == ["unfinished"]
    line.events = [Discard(seat=0, card="QS"), Discard(seat=1, card="KS")]
    assert "line-not-lawful" in [finding.code for finding in check_record(record).findings]


# Discards that nobody saw

SEVENS = f"A: 7C 2H 3H 4H 5H 6H | {OTHERS} | tableau 7S 7S 7H 7D 5S 5S | stock 20"


def test_a_discard_unseen_may_complete_a_pile():
    assert in_part(SEVENS, "A discards ??, A zetema 5").codes == []
    assert in_part(SEVENS, "A discards ??").codes == []
    in_part(SEVENS, "A discards ??, A zetema 15").only("wrong-score-points")
    in_part(SEVENS, "A discards ??, B zetema 5").only("score-not-earned")
    in_part(SEVENS, "A discards 5?, A zetema 15").only("score-not-earned")
    assert in_part(SEVENS, "A discards 7?, A zetema 5").codes == []


def test_a_discard_unseen_may_be_the_fourth_of_a_pile():
    three = SEVENS.replace("7S 7S 7H 7D", "7S 7S 7H").replace("B: 2C", "B: 7D")
    both = "A discards ??, B draws 9C, B discards 7D"
    assert in_part(three, f"{both}, B zetema 5").codes == []
    assert in_part(three, both).codes == []


CHAIN = "A: 7C 8C 2H 3H | B: 2C 3C | tableau 7S 7S 7H 7D 8S 8S 8H 8D | stock 0"


def test_whoever_may_have_completed_a_pile_may_go_on_or_not():
    assert in_part(CHAIN, "A discards ??, A discards 2H, B discards 2C").codes == []
    assert in_part(CHAIN, "A discards ??, B discards 2C").codes == []
    in_part(CHAIN.replace("7S 7S 7H 7D 8S 8S 8H 8D", ""), "A discards ??, A discards 2H").only(
        "out-of-turn"
    )


def test_a_card_unseen_may_be_the_one_that_goes_on():
    assert in_part(CHAIN, "A discards 7C, A discards ??").codes == []
    assert in_part(CHAIN, "A discards 7C, A discards 8?").codes == []
    in_part(CHAIN, "A discards 7C, A discards 2?").only("must-go-on")
    in_part(CHAIN, "A discards 7C, A discards 2H").only("must-go-on")


def test_a_card_held_unseen_may_be_the_one_that_goes_on():
    hands = CHAIN.replace("7C 8C 2H 3H", "7C 2H 3H 8C").replace("3H 8C", "8C ??")
    told = in_part(hands.replace("8H 8D", "8H 8D 9S 9S 9H 9D"), "A discards 7C, A discards 9C")
    assert told.codes == []


def test_a_card_unseen_may_be_one_of_the_combination():
    flush = "A: 2H 3H 4H 5H 6H 7H"
    hands = f"{flush} | {OTHERS} | stock 20"
    melded = "A melds flush_sequence 2H 3H 4H 5H 6H 7H 50"
    assert in_part(hands, f"{melded}, A discards ?H").codes == []
    in_part(hands, f"{melded}, A discards ?C").only("card-not-held")
    drawn = hands.replace(" 7H |", " 7H 9C |")
    in_part(drawn, f"{melded}, A discards 9?").only("discard-not-of-combination")


def test_a_king_discarded_unseen_may_be_married():
    hands = "A: KH 2H 3H 4H 5H 6H | B: QH 3C 4C 5D 6C 7D | stock 20"
    told = "B draws 8C, B melds marriages KH QH 10"
    assert in_part(hands.replace("B: QH", "B plays | B: QH"), "").codes == []
    assert in_part(hands, f"A discards ??, {told.removeprefix('B draws 8C, ')}").codes == []
    assert in_part(hands, f"A discards K?, {told.removeprefix('B draws 8C, ')}").codes == []
    in_part(hands, f"A discards 2H, {told.removeprefix('B draws 8C, ')}").only("meld-card-not-held")


# Melds of which not every card was seen


def test_marriages_may_show_a_card_by_rank_or_suit():
    hands = f"A: KH QH KS 3H 4H 5H | {OTHERS} | tableau QS | stock 20"
    assert in_part(hands, "A melds marriages K? Q? 10").codes == []
    assert in_part(hands, "A melds marriages K? Q? 20").codes == []
    assert in_part(hands, "A melds marriages ?S ?? 20").codes == []
    in_part(hands, "A melds marriages K? Q? 30").only("wrong-meld-points")
    in_part(hands, "A melds marriages K? ?H 20").only("wrong-meld-points")
    told = in_part(hands, "A melds marriages K? KH")
    assert told.codes == ["wrong-cards-for-meld", "marriage-without-hand-card"]


def test_a_combination_may_show_a_card_by_rank_or_suit():
    hands = f"A: 2H 3H 4H 5H 6H 7H | {OTHERS} | stock 20"
    assert in_part(hands, "A melds flush_sequence 2H 3H 4H 5H 6? ?H 50").codes == []
    in_part(hands, "A melds flush_sequence 2H 3H 4H 5H 6? ?H 30").only("wrong-meld-points")
    in_part(hands, "A melds assembly 7H 7? 7? 7? ?? 100").only("meld-card-not-held")
    told = in_part("A: ?? ?? ?? ?? ?? ?? | B: ?? | stock 20", "A melds assembly ?? ?? ?? ?? ?? 120")
    assert told.codes == []


def test_a_combination_binds_the_next_discard_where_only_plays_are_told():
    """How many cards anybody holds is not known, but the next discard is this one's."""
    hands = "A: ?? ?? ?? ?? ?? ?? | B: ?? ?? | stock 20"
    melded = "B melds flush_sequence 2H 3H 4H 5H 6H 7H 50"
    assert in_part(hands, f"{melded}, B discards 2H, B discards 9C", "plays").codes == []
    in_part(hands, f"{melded}, B discards 9C", "plays").only("discard-not-of-combination")
    in_part(hands, f"{melded}, A discards 9C", "plays").only("out-of-turn")


# Too many ways


def test_too_many_ways_prove_nothing(monkeypatch):
    told = f"{MARRIED}, B draws 7C, B discards 7C, A draws 8H, A draws 9H, A discards KS"
    assert turns(SPADES, told).report.verdict == "illegal"
    monkeypatch.setattr(opening, "TRIED_IN_A_DEAL", 0)
    monkeypatch.setattr(opening, "TRIED_FOR_AN_EVENT", 0)
    given_up = turns(SPADES, told).report
    assert given_up.verdict == "undetermined"
    assert [finding.code for finding in given_up.findings] == ["undetermined"]


def many(card_sets: list[list[str]], events_a_deal: int, **deal: object) -> Report:
    """A record of about 64 KiB whose deals have so many marriages of these cards, in turn."""
    melds = [
        Meld(seat=i % 2, meld="marriages", cards=card_sets[i % len(card_sets)])
        for i in range(events_a_deal)
    ]
    events = [Discard(seat=1, card="??"), *melds]
    one = Deal(dealer=0, events=events, **deal)
    record = record_of(Deal(dealer=0, hands=[["??"] * 6] * 2, events=[]))
    size = len(encode(record))
    record.deals = [one]
    record.deals *= (1 << 16) // (len(encode(record)) - size) + 1
    text = encode(record)
    with CpuCost() as cost:
        report = check(text)
    assert cost.seconds < 3
    return report


@pytest.mark.slow
@pytest.mark.parametrize("events", [1, 3, 12, 60])
@pytest.mark.parametrize(
    "cards", [["KS QS"], ["?? ??"], ["K? Q?"], ["?? ?? ?? ??"], ["KS QS", "KH QH", "KD QD"]]
)
def test_marriages_of_cards_unseen_have_a_bounded_cost(events, cards):
    many([text.split() for text in cards], events, knowledge="public")


@pytest.mark.long
def test_marriages_of_more_cards_than_the_pack_have_a_bounded_cost():
    piles = ["KS", "QS"] * 60
    setup = Setup(hands=[piles, piles], seat=0, tableau=piles)
    assert many([["KS", "QS"]], 900, setup=setup).verdict == "illegal"


def test_marriages_withdrawn_again_and_again_are_followed():
    told = [
        Meld(seat=0, meld="marriages", cards=["KS", "QS"]),
        Irregular(seat=0, what="withdrawn_meld"),
    ]
    deal = deal_of(SPADES)
    deal.events = [*told * 300, Discard(seat=0, card="2H")]
    report = check_record(record_of(deal))
    assert report.verdict == "incomplete"
    assert {finding.severity for finding in report.findings} == {"note"}


# what cards that are not all known may form

LOW, HIGH = "KQJT98765432A", "AKQJT98765432A"
FORMS = {(True, False): "sequence", (False, True): "flush", (True, True): "flush_sequence"}


def formed(cards: tuple[str, ...], runs: str) -> str | None:
    """What six known cards form, ranks in a row and suits told by hand."""
    ranks, suits = {card[0] for card in cards}, {card[1] for card in cards}
    row = any(ranks == set(runs[at : at + 6]) for at in range(len(runs) - 5))
    return FORMS.get((row and len(ranks) == 6, len(suits) == 1))


def blurred_hands(chance: Random, runs: str) -> Iterator[tuple[str, ...]]:
    """Six cards that form something or nearly do, of which one or two are not fully known."""
    while True:
        at = chance.randrange(len(runs) - 5)
        ranks = list(runs[at : at + 6]) if chance.random() < 0.7 else chance.sample(LOW, 6)
        suits = (
            [chance.choice("SHDC")] * 6 if chance.random() < 0.6 else chance.choices("SHDC", k=6)
        )
        if chance.random() < 0.3:
            ranks[0] = chance.choice(LOW)
        if chance.random() < 0.3:
            suits[1] = chance.choice("SHDC")
        cards = [rank + suit for rank, suit in zip(ranks, suits, strict=True)]
        if max(cards.count(card) for card in cards) == 1:
            first, second = chance.sample(range(6), 2)
            cards[first] = chance.choice(["??", "?" + cards[first][1], cards[first][0] + "?"])
            cards[second] = chance.choice([cards[second], "?" + cards[second][1]])
            yield tuple(cards)


def completions(cards: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Every hand of the pack that these may be; only spades are there twice."""
    options = [
        [
            rank + suit
            for rank in (LOW if card[0] == "?" else card[0])
            for suit in ("SHDC" if card[1] == "?" else card[1])
        ]
        for card in cards
    ]
    for filled in product(*options):
        if all(filled.count(card) <= 1 + (card[1] == "S") for card in filled):
            yield filled


@pytest.mark.parametrize("high", [False, True])
def test_a39_unknown_cards_may_form_what_some_completion_forms(high):
    told = in_part(f"A: ?? ?? ?? ?? ?? ?? | {OTHERS} | stock 20", "", ace_high=high)
    *_, frame = replay(told.record)
    runs, found = HIGH if high else LOW, Counter[tuple[str, bool]]()
    for cards in islice(blurred_hands(Random(39), runs), 120):
        possible = {formed(filled, runs) for filled in completions(cards)}
        for name in FORMS.values():
            event = Meld(seat=0, meld=name, cards=list(cards))
            assert (find_combination(frame.table, event) is not None) == (name in possible), cards
            found[name, name in possible] += 1
    assert min(found[name, answer] for name in FORMS.values() for answer in (True, False)) > 5


@pytest.mark.parametrize(
    ("shown", "points"), [("KH ??", 10), ("?? QH", 10), ("KS.1 ??", 20), ("KH QH ?? ??", 30)]
)
def test_marriages_in_part_where_copies_have_labels(shown, points):
    """Only spades are there twice: a card of another suit has no label."""
    hands = "A: ?? ?? ?? ?? ?? ?? | B: 9S.1 2S.1 3S.2 4S.1 | stock 20"
    told = in_part(hands, f"A melds marriages {shown}")
    assert (told.codes, told.points[0]) == ([], points)


@pytest.mark.parametrize(("card", "wrong"), [("QH", ["card-not-held"]), ("2H", []), ("??", [])])
def test_a_card_found_on_the_tableau_was_the_one_discarded_unseen(card, wrong):
    """The queen of hearts, of which there is one, lay on the tableau: so seat A has discarded it, and no other card."""
    told = in_part(
        "A: QH 2H 3H 4H 5H 7H | B: KH 2C 3C 4C 5D 6C | stock 20",
        f"A discards ??, B melds marriages KH QH from QH 10, A draws 7C, A discards {card}",
    )
    assert told.codes == wrong


def test_where_marriages_may_be_missing_nobody_knows_who_drew_which_card() -> None:
    """South married without a word of the record, so what the stock has in order went to other hands than it seems."""
    hands = [["2H", "3H", "4D", "5C", "6D", "8D"], ["KH", "QH", "2C", "3C", "4C", "9D"]]
    stock = ["7H", "8H", "9H", "TH", "JH", *["??"] * 48]
    told = [(0, "2H"), (0, "3H"), (1, "2C"), (0, "4D"), (1, "8H"), (0, "7H")]
    events = [Discard(seat=seat, card=card) for seat, card in told]
    deal = Deal(dealer=1, knowledge="plays", hands=hands, stock=stock, events=[*events])
    assert Told(record_of(deal)).codes == []


def test_a_card_drawn_is_the_one_that_lies_there_by_its_name() -> None:
    """Of the two draws due to North only the second is written; the first may be any card, and North discards it."""
    hands = [["KH", "QH", "2H", "3H", "4D", "5C"], ["2C", "3C", "4C", "6D", "8D", "9D"]]
    stock = ["??", "7S", *["??"] * 51]
    for thrown, found in (("5D", []), ("7S", []), ("2D", [])):
        events = [
            Meld(seat=0, meld="marriages", cards=["KH", "QH"]), Discard(seat=1, card="2C"),
            Draw(seat=0, card="7S"), Discard(seat=0, card=thrown),
        ]  # fmt: skip
        deal = Deal(dealer=1, knowledge="public", hands=hands, stock=stock, events=[*events])
        codes = Told(record_of(deal)).codes
        assert codes == found, thrown
