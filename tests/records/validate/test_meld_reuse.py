"""A meld that the rule of reuse forbids is told with the card, the earlier meld and the clause of the law."""

import re

import pytest

from records.events import Meld
from records.phrases import name_card
from tests.make.tables import Told, table
from tests.make.winning import melded
from tests.playouts.games import STANDARD, Way

CODE = "meld-reuses-cards"
TOLD = {
    "R-SET": (
        melded("KS QS", "marriage KS QS", "marriage KS QS", sheet="marjolet"),
        "the same cards scored in the marriage of event 3, and a set of cards scores the same meld only once",
    ),
    "R-KIND": (
        melded("KS QS QS", "marriage KS QS", "marriage KS QS", sheet="zique"),
        "the king of spades scored in the marriage of event 3, and no card scores twice in melds of one kind",
    ),
    "R-KIND, of many": (
        melded("AS AH AD AC", *["four_aces AS AH AD AC"] * 2, sheet="zique"),
        "these cards scored in the four aces of event 3, and no card scores twice in melds of one kind",
    ),
    "R-CLASS, the kind": (
        melded("AS AS AH AD AC", *["four_aces AS AH AD AC"] * 2, sheet="bezique"),
        "the ace of hearts, the ace of diamonds and the ace of clubs scored in the four aces of event 3, and no"
        " card scores twice in melds of one kind",
    ),
    "R-CLASS, down": (
        melded("AH TH KH QH JH KH", "sequence AH TH KH QH JH", "marriage KH QH", sheet="bezique"),
        "the queen of hearts scored in the sequence of event 3, and no card that has scored in a higher meld of"
        " its class scores in a lower one",
    ),
    "R-CLASS, nothing new": (
        melded("QS QS JD JD", *["bezique QS JD"] * 2, "double_bezique QS QS JD JD", sheet="bezique"),
        "all these cards scored in the bezique of event 3 or 8, and a higher meld of the class needs a card that"
        " has not scored in it",
    ),
    "R-RUB, nothing left": (
        melded("KS QS QS", *["marriage KS QS"] * 2, sheet="rubicon-bezique"),
        "the king of spades scored in the marriage of event 3, and no other card of that meld has been played or"
        " has scored since",
    ),
    "R-RUB, the same set": (
        melded("KS QS", *["marriage KS QS"] * 2, sheet="rubicon-bezique"),
        "the same cards scored in the marriage of event 3, and a set of cards scores the same meld only once",
    ),
    "R-RUB, every arrangement made": (
        melded("KS KS QS QS", *["marriage KS QS"] * 5, sheet="chinese-bezique"),
        "the same cards scored in the marriage of event 3, 8, 13 or 18, and a set of cards scores the same meld"
        " only once",
    ),
    "R-PORT": (
        melded("KS KH KD KC KH QH", "four_kings KS KH KD KC", "marriage KH QH", "four_kings KS KH KD KC",
               sheet="rubicon-bezique-club"),
        "the king of spades, the king of diamonds and the king of clubs scored in the four kings of event 3, and"
        " no other card of that meld has been played",
    ),
    "R-001, once in a class": (
        melded("QS JD JD", *["bezique QS JD"] * 2, sheet="six-pack-bezique"),
        "the queen of spades scored in the bezique of event 3, and a card scores once in its class, unless a"
        " bezique grows or a meld that lost a card to a trick is restored",
    ),
    "R-001, not whole": (
        melded("QS.1 QS.2 JD.1 JD.2 JD.3", "bezique QS.1 JD.1", "double_bezique QS.1 QS.2 JD.2 JD.3",
               sheet="six-pack-bezique"),
        "the queen of spades (1) scored in the bezique of event 3, and a bigger bezique must contain the earlier"
        " one, whole",
    ),
    "R-001, not restored": (
        melded("AS.1 AS.2 AS.3 AH.1 AD.1 AC.1", "four_aces AS.1 AH.1 AD.1 AC.1",
               "led AS.1, four_aces AS.2 AS.3 AH.1 AD.1", sheet="six-pack-bezique"),
        "the ace of hearts (1) and the ace of diamonds (1) scored in the four aces of event 3, and a broken meld"
        " is restored only with all its cards that are left and with cards new to the class",
    ),
}  # fmt: skip


@pytest.mark.parametrize("law", TOLD)
def test_a_refused_meld_names_the_card_the_earlier_meld_and_the_clause(law):
    told, words = TOLD[law]
    finding = told.only(CODE)
    assert finding.message.partition(", but ")[2] == f"{words}."
    assert finding.since == (0, 2)
    assert finding.rule.endswith("/reuse")


def won(captured: str, *melds: str, **options: object) -> Told:
    """North has won these cards, the last two just now, and melds."""
    position = f"N: 9C | S: 8C | trump H | turn-up 7H | stock 9 | N captured {captured} | N won"
    told = ", ".join(f"N melds {meld}" for meld in melds)
    return table(position, told, sheet="polish-bezique", **options)


@pytest.mark.parametrize(
    ("told", "words", "since"),
    [
        (won("KS QS 9D 8D", "marriage KS QS"),
         "none of them was won in the trick just taken, and a meld needs one that was", None),
        (won("JD KS QS 8D", "marriage KS QS", "bezique QS JD"),
         "the queen of spades, just won, already served in the marriage of event 1, and a card just won serves in"
         " only one meld after its trick", (0, 0)),
        (won("QS QS KS 8D", "marriage KS QS", "marriage KS QS"),
         "the king of spades, just won, already served in the marriage of event 1, and a card just won serves in"
         " only one meld after its trick", (0, 0)),
    ],
)  # fmt: skip
def test_a_captured_meld_names_what_is_missing_or_has_served(told, words, since):
    finding = told.only(CODE)
    assert finding.message.partition(", but ")[2] == f"{words}."
    assert finding.since == since


def test_of_the_melds_since_the_trick_alone_a_card_just_won_served_in_one():
    """Both queens have married, each after its own trick: only the second was won just now."""
    told = table(
        "N: KS KS 9C | S: QS QS 8C | trump H | turn-up 7H | stock 9 | N captured JD JD 7S 8S | N leads",
        "N KS, S QS, N melds marriage KS QS, N draws 7D, S draws 7D,"
        " N KS, S QS, N melds marriage KS QS, N melds double_bezique QS QS JD JD",
        sheet="polish-bezique",
    )
    assert "a queen of spades, just won, already served in the marriage of event 8, and" in (
        told.only(CODE).message
    )


def test_a_card_served_once_by_the_option():
    told = table(
        "N: 9C 9D | S: 8C 8D | trump H | turn-up 7H | stock 9 | N captured KS QS | N won",
        "N melds marriage KS QS, N draws JD, S draws 7D, N JD, S 8C, N melds bezique QS JD",
        sheet="polish-bezique",
        polish_once_ever=True,
    )
    assert told.only(CODE).message.endswith(
        "but the queen of spades scored in the marriage of event 1, and by the option chosen a card serves in"
        " only one meld of the deal."
    )


def test_a_meld_is_named_by_its_name_even_if_it_was_the_first_event():
    """Four aces of trumps are of the kind of four aces."""
    aces = "four_trump_aces AH AH AH AH"
    told = table(
        "N: 9C 9D AH AH AH AH | S: 8C 8D 7C | trump H | stock 9 | N won",
        f"N melds {aces}, N draws 7D, S draws 7D, N 9C, S 8C, N melds {aces}",
        sheet="six-pack-bezique",
    )
    assert "an ace of hearts scored in the four trump aces of event 1" in told.only(CODE).message


def test_what_a_setup_laid_is_named_as_well():
    position = "N: 9C | N lays marriage KS QS | S: 8C | trump H | turn-up 9H | stock 9 | N won"
    finding = table(position, "N melds marriage KS QS", sheet="zique").only(CODE)
    assert "scored in the marriage that lay there at the start, and" in finding.message
    assert finding.since is None


def test_too_many_readings_to_list_are_told_by_what_holds_in_all():
    """Of nine kings and queens every pair has married; a tenth marriage has no words of its own."""
    acts = ["marriage KH QH"] * 10
    finding = melded("KH KH KH QH QH QH", *acts, sheet="rubicon-bezique").only(CODE)
    assert finding.message.partition(", but ")[2] == (
        "whichever copies these are, some scored in the marriage of event 3, 8, 13 or a later event and may not"
        " score again in this meld."
    )


@pytest.mark.parametrize(
    "way", [way for way in STANDARD if way.sheet.rules.tableau is None], ids=str
)
def test_the_cards_named_are_in_the_meld_named(way: Way):
    """In labelled games, every meld once more: the card with its label is one of the earlier meld."""
    record = way.play(3, "greedy", labels=True)
    named = way.sheet.id == "polish-bezique"  # its melds are not repeated after the draws
    for deal in record.deals[:1]:
        melds = [i for i, event in enumerate(deal.events) if isinstance(event, Meld)]
        for i in melds[:12]:
            deal.events.insert(i + 1, deal.events[i])
            told = Told(record)
            del deal.events[i + 1]
            for finding in told.findings:
                if finding.code != CODE:
                    continue
                place = re.search(r"of event (\d+)", finding.message)
                if place is None:
                    continue
                earlier = deal.events[: i + 1][int(place[1]) - 1]
                assert isinstance(earlier, Meld)
                used = finding.message.partition(", but ")[2].partition(" scored in")[0]
                cards = [name_card(card) for card in earlier.cards]
                assert any(card in used for card in cards) or "cards" in used
                named += finding.at.seat == earlier.seat
    assert named
