"""The words of a review, on deals small enough to check by hand."""

from pathlib import Path

import pytest

from analyzer.review.close_review import CloseDecision
from analyzer.review.deep_review import ReviewTerms
from analyzer.review.exact_deals import reviewed_close_decision, reviewed_last_trick
from analyzer.review.last_stock_trick import CardValue, LastStockDecision
from analyzer.review.missed import PossibleScore
from analyzer.review.narrative import narrate_game
from analyzer.review.review_words import describe_line, describe_loss
from analyzer.review.reviewer import review_record
from analyzer.solver.moves import Move, ValuedMove
from records.errors import RulesError
from records.format.codec import decode
from tests.make.tables import NAMES, table

SAMPLES = Path(__file__).parents[3] / "samples"

EXACT = ReviewTerms(worlds=0)
EARLY = "N: AS 9H | S: TS TH | trump S | N leads"


def told(position: str, played: str, **more: object) -> list[str]:
    """The paragraphs after the two that open every text."""
    record = table(position, played, **more).record
    return list(narrate_game(record, review_record(record, terms=EXACT)))[2:]


def test_a_trick_is_a_paragraph_with_its_number_and_who_takes_it():
    deal, first, second, books = told(EARLY, "N AS, S TS, N 9H, S TH")
    assert deal.startswith("Deal 1. ")
    assert first == (
        "Trick 1. North plays the ace of spades. "
        "North loses 20 points by playing the ace of spades; playing the 9 of hearts was better: "
        "with best play North then ends the deal 20 ahead instead of level. "
        "Best: North 9♥, South 10♥; South 10♠, North A♠. "
        "South plays the 10 of spades. North takes the trick with two brisques."
    )
    assert second == (
        "Trick 2. North plays the 9 of hearts. South plays the 10 of hearts. "
        "South takes the trick with a brisque."
    )
    assert books.endswith(
        "North was level at the close and would have ended 20 ahead with best play by both. "
        "Since then North lost 20: North ended level."
    )


def test_a_deal_ends_with_the_brisques_that_count_to_settle_it():
    position = "N: AH KS 9D | S: TH AS 9D | trump H | scores 1000 960 | brisques 2 3 | N leads"
    *_, end = told(position, "N KS, S AS, S 9D, N 9D, S TH, N AH", sheet="rubicon-bezique")
    assert end.startswith("The deal ends 1,090 : 1,000. ")


def test_an_irregularity_is_told_once():
    played = "N AS, S TS, N melds marriage KS QS 40, irregular N withdrawn_meld, N 9H, S TH, N KS, S 8D, N QS, S 7D"
    text = " ".join(told("N: AS KS QS 9H | S: TS TH 8D 7D | trump S | stock 20 | N leads", played))
    assert text.count("Irregularity, North: withdrawn meld.") == 1


def test_what_counts_as_a_mistake_is_the_readers():
    record = table(EARLY, "N AS, S TS, N 9H, S TH").record
    text = " ".join(
        narrate_game(record, review_record(record, terms=ReviewTerms(worlds=0, least=21)))
    )
    assert "loses 20" not in text
    assert "Since then North lost 20" in text


def test_what_the_rules_do_not_allow_is_said_to_be_so():
    deal, first, *_ = told("N: AS 9H | S: TS 7H | trump S | N leads", "N AS, S 7H, N 9H, S TS")
    assert "A rule is broken in this deal" in deal
    assert "South gains 40 by breaking a rule. Best: South 10♠; North 9♥" in first


def test_a_deal_that_breaks_off_is_not_said_to_end():
    *_, last = told("N: AS 9H 8H | S: TS TH 7H | trump S | N leads", "N AS, S TS")
    assert last.startswith("The record of the deal ends at 0 : 0. ")
    assert last.endswith("The deal was not played to its end.")


def test_a_long_line_is_cut_short_and_says_so():
    line = [
        Move(0, "AS"),
        Move(1, "TS"),
        Move(0, None, "marriage", ("KH", "QH"), 20),
        Move(0, "KH"),
        Move(1, "7H"),
    ]
    whole = "North A♠, South 10♠; North melds a marriage, 20; North K♥, South 7♥"
    assert describe_line(line, NAMES) == whole
    assert describe_line(line, NAMES, 2) == "North A♠, South 10♠; and so on"
    assert describe_line(line[1:], NAMES) == whole.partition(", ")[2]
    assert describe_line([Move(0)], NAMES) == "North melds nothing more"


def test_against_the_rules_nothing_may_come_of_it():
    choice = CloseDecision(3, 1, 0, 0, Move(1, "7H"), 0, [], [], lawful=False)
    told = reviewed_close_decision(choice, apart=0)
    assert describe_loss(told, NAMES) == "South gains nothing by breaking a rule."


STOCK = "trump S | turn-up AS | stock 3 | N leads"


SEVEN = f"N: 7S AC AD 9D 8D | S: 8H 8C 8S 9C 7D | {STOCK}"
ONE_TRICK = "N AC, S 9C, N draws 7D, S draws 9H"


@pytest.mark.parametrize(
    ("played", "said"),
    [
        ("N AD, S 7D, N draws TC, S draws AS, N TC, S 8C, N 9D, S 8S, S 8H, N 7S, N 8D, S AS, S 9H, N 7D",
         "never exchanges the dix for A♠, possible after tricks 1 to 2."),
        ("N AD, S 7D, N dix exchange 10",
         "exchanges the dix late: it could have been exchanged after trick 1."),
        ("N 7S, S 8H, N draws TC, S draws AS",
         "never exchanges the dix for A♠ (no points lost), possible after trick 1."),
    ],
)  # fmt: skip
def test_a_dix_missed_is_told_as_what_could_be_done(played, said):
    assert f"North {said}" in " ".join(
        told(SEVEN, f"{ONE_TRICK}, {played}", dix_in_last_tricks=False)
    )


def test_a_dix_not_shown():
    position = "N: 7S AC 9D | S: 8H 9C 7D | trump S | N leads"
    text = told(position, "N AC, S 9C, N 7S, S 8H, N 9D, S 7D", sheet="bezique-enhanced")
    late = "North scores the dix late: it could have been shown after trick 1."
    assert late in " ".join(text)


@pytest.mark.long
def test_what_is_never_melded_is_told_after_what_is_its_cards_from_the_highest():
    position = f"N: AS TS KS QS JS AC KC QC | S: 7H 8H 9H 7D 8D 9D 7C 8C | {STOCK}"
    played = "N AC, S 7H, N melds marriage KC QC 20, N draws AD, S draws 9S"
    _, trick, *_ = told(position.replace("AS | stock 3", "9S | stock 1"), played)
    assert trick.startswith("Trick 1. North plays the ace of clubs. South plays the 7 of hearts.")
    assert trick.endswith(
        "North melds a marriage, K♣ Q♣ for 20. "
        "North never melds: trump sequence A♠ 10♠ K♠ Q♠ J♠ (250), possible after trick 1. "
        "North never melds: royal marriage K♠ Q♠ (40), possible after trick 1. "
        "North draws the ace of diamonds. South draws the 9 of spades."
    )


def test_like_cards_are_named_once_and_the_meld_they_could_bring():
    sequence = PossibleScore("sequence", "trump sequence", ("AD", "TD", "KD", "QD", "JD"), 250)
    ways = [
        CardValue("KD.1", 40.0, sequence),
        CardValue("KD.2", 40.0, sequence),
        CardValue("QH.2", -215.0),
    ]
    brink = LastStockDecision(95, 0, "QH.2", 255.0, 8, ways)
    assert describe_loss(reviewed_last_trick(brink, 0), NAMES) == (
        "North loses 255 points on average by playing the queen of hearts, "
        "over the 8 cards that could be the last face-down card; playing the king of diamonds was better. "
        "Winning the trick could have brought a meld: trump sequence (250)."
    )
    ways = [CardValue("KD.1", 40.0), CardValue("QH.2", -215.0, None, sequence)]
    brink = LastStockDecision(95, 1, "QH.2", 255.0, 1, ways)
    assert describe_loss(reviewed_last_trick(brink, 0), NAMES).endswith(
        "South loses 255 points by playing the queen of hearts, with the last face-down card known; "
        "playing the king of diamonds was better. "
        "North could then meld: trump sequence (250)."
    )


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["broken", "good"])
def test_every_sample_can_be_told(folder):
    """Whatever is wrong with a record that can be read, its review says what it can, and why not more."""
    for path in sorted((SAMPLES / folder).glob("*.json")):
        record = decode(path.read_bytes()).record
        if record is None:
            continue
        try:
            review = review_record(record, terms=EXACT)
        except RulesError:
            assert folder == "broken"
        else:
            assert list(narrate_game(record, review)), path.name


ACES = ["AS", "AH", "AD", "AC", "TS"]


@pytest.mark.parametrize(
    ("best", "named"),
    [
        (4, "the ace of spades, the ace of hearts, the ace of diamonds or the ace of clubs"),
        (5, "the ace of spades, the ace of hearts, the ace of diamonds or one of 2 others"),
    ],
)
def test_the_best_cards_are_all_named_or_counted(best, named):
    ways = [ValuedMove(Move(0, card), 10) for card in ACES[:best]]
    ways.append(ValuedMove(Move(0, "7C"), 0))
    choice = CloseDecision(3, 0, 0, 10, Move(0, "7C"), 10, ways, [])
    said = describe_loss(reviewed_close_decision(choice, apart=0), NAMES)
    assert said == (
        f"North loses 10 points by playing the 7 of clubs; playing {named} was better: "
        "with best play North then ends the deal 10 ahead instead of level."
    )


def test_a_meld_of_which_the_cards_are_open_is_told_by_its_name():
    ways = [
        ValuedMove(Move(0, None, "marriage", (), 20), 20),
        ValuedMove(Move(0, "7C"), 0),
    ]
    choice = CloseDecision(3, 0, 0, 20, Move(0, "7C"), 20, ways, [])
    assert "; melding a marriage was better:" in describe_loss(
        reviewed_close_decision(choice, apart=0), NAMES
    )
