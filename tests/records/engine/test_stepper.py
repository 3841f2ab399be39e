"""The stepper: draws that a record leaves out, the stop at what cannot be, and that nobody folds events beside it."""

import ast
from pathlib import Path

import pytest

from records.engine.deal import lay_out_deal
from records.engine.stepper import unchecked_stepper
from records.engine.table import Table, TableStep
from records.events import Draw, Play
from records.rules.compiled import compile_sheet
from records.rules.registry import resolve_sheet
from records.validate.dispatch import checking_stepper
from tests.make.tables import NAMES, deal_of, events_of, play_with_stock

ROOT = Path(__file__).parents[3]
POSITION = "N: 9D KH | S: 8D 8C | trump H | turn-up 9H | stock 4 | N leads"
STOCK = ["7H", "QC", "JC", "TC"]
FIRST_TRICK = "N 9D, S 8D, N takes"


def laid_out(told: str, **changes: object) -> Table:
    deal = deal_of(POSITION, told)
    deal.knowledge, deal.stock = "full", list(STOCK)
    for name, value in changes.items():
        setattr(deal, name, value)
    return lay_out_deal(compile_sheet(resolve_sheet("zique", None, {}).sheet), deal, list(NAMES))


def test_draws_that_are_not_written_come_before_the_next_card():
    table = laid_out(FIRST_TRICK)
    stepper = unchecked_stepper(table)
    for event in events_of(FIRST_TRICK):
        stepper.advance(event)
    assert (table.step, table.draws_due, table.stock.next_card()) == (TableStep.DRAW, (0, 1), "7H")
    stepper.advance(Play(seat=0, card="7H"))
    assert table.held == [{"KH": 1}, {"8C": 1, "QC": 1}]
    assert (table.stock.left, table.stock.next_card()) == (2, "JC")


def test_the_table_after_the_draws_is_a_copy():
    table = laid_out(FIRST_TRICK)
    stepper = unchecked_stepper(table)
    assert stepper.table_after_draws() is table
    for event in events_of(FIRST_TRICK):
        stepper.advance(event)
    drawn = stepper.table_after_draws()
    assert (drawn.step, drawn.held[0]) == (TableStep.LEAD, {"KH": 1, "7H": 1})
    assert (table.step, table.held[0]) == (TableStep.DRAW, {"KH": 1})


def test_draws_that_are_written_are_not_made_twice():
    told = f"{FIRST_TRICK}, N draws 7H, S draws QC, N KH"
    table = laid_out(told)
    stepper = checking_stepper(table)
    assert [stepper.advance(event) for event in events_of(told)] == [()] * 6
    assert table.stock.left == 2


def test_where_draws_are_written_a_missing_one_is_missed_before_the_first_is_written():
    """A line may end before the first draw, so its events alone do not say that draws are written."""
    assert laid_out(FIRST_TRICK).knowledge.omits_draws
    deal = deal_of(POSITION, FIRST_TRICK)
    deal.knowledge, deal.stock = "full", list(STOCK)
    rules = compile_sheet(resolve_sheet("zique", None, {}).sheet)
    table = lay_out_deal(rules, deal, list(NAMES), writes_draws=True)
    stepper = checking_stepper(table)
    for event in deal.events:
        stepper.advance(event)
    (breach,) = stepper.advance(Play(seat=0, card="KH"))
    assert breach.code == "draw-missing"


def test_what_cannot_have_happened_changes_nothing_and_stops_the_deal():
    table = laid_out("")
    stepper = checking_stepper(table)
    (breach,) = stepper.advance(Play(seat=0, card="AS"))
    assert breach.code == "card-not-held"
    assert (stepper.stopped, table.step, table.trick.led) == (True, TableStep.LEAD, None)
    assert table.knowledge.uncertain


def test_what_is_illegal_and_can_have_happened_is_applied():
    table = laid_out("")
    stepper = checking_stepper(table)
    (breach,) = stepper.advance(Play(seat=1, card="8D"))
    assert breach.code == "out-of-turn"
    assert (stepper.stopped, table.trick.led) == (False, "8D")


@pytest.mark.parametrize(
    ("left", "order", "turn_up", "expected"),
    [
        (2, ["AS", "KS", "QS"], "9H", "KS"),
        (3, None, "9H", None),
        (3, ["AS"], "9H", None),  # the record writes too few cards: nobody knows the top
        (0, [], "9H", "9H"),
        (0, None, None, None),
    ],
)
def test_the_next_card_of_the_stock(left, order, turn_up, expected):
    table = laid_out("")
    table.stock.left, table.stock.order, table.stock.turn_up = left, order, turn_up
    assert table.stock.next_card() == expected


def test_a_deal_with_and_without_its_draws_is_one_deal():
    game = play_with_stock("bezique", seed=2)
    deal = game.deals[0]
    rules = compile_sheet(resolve_sheet("bezique", None, {}).sheet)
    tables = [lay_out_deal(rules, deal, list(NAMES)) for _ in range(2)]
    silent, written = map(unchecked_stepper, tables)
    for event in deal.events:
        while isinstance(event, Play) and tables[1].draws_due:
            card = tables[1].stock.next_card()
            assert card is not None
            written.advance(Draw(seat=tables[1].draws_due[0], card=card))
        silent.advance(event)
        written.advance(event)
        assert tables[0].points == tables[1].points
    assert tables[0].held == tables[1].held
    assert tables[0].won == tables[1].won


def test_nobody_else_folds_events():
    """Only the stepper looks up effects, and only what makes a checking stepper looks up checks."""
    allowed = {
        "acts_at": {"records/engine/effects.py", "records/engine/stepper.py"},
        "checks_at": {"records/validate/dispatch.py"},
    }
    for name, places in allowed.items():
        users = {
            str(path.relative_to(ROOT))
            for package in ("records", "analyzer", "webui")
            for path in (ROOT / package).rglob("*.py")
            if name in (text := path.read_text(encoding="utf-8"))
            for node in ast.walk(ast.parse(text))
            if name in (getattr(node, "id", None), getattr(node, "name", None))
        }
        assert users == places
