"""A position that lists a card in two melds: one that served in both, or two copies; the record decides, if anything."""

import pytest
from msgspec.structs import replace

from records.events import Play
from records.rules.registry import get_sheet, sheet_replaced
from records.rules.vocabulary import DixRule, Window
from records.selfplay import play_game
from records.validator import check_record
from tests.make.tables import table

RUBICON = {"sheet": "rubicon-bezique"}
SEVEN_HEARTS = "7H 8H 9H TH JH 7D 8D"


def test_of_even_hands_a_card_in_two_melds_is_one():
    """North has the queen once: with her the hands are even."""
    position = (
        f"N: 7S 8S 9S AC | N lays marriage KS QS | N lays bezique QS JD | S: {SEVEN_HEARTS}"
        " | trump C | stock 60 | N leads"
    )
    told = table(position, "N QS, S 7H, N takes, N draws 7C, S draws 7C, N QS", **RUBICON)
    told.only("card-not-held")


def test_a_seat_that_lacks_a_card_has_both_copies():
    position = (
        f"N: 7S 8S 9S | N lays marriage KS QS | N lays bezique QS JD | S: {SEVEN_HEARTS}"
        " | trump C | stock 60 | N leads"
    )
    told = table(position, "N QS, S 7H, N takes, N draws 7C, S draws 7C, N QS", **RUBICON)
    assert told.codes == []


def test_where_both_seats_may_have_more_nothing_is_said():
    """Whether each has one queen or two stays open, and neither play of the second is refused."""
    position = (
        "N: 7S 8S 9S AS AD | N lays marriage KS QS | N lays bezique QS JD"
        " | S: 7H 8H 9H | S lays marriage KH QH | S lays four_queens QH QD QC QC"
        " | trump C | stock 40 | N leads"
    )
    told = "N QS, S QH, N takes, N draws 7C, S draws 7C, N QS, S QH"
    assert "card-not-held" not in table(position, told, **RUBICON).codes


def test_a_card_has_left_a_marriage_for_a_meld_that_is_broken_now():
    """R-RUB: the queen scored in four queens after the marriage, so the king may marry again."""
    position = (
        "N: AH.2 AS.3 | N lays marriage KS.1 QS.2 | N lays four_queens QH.4 QS.1 QS.2"
        " | S: AH.3 AH.4 AS.2 KH.4 QH.2 TH.4 | trump H | stock 60 | N won"
    )
    assert table(position, "N melds marriage KS.1 QS.1 20", **RUBICON).codes == []


def test_which_of_two_seats_has_spent_its_seven_is_open():
    position = "N: 7H 8C | S: 7H 9D | trump H | stock 3 | turn-up 9H | spent 7H | N won"
    assert table(position, "N dix show 10").codes == []
    assert table(position.replace("N won", "N leads"), "N 7H, N dix play 10").codes == []
    both = position.replace("spent 7H", "spent 7H 7H")
    table(both, "N dix show 10").only("dix-spent")
    own = position.replace("S: 7H", "S: 7S")
    table(own, "N dix show 10").only("dix-spent")
    hidden = position.replace("S: 7H", "S: ??")
    assert table(hidden, "N dix show 10", knowledge=None).codes == []


def test_a_card_in_two_beziques_has_left_the_broken_one():
    """R-001, A-47: the second bezique took the place of the first, whose jack was played, and may grow."""
    position = (
        "N: JD QS KC KH | N lays bezique QS | N lays bezique QS JD | S: 7H 8H 9H TH 7C 8C"
        " | trump S | stock 60 | N won"
    )
    told = table(position, "N melds double_bezique QS QS JD JD 500", sheet="six-pack-bezique")
    assert told.codes == []


@pytest.mark.long
@pytest.mark.parametrize("seed", [5, 15, 21])
def test_where_readings_were_left_out_none_is_found_legal_by_that(seed: int):
    """With a seven of trumps in the rules, games with six packs have more readings than are followed.

    A card that was played from the table and cannot lie there is illegal, or stays open.
    """
    sheet = get_sheet("chinese-bezique")
    dix = DixRule(
        points=0, exchange=Window.NEVER, show=Window.NEVER, played=False, in_last_tricks=True,
        once_per_card=True, exchange_is_the_meld=False, spent_exchanges=True,
    )  # fmt: skip
    game = play_game(sheet.id, seed=seed, deals=1, where=True)
    (deal,) = game.deals
    plays = [at for at, event in enumerate(deal.events) if isinstance(event, Play)][-60::6]
    told = []
    for at in plays:
        events = [*deal.events]
        events[at] = replace(events[at], source="table")
        record = replace(game, deals=[replace(deal, events=events)], result=None)
        with sheet_replaced(replace(sheet, rules=replace(sheet.rules, dix=dix))):
            verdict = check_record(record).verdict
        told.append((check_record(record).verdict, verdict))
    assert ("illegal", "legal") not in told
    assert ("illegal", "undetermined") in told
