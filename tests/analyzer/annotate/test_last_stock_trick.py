"""The last trick before the close: the mean over the possible face-down cards agrees with exhaustive search."""

from fractions import Fraction
from itertools import islice

import pytest

from analyzer.annotate.annotator import annotate
from analyzer.annotate.last_stock_trick import LastStockDecision, LastStockTrickWatch
from records.engine.deal import lay_out_deal
from records.engine.table import Table
from records.events import Play
from records.record import Deal, Player, Record, Rules, Setup
from records.replay import Match, replay
from records.rules.registry import resolve_sheet
from records.selfplay import play_game
from tests.analyzer.annotate.minimax import Minimax, dixes_to_come, unshown
from tests.tables import NAMES

HANDS = [["AS", "KH", "9D"], ["TS", "QH", "7D"]]


def position(
    hands: list[list[str]], face_down: str, sheet: str, turn_up: str, **options: bool
) -> Table:
    """Seat 0 leads to the last trick of the stock."""
    record = Record(
        format="bezique-record",
        version="1.0",
        rules=Rules(id=sheet, options=options),
        players=[Player(name=name) for name in NAMES],
    )
    setup = Setup(hands=hands, seat=0, stock=1, trump=turn_up[1], turn_up=turn_up)
    match = Match(record, resolve_sheet(sheet, None, options))
    table = lay_out_deal(match.rules, Deal(dealer=1, knowledge="full", setup=setup), match.names)
    table.stock.order = [face_down]
    return table


@pytest.mark.parametrize("sheet", ["bezique", "bezique-enhanced", "marjolet", "zique"])
def test_it_is_the_mean_of_all_cases(sheet):
    """North sees his own hand only: the 8 of clubs may be any of four cards."""
    table = position(HANDS, "8C", sheet, "8S")
    unseen = [*HANDS[1], "8C"]
    totals: dict[str, int] = {}
    for card in unseen:
        theirs = [other for other in unseen if other != card]
        case = position([HANDS[0], theirs], card, sheet, "8S")
        for event, value in Minimax().ways(case):
            totals[event.card] = totals.get(event.card, 0) + value
    wanted = {card: float(round(Fraction(total, 4), 2)) for card, total in totals.items()}
    found = weighed(table, "AS", "8C")
    assert {way.card: way.value for way in found.ways} == wanted
    assert found.cards == 4
    assert found.lost == pytest.approx(max(wanted.values()) - wanted["AS"])


SEVENS = [["AS", "7S", "9D"], ["7S", "QH", "7D"]]


@pytest.mark.parametrize(
    ("sheet", "options"),
    [
        ("bezique-enhanced", {"dix_once_per_card": False}),
        ("bezique-enhanced", {"dix_in_last_tricks": False}),
        ("polish-bezique", {"dix_once_per_card": False}),
        ("marjolet-oxford", {"dix_once_per_card": False}),
        ("zique", {"dix": True}),
    ],
    ids=str,
)
def test_it_is_the_mean_where_sevens_score(sheet, options):
    """In Zique they may be shown at any time: that is no part of the choice, unless the seven lies face down."""
    table = position(SEVENS, "8C", sheet, "8S", **options)
    unseen = [*SEVENS[1], "8C"]
    totals: dict[str, int] = {}
    for card in unseen:
        theirs = [other for other in unseen if other != card]
        case = position([SEVENS[0], theirs], card, sheet, "8S", **options)
        apart = dixes_to_come(case) if sheet == "zique" else 0
        for event, value in Minimax().ways(case):
            if isinstance(event, Play):
                value += unshown(case, event) - apart
                totals[event.card] = totals.get(event.card, 0) + value
    wanted = {card: float(round(Fraction(total, 4), 2)) for card, total in totals.items()}
    assert {way.card: way.value for way in weighed(table, "AS", "8C").ways} == wanted


def weighed(table: Table, card: str, face_down: str) -> LastStockDecision:
    watch = LastStockTrickWatch(None)
    watch._played.append((0, table.copy(), card))
    watch._value_decisions(face_down)
    (found,) = watch.found
    return found


def test_cards_that_lie_on_the_table_do_not_lie_face_down():
    sizes = set()
    for seed in range(4):
        for deal in annotate(play_game("bezique", seed=seed, deals=2)).deals:
            assert [each.seat for each in deal.brink] in ([0, 1], [1, 0])
            sizes |= {each.cards for each in deal.brink}
            for each in deal.brink:
                assert 1 <= each.cards <= 9
                assert each.lost >= 0
                values = [way.value for way in each.ways]
                assert values == sorted(values, reverse=True)
    assert min(sizes) < 9


def test_only_the_two_choices_of_one_trick_are_weighed():
    record = play_game("bezique", seed=1, deals=1)
    (deal,) = annotate(record).deals
    plays = [i for i, event in enumerate(record.deals[0].events) if isinstance(event, Play)]
    assert [each.event for each in deal.brink] == plays[46:48]


def test_games_with_two_cards_face_down_have_none():
    assert annotate(play_game("rubicon-bezique", seed=1)).deals[0].brink == []


def test_the_table_is_left_as_it_is():
    watch = LastStockTrickWatch(2_000)
    frames = replay(play_game("bezique", seed=2, deals=1))
    for frame in islice(frames, 400):
        watch.read(frame)
    assert len(watch.found) == 2


def test_it_names_the_meld_that_the_trick_decides():
    """Who takes it may marry: North with the ace of spades, South if North leads the 9."""
    hands = [["AS", "KH", "QH", "9D"], ["TS", "KC", "QC", "TD"]]
    ways = {
        way.card: way for way in weighed(position(hands, "8C", "bezique", "8S"), "AS", "8C").ways
    }
    assert ways["AS"].meld.words == "common marriage"
    assert ways["AS"].theirs is None
    assert (ways["9D"].meld.name, ways["9D"].theirs.name) == ("marriage", "marriage")
    assert ways["9D"].theirs.cards == ("KC", "QC")
