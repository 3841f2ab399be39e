"""A game of every rulebook can be shown step by step, with all its cards."""

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from records.engine.choices import legal_choices
from records.format import codec
from records.record import Record
from records.replay import replay
from records.rules.registry import ALL_SHEETS, get_sheet, resolve_sheet
from records.selfplay import play_game
from tests.make.tables import table
from webui.replay.layout import legal_options
from webui.replay.steps import DealSteps, read_deal_steps

ROOT = Path(__file__).parents[2]


def cards_in(step):
    for seat in step.seats:
        yield from seat.hand
        for group in seat.laid:
            yield from group.cards
    for group in step.tableau:
        yield from group.cards


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_a_game_of_every_sheet_can_be_stepped_through(sheet):
    record = play_game(sheet.id, seed=1, deals=2)
    resolved = resolve_sheet(sheet.id, None, {})
    for number, deal in enumerate(record.deals):
        shown = read_deal_steps(record, resolved, number)
        assert len(shown.steps) == len(deal.events) + 2
        assert not shown.findings
        for step in shown.steps:
            assert step.say
            assert {item.split()[0] for item in cards_in(step)} <= shown.cards.keys()
            assert step.heading


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_no_card_is_shown_more_often_than_the_pack_has_it(sheet):
    record = play_game(sheet.id, seed=2, deals=1)
    copies = Counter()
    for suit in "SHDC":
        for rank in sheet.rules.pack.ranks:
            copies[rank + suit] = sheet.rules.pack.packs + (suit in sheet.rules.pack.doubled_suits)
    for step in read_deal_steps(record, resolve_sheet(sheet.id, None, {}), 0).steps:
        placed = [item.split() for item in cards_in(step)]
        shown = Counter(words[0] for words in placed if not {"half", "either"} & {*words})
        assert not shown - copies
        assert bool(step.out) == bool(step.tableau)
        if step.tableau:
            out = int(step.out.removesuffix(" out of the game").split()[0])
            assert len(placed) + step.stock + out == copies.total()


# partners, captured cards, choices


SIX_IN_TWOS = ROOT / "samples" / "good" / "zetema-6-in-twos.json"


def steps_of_sample(path: Path) -> tuple[Record, DealSteps]:
    record = codec.decode(path.read_bytes()).record
    return record, read_deal_steps(
        record, resolve_sheet(record.rules.id, None, record.rules.options), 0
    )


def test_partners_know_each_other_and_have_one_total():
    record, deal = steps_of_sample(SIX_IN_TWOS)
    names = [player.name for player in record.players]
    assert deal.sides == [0, 1, 2, 0, 1, 2]
    assert deal.partners == [f"with {names[(seat + 3) % 6]}" for seat in range(6)]
    for step in deal.steps:
        for seat in range(3):
            mine, yours = step.seats[seat], step.seats[seat + 3]
            assert mine.total == yours.total == mine.points + yours.points


def test_three_partners_are_named_together():
    _, deal = steps_of_sample(SIX_IN_TWOS.with_name("zetema-6-in-threes.json"))
    assert deal.sides == [0, 1, 0, 1, 0, 1]
    assert deal.partners[0] == "with Cleo and Eve"


def test_single_players_have_no_partner_and_their_own_total():
    record = play_game("bezique", seed=3, deals=2)
    resolved = resolve_sheet("bezique", None, {})
    assert read_deal_steps(record, resolved, 0).partners == ["", ""]
    first, second = (read_deal_steps(record, resolved, number).steps for number in (0, 1))
    for seat in range(2):
        assert (
            second[0].seats[seat].total - second[0].seats[seat].points
            == first[-1].seats[seat].points
        )


def test_cards_won_that_are_in_no_meld_lie_apart_by_suit():
    record = play_game("polish-bezique", seed=1, deals=1)
    ranks = get_sheet("polish-bezique").rules.pack.ranks
    seen = False
    for step in read_deal_steps(record, resolve_sheet("polish-bezique", None, {}), 0).steps:
        for seat in step.seats:
            kinds = [group.kind for group in seat.laid]
            assert kinds == sorted(kinds)
            for group in seat.laid:
                if group.kind == "won":
                    seen = True
                    places = [("SHCD".index(card[1]), ranks.index(card[0])) for card in group.cards]
                    assert places == sorted(places)
    assert seen


def test_a_meld_that_can_be_made_in_several_ways_is_told_once():
    told = table("N: AS AS AH AD AC | S: 7S 8S 9S 7D 8D | trump C | stock 20 | N won")
    ways = {(meld.words, meld.points) for meld in told.choices.melds}
    assert len(told.choices.melds) > len(ways)
    (aces,) = legal_options(told.choices)
    assert (aces.words, aces.points, aces.ways) == ("four aces", 100, len(told.choices.melds))


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_what_may_be_done_is_that_of_the_table_at_every_step(sheet):
    """Claims change nothing, so that the choices before them are those after them."""
    record = play_game(sheet.id, seed=4, deals=1)
    steps = read_deal_steps(record, resolve_sheet(sheet.id, None, {}), 0).steps
    frames = (as_told(legal_choices(frame.table)) for frame in replay(record))
    for step, legal in zip(steps[:-1], islice(frames, len(steps) - 1), strict=True):
        assert (step.plays, [(o.words, o.ways) for o in step.options]) == legal


def as_told(legal):
    return legal.plays, [(option.words, option.ways) for option in legal_options(legal)]
