"""The options that several rulebooks have, in each of them; expected numbers are the rulebooks'."""

import pytest

from records.rules.registry import ALL_SHEETS, get_sheet
from records.rules.vocabulary import MeldsFrom, OneDeal, RuleSheet
from tests.make.tables import N, Told, table

TESTED: set[str] = set()


def having(option: str, *, of_held_cards: bool = False) -> pytest.MarkDecorator:
    """Every sheet that has this option, or of those that make melds of cards in hand."""
    found = [sheet.id for sheet in ALL_SHEETS if option in {known.name for known in sheet.options}]
    assert len(found) > 1
    TESTED.add(option)
    kept = [sheet for sheet in found if not (of_held_cards and captures(sheet))]
    return pytest.mark.parametrize("sheet", kept)


def captures(sheet: str) -> bool:
    return get_sheet(sheet).rules.melds_from is MeldsFrom.CAPTURED


def turned(card: str, sheet: str) -> str:
    """A turn-up, where the game has one."""
    return "" if isinstance(get_sheet(sheet).rules.match, OneDeal) else f"turn-up {card} | "


def melding(cards: str, *melds: str, sheet: str, trump: str = "H", **options: object) -> Told:
    """North holds these cards and melds one after each trick won with a 9."""
    suits = "CDS"[: len(melds)]
    nines, sevens = (" ".join(rank + suit for suit in suits) for rank in "97")
    position = f"N: {cards} {nines} | S: {sevens} | trump {trump} | {turned('T' + trump, sheet)}stock 20 | N leads"
    told = ", ".join(
        f"N 9{suit}, S 7{suit}, N melds {meld}, N draws 8{suit}, S draws 8{suit}"
        for meld, suit in zip(melds, suits, strict=True)
    )
    return table(position, told, sheet=sheet, **options)


def capturing(captured: str, *won: tuple[str, str], trump: str = "H", **options: object) -> Told:
    """North has captured these cards; then wins one card after the other, each with a meld (Polish)."""
    cards = [card for card, _ in won]
    low = ["7" + card[1] for card in cards]
    position = (
        f"N: {' '.join(cards)} 9C | S: {' '.join(low)} 8C | trump {trump} | turn-up T{trump}"
        f" | stock 20 | N captured {captured} | N leads"
    )
    told = ", ".join(
        f"N {card}, S {reply}, N melds {meld}, N draws 8{suit}, S draws 9{suit}"
        for (card, meld), reply, suit in zip(won, low, "DSC", strict=False)
    )
    return table(position, told, sheet="polish-bezique", **options)


def worth(meld: str, sheet: str) -> int:
    """The points of bezique, by the rulebooks: 50 in Zique."""
    return {"bezique": 50 if sheet == "zique" else 40}[meld]


# hand_size (practice): nine cards, 64 - 18 - 1 left


@having("hand_size")
def test_hand_size_nine(sheet):
    nine = "N: AS KS QS JS 9S 8S KD 9D TD | S: AH KH QH JH 9H 8H AD 8D TC | turn-up 9C | S deals afresh"
    assert set(table(nine, "N AS", sheet=sheet).codes) == {"wrong-hand-size"}
    told = table(nine, "N AS", sheet=sheet, hand_size=9)
    assert told.codes == []
    assert told.position.stock == 64 - 2 * 9 - 1


# A-11, the target


@having("target")
@pytest.mark.parametrize("target", [100, 730, 2000])
def test_target(sheet, target):
    for before, winner in ((target - 20, None), (target - 10, N)):
        position = f"N: KH | S: QH | trump C | scores {before} 0 | N leads"
        assert table(position, "N KH, S QH", sheet=sheet, target=target).report.winner == winner


# C8, what the second player owes


@having("follow")
@pytest.mark.parametrize(
    ("option", "allowed"), [("head", "AH"), ("suit", "AH 9H"), ("any", "AH 9H 7C 8S")]
)
def test_c8_follow(sheet, option, allowed):
    position = "N: KH 9S QS 7S | S: AH 9H 7C 8S | trump C | N leads"
    for reply in ("AH", "9H", "7C", "8S"):
        codes = table(position, f"N KH, S {reply}", sheet=sheet, follow=option).codes
        assert (codes == []) == (reply in allowed.split()), reply


@having("follow")
@pytest.mark.parametrize(
    ("option", "allowed"), [("head", "AC TC"), ("suit", "AC TC"), ("any", "AC TC 9C 8S")]
)
def test_c8_follow_a_trump_led(sheet, option, allowed):
    """Head and follow suit agree on trumps: the one that is led must be beaten."""
    position = "N: KC 9S QS 7S | S: AC TC 9C 8S | trump C | N leads"
    for reply in ("AC", "TC", "9C", "8S"):
        codes = table(position, f"N KC, S {reply}", sheet=sheet, follow=option).codes
        assert (codes == []) == (reply in allowed.split()), reply


@having("follow")
@pytest.mark.parametrize(("option", "allowed"), [("head", "7C"), ("suit", "7C"), ("any", "7C 8S")])
def test_c8_follow_when_void(sheet, option, allowed):
    position = "N: KH 9S | S: 7C 8S | trump C | N leads"
    for reply in ("7C", "8S"):
        codes = table(position, f"N KH, S {reply}", sheet=sheet, follow=option).codes
        assert (codes == []) == (reply in allowed.split()), reply


# last_trick


@having("last_trick")
def test_a09_last_trick_before_the_close(sheet):
    position = "N: KS 8D | S: 7S 9D | trump C | turn-up 9C | stock 1 | N leads"
    for option, scored in (("last", []), ("before_close", [(N, 10)])):
        told = table(position, "N KS, S 7S", sheet=sheet, last_trick=option)
        assert told.scored("last_trick") == scored
    last = "N: KH | S: QH | trump C | N leads"
    for option, scored in (("last", [(N, 10)]), ("before_close", [])):
        told = table(last, "N KH, S QH", sheet=sheet, last_trick=option)
        assert told.scored("last_trick") == scored


# meld_after_close


@having("meld_after_close")
@pytest.mark.parametrize("allowed", [True, False])
def test_a08_meld_after_close(sheet, allowed):
    if captures(sheet):
        position = "N: KH 9D | S: 7H 8D | trump C | N captured QH 9S | N leads"
        told = "N KH, S 7H, N melds marriage KH QH 20"
    else:
        position = "N: KH QH 9D | S: 7D 8S 9S | trump C | N leads"
        told = "N 9D, S 7D, N melds marriage KH QH 20"
    codes = table(position, told, sheet=sheet, meld_after_close=allowed).codes
    assert codes == ([] if allowed else ["meld-after-close"])


# the seven of trumps


BACK = "N: 7S KH | S: 8H 9C | trump S | turn-up AS | stock 1 | N won"
PLAYED = """N dix exchange 10, N draws 8D, S draws 7S, N KH, S 8H, N takes, N 8D, S 7S,
    S dix play 10"""


@having("dix_once_per_card")
@pytest.mark.parametrize(("once", "codes"), [(True, ["dix-spent"]), (False, [])])
def test_a02_dix_once_per_card(sheet, once, codes):
    assert table(BACK, PLAYED, sheet=sheet, dix_once_per_card=once).codes == codes


@having("dix_in_last_tricks")
@pytest.mark.parametrize(("scores", "points"), [(True, 10), (False, 0)])
def test_a03_dix_in_last_tricks(sheet, scores, points):
    closed = "N: 7S KH | S: 8H 8D | trump S | N leads"
    assert table(closed, "N 7S", sheet=sheet, dix_in_last_tricks=scores).points == [points, 0]


@having("exchange_is_the_meld")
@pytest.mark.parametrize(("counts", "codes"), [(False, []), (True, ["too-many-melds"])])
def test_a05_exchange_is_the_meld(sheet, counts, codes):
    won = "N: 7S KH QH 9D | S: 8H 8D 8C 9C | trump S | turn-up AS | stock 9 | N won"
    for told in (
        "N dix exchange 10, N melds marriage KH QH 20",
        "N melds marriage KH QH 20, N dix exchange 10",
    ):
        assert table(won, told, sheet=sheet, exchange_is_the_meld=counts).codes == codes


# which cards make bezique (C11)


@having("bezique_cards")
@pytest.mark.parametrize(
    ("trump", "cards"), [("S", "QC JH"), ("D", "QC JH"), ("H", "QS JD"), ("C", "QS JD")]
)
def test_c11_bezique_cards_by_trump(sheet, trump, cards):
    for held in ("QC JH", "QS JD"):
        queen, jack = held.split()
        meld = f"bezique {held} {worth('bezique', sheet)}"
        told = (
            capturing(queen, (jack, meld), trump=trump, bezique_cards="by_trump")
            if captures(sheet)
            else melding(held, meld, sheet=sheet, trump=trump, bezique_cards="by_trump")
        )
        assert told.codes == ([] if held == cards else ["wrong-cards-for-meld"])


# using a card again


REUSED = ["meld-reuses-cards"]


@having("sequence_then_marriage")
@pytest.mark.parametrize("allowed", [True, False])
def test_a15_sequence_then_marriage(sheet, allowed):
    row = "AH TH JH KH QH"
    if captures(sheet):  # its king with a queen won later
        won = ("AH", f"sequence {row} 250"), ("QH", "marriage KH QH 40")
        told = capturing("TH JH KH QH", *won, sequence_then_marriage=allowed)
    else:
        melds = f"sequence {row} 250", "marriage KH QH 40"
        told = melding(row, *melds, sheet=sheet, sequence_then_marriage=allowed)
    assert told.codes == ([] if allowed else REUSED)


FOUR = "QS QS JD JD"


@having("singles_then_double", of_held_cards=True)
@pytest.mark.parametrize("allowed", [True, False])
def test_a17_singles_then_double(sheet, allowed):
    single = f"bezique QS JD {worth('bezique', sheet)}"
    melds = single, single, f"double_bezique {FOUR}"
    told = melding(FOUR, *melds, sheet=sheet, singles_then_double=allowed)
    assert told.codes == ([] if allowed else REUSED)


@having("double_then_single", of_held_cards=True)
@pytest.mark.parametrize("allowed", [True, False])
def test_a18_double_then_single(sheet, allowed):
    melds = f"double_bezique {FOUR}", f"bezique QS JD {worth('bezique', sheet)}"
    told = melding(FOUR, *melds, sheet=sheet, double_then_single=allowed)
    assert told.codes == ([] if allowed else REUSED)


@pytest.mark.parametrize("allowed", [True, False])
def test_a17_a18_of_captured_cards_neither_comes_up(allowed):
    """Two packs have four of these cards: once all are won, none is new, and a meld needs a new one."""
    single = "bezique QS JD 40"
    after = ("AS", f"double_bezique {FOUR}")
    up = capturing("QS QS", ("JD", single), ("JD", single), after, singles_then_double=allowed)
    down = capturing(
        "QS QS JD", ("JD", f"double_bezique {FOUR} 350"), ("AS", single), double_then_single=allowed
    )
    assert up.codes == down.codes == REUSED


@having("card_leaves_by")
@pytest.mark.parametrize(
    ("leaves_by", "codes"), [("played_or_melded", []), ("played", ["meld-reuses-cards"])]
)
def test_a20_card_leaves_by(sheet, leaves_by, codes):
    """The king of the marriage scores with three others: the marriage may be formed with another king."""
    told = melding(
        "KH QH KS KD KC KH", "marriage KH QH 40", "four_kings KH KS KD KC 80", "marriage KH QH 40",
        sheet=sheet, card_leaves_by=leaves_by,
    )  # fmt: skip
    assert told.codes == codes


# trumps_by: a meld shown, or only one that scores


@having("trumps_by")
@pytest.mark.parametrize(("by", "trump", "taker"), [("laid", "S", "S"), ("scored", None, "N")])
def test_a46_trumps_by(sheet, by, trump, taker):
    """A marriage of spades is shown; then a spade is played on a diamond led."""
    position = "N: KS QS 9D 8D | S: 8C 7S 7C | stock 20 | N leads"
    told = f"""N 9D, S 8C, N takes, N shows marriage KS QS, N draws 7C, S draws 7D,
        N 8D, S 7S, {taker} takes"""
    heard = table(position, told, sheet=sheet, trumps_by=by)
    assert (heard.codes, heard.position.trump) == ([], trump)


# settlement: the numbers of the Portland laws, below and above each rubicon


@having("settlement")
def test_a29_the_portland_terms(sheet):
    """500 and the difference, at least 100; rubiconed 1,300 and the sum, 100 more below 100."""
    game = _deal(get_sheet(sheet))
    last = get_sheet(sheet).rules.bonuses[0].points
    for loser, winner in (
        (game.rubicon, game.rubicon + 330),
        (game.rubicon + 20, game.rubicon + 50),
    ):
        report = _ends(sheet, winner - last, loser).report
        assert report.settlement == [500 + max(100, winner // 100 * 100 - loser // 100 * 100), 0]
    for loser in (game.rubicon - 10, 90, 100):
        extra = 100 if loser < 100 else 0
        report = _ends(sheet, game.rubicon + 40 - last, loser).report
        total = 1300 + game.rubicon + loser // 100 * 100
        assert report.settlement == [total + extra, 0]


def _deal(sheet: RuleSheet) -> OneDeal:
    assert isinstance(sheet.rules.match, OneDeal)
    return sheet.rules.match


def _ends(sheet: str, north: int, south: int) -> Told:
    position = f"N: 9S | S: 8S | trump H | scores {north} {south} | N leads"
    return table(position, "N 9S, S 8S", sheet=sheet, settlement="portland")


# last_tricks_bonus stands in test_bonuses


def test_every_option_of_more_than_one_sheet_is_tested_in_each() -> None:
    names = [option.name for sheet in ALL_SHEETS for option in sheet.options]
    shared = {name for name in names if names.count(name) > 1}
    assert shared - TESTED == {"last_tricks_bonus"}
