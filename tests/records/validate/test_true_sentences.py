"""A sentence names what is true: the thing that differs, how many are needed, what the game has, the article that speaks of it."""

from random import Random

import pytest
from msgspec.structs import replace

from records.events import Discard, Draw, Play
from records.rules.compiled import card_sets_for
from records.rules.registry import ALL_SHEETS, apply_options
from records.rules.vocabulary import ChoiceOption, RuleSheet
from records.selfplay import play_game
from records.validator import check_record
from tests.make.tables import assert_told_apart, deal_of, record_of, table

WON = "trump C | turn-up 8C | stock 11 | N won"


@pytest.mark.parametrize(
    ("hand", "meld", "words"),
    [
        ("KH QH", "marriage KH KH", "without holding two kings of hearts"),
        ("KH 9S", "marriage KH QH", "without holding the queen of hearts"),
        ("AS AH AD", "four_aces AS AS AH AD", "without holding two aces of spades"),
        ("QS JD", "double_bezique QS QS JD JD", "two queens of spades and two jacks of diamonds"),
    ],
)
def test_a_meld_lacks_as_many_cards_as_it_needs(hand: str, meld: str, words: str) -> None:
    told = table(f"N: {hand} | S: 7S 8S | {WON}", f"N melds {meld}")
    (finding,) = [each for each in told.findings if each.code == "meld-card-not-held"]
    assert words in finding.message


@pytest.mark.parametrize(
    ("sheet", "meld", "words"),
    [
        ("bezique", "sequence AH TH KH QH JH", "they form one only if hearts are trumps"),
        ("bezique-enhanced", "bezique QC JH", 'only if the option `bezique_cards` is "by_trump"'),
        ("bezique-enhanced", "marriage KH QC", "the cards do not match"),
        ("marjolet", "marjolet JH QH", "they form one only if hearts are trumps"),
    ],
)
def test_a_meld_that_these_rules_do_not_have(sheet: str, meld: str, words: str) -> None:
    hand = " ".join(meld.split()[1:])
    told = table(f"N: {hand} | S: 7S 8S | {WON}", f"N melds {meld}", sheet=sheet)
    assert words in told.only("wrong-cards-for-meld").message


def melds_of(sheet: RuleSheet) -> set[tuple[str, tuple[str, ...]]]:
    """The melds of a sheet under all trump suits: the name of each with its cards."""
    rows = [(row, suit) for row in sheet.rules.melds for suit in "SHDC"]
    return {(row.name, faces) for row, s in rows for faces in card_sets_for(row, s, sheet.rules)}


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_cards_that_form_a_meld_by_an_option_name_it_and_its_value(sheet: RuleSheet) -> None:
    """Every option is tried; the pack of Zetema has no cards that form a meld by another option alone."""
    for option in sheet.options if sheet.rules.tableau is None else ():
        for value in option.permitted if isinstance(option, ChoiceOption) else ():
            other = apply_options(sheet, {option.name: value}).sheet
            for meld, faces in melds_of(other) - melds_of(sheet):
                cards = " ".join(faces)
                told = table(
                    f"N: {cards} | S: 7S 8S | {WON}", f"N melds {meld} {cards}", sheet=sheet.id
                )
                (finding,) = [each for each in told.findings if each.clause == "option"]
                assert f'the option `{option.name}` is "{value}"' in finding.message


@pytest.mark.parametrize(
    ("sheet", "claim", "code", "article", "words"),
    [
        ("bezique", "N scores tenth_trick 10", "score-not-earned", "bonuses", "gives no points for that"),
        ("bezique", "N scores cut 250", "score-not-earned", "bonuses", "gives no points for that"),
        ("zique", "N scores turned_seven 10", "score-not-earned", "trumps", "gives no points for that"),
        ("six-pack-bezique", "N counts 2 brisques 20", "score-not-earned", "brisques", "gives no points"),
        ("rubicon-bezique", "N counts 2 brisques 20", "score-not-earned", "brisques", "only to break a tie"),
        ("bezique", "N counts 2 brisques 10", "wrong-score-points", "brisques", "counts 2 brisques and claims 10 points"),
        ("bezique", "N scores last_trick 20", "wrong-score-points", "bonuses", "the rules give 10"),
    ],
)  # fmt: skip
def test_points_are_told_by_the_article_that_speaks_of_them(
    sheet: str, claim: str, code: str, article: str, words: str
) -> None:
    told = table("N: AS | S: TS | trump H", f"N AS, S TS, {claim}", sheet=sheet)
    finding = next(each for each in told.findings if each.code == code)
    assert finding.rule == f"{sheet}/{article}"
    assert words in finding.message


def test_a_deal_that_stops_before_its_first_trick() -> None:
    deals = [deal_of("N: 9S | S: 8S | trump H"), deal_of("N: 9S | S: 8S | trump H | N deals")]
    (finding,) = [
        each for each in check_record(record_of(deals)).findings if each.code == "deal-cut-short"
    ]
    assert finding.message.startswith("The deal stops before its first trick is complete ")


@pytest.mark.long
@pytest.mark.parametrize(("sheet", "kind"), [("zetema", Discard), ("bezique", Play)])
def test_a_card_played_before_its_draw_is_one_finding_with_what_follows(sheet, kind) -> None:
    """The draw that comes too late, and every draw by which the hand has one card too many, follow from it."""
    for seed in range(6):
        record = play_game(sheet, seed=seed, deals=1)
        events = list(record.deals[0].events)
        places = [
            at
            for at in range(len(events) - 40)
            if isinstance(events[at], Draw) and isinstance(events[at + 1], kind)
        ]
        at = Random(seed).choice(places)
        events[at], events[at + 1] = events[at + 1], events[at]
        deals = [replace(record.deals[0], events=events)]
        findings = check_record(replace(record, deals=deals, result=None)).findings
        assert_told_apart(findings)
        assert "draw-missing" in {each.code for each in findings}
        assert all(each.because_of for each in findings if each.code == "draw-not-due")
        assert all(each.at.trick is None for each in findings) or sheet != "zetema"
