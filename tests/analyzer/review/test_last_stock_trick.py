"""The last trick before the close: on real deals, the mean over the possible face-down cards, and why it is missing."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from analyzer.play import worlds
from analyzer.play.worlds import ShownCards
from analyzer.review import reviewer
from analyzer.review.annotation import AnalysisTerms, DealAnnotation, annotate
from analyzer.review.last_stock_trick import WHY_NOT_VALUED, LastStockTrickWatch, gap_sentences
from analyzer.solver import close
from records.events import AnyEvent, Draw, Irregular, Meld, Play
from records.record import Deal, Record, Setup
from records.replay import replay
from records.selfplay import play_game
from tests.analyzer.review.last_trick_deals import compare_decisions, real_deal, valued

RUNS = [
    ("marjolet", {}, 9, ("lead", "reply")),
    ("marjolet-oxford", {}, 16, ("lead", "reply")),
    ("bezique", {}, 18, ("reply",)),
    ("bezique-enhanced", {}, 0, ("reply",)),
    # The last face-down card is like the turn-up.
    ("bezique-enhanced", {}, 21, ("reply",)),
    ("zique", {}, 0, ("reply",)),
    ("polish-bezique", {"meld_after_close": False}, 1, ("reply",)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("sheet", "options", "seed", "kinds"), RUNS)
def test_values_on_real_deals_equal_an_enumeration_of_all_worlds(sheet, options, seed, kinds):
    """`make soak ARGS=--last-tricks` compares 300 decisions."""
    compared, wrong = compare_decisions(real_deal(sheet, seed, options), kinds)
    assert compared == len(kinds)
    assert not wrong


@pytest.mark.slow
def test_the_comparison_finds_an_exchanged_turn_up_that_counts_as_unseen(monkeypatch):
    """In these two deals a seat has taken the turn-up in exchange and still holds it."""
    monkeypatch.setattr(worlds, "SHOWN_BITS", worlds.LAID_BIT)
    monkeypatch.setattr(ShownCards, "read", lambda self, event, table: None)
    for sheet, seed, kind in (("marjolet", 9, "lead"), ("bezique", 18, "reply")):
        compared, wrong = compare_decisions(real_deal(sheet, seed, {}), (kind,))
        assert compared == 1
        assert wrong


@pytest.mark.parametrize(
    "sheet", ["bezique", "bezique-enhanced", "zique", "marjolet", "marjolet-oxford"]
)
def test_both_decisions_are_valued_within_the_limit_of_a_page(sheet):
    """A page searches 8,000 positions of a close."""
    record = play_game(sheet, seed=0, deals=1)
    (deal,) = annotate(record, terms=AnalysisTerms(positions=8_000)).deals
    plays = [
        (number, event.seat)
        for number, event in enumerate(record.deals[0].events)
        if isinstance(event, Play)
    ]
    hands = 2 * len((record.deals[0].hands or [[]])[0])
    assert [(each.event, each.seat) for each in deal.brink] == plays[-hands - 2 : -hands]
    assert deal.brink_gaps == []
    for each in deal.brink:
        values = [way.value for way in each.ways]
        assert values == sorted(values, reverse=True)
        assert each.lost >= 0


@pytest.mark.long
def test_draws_that_are_not_written_change_nothing():
    record = real_deal("marjolet", 9, {})
    (deal,) = record.deals
    drawn = [event.card for event in deal.events if isinstance(event, Draw)]
    unwritten = msgspec.structs.replace(
        deal,
        stock=drawn[:-1],
        events=[event for event in deal.events if not isinstance(event, Draw)],
    )
    without = msgspec.structs.replace(record, deals=[unwritten])
    assert [each.ways for each in valued(without)] == [each.ways for each in valued(record)]
    assert len(valued(without)) == 2


def test_cards_seen_in_a_meld_that_is_withdrawn_are_known():
    record = play_game("bezique", seed=3, deals=1)
    (deal,) = record.deals
    at, meld = next((n, e) for n, e in enumerate(deal.events) if isinstance(e, Meld))
    ruling = Irregular(seat=meld.seat, what="withdrawn_meld")
    events = [*deal.events[: at + 1], ruling]
    shown = ShownCards()
    for frame in replay(with_events(record, events)):
        shown.read(frame.event, frame.table)
    table = frame.table
    assert not worlds.surely_shown(table, meld.seat)
    assert shown.of(table, meld.seat) == Counter(meld.cards)


def test_the_table_is_left_as_it_is():
    def points(*, watched: bool) -> Iterator[tuple[list[int], int]]:
        watch = LastStockTrickWatch(None)
        for frame in replay(play_game("bezique", seed=2, deals=1)):
            if watched:
                watch.read(frame)
            yield list(frame.table.points), frame.table.hand_count(0)

    assert list(points(watched=True)) == list(points(watched=False))


# -- why it is not valued


def with_events(record: Record, events: list[AnyEvent]) -> Record:
    deal = msgspec.structs.replace(record.deals[0], events=events, claims=None)
    return msgspec.structs.replace(record, deals=[deal], result=None)


def notes(record: Record, **terms: object) -> DealAnnotation:
    return annotate(record, terms=AnalysisTerms(**terms)).deals[0]  # type: ignore[arg-type]


def reasons(deal: DealAnnotation) -> list[str]:
    for gap in deal.brink_gaps:
        assert gap.why_not.endswith(".")
        assert "{" not in gap.why_not
    return [gap.reason for gap in deal.brink_gaps]


def test_without_a_turn_up_two_cards_lie_face_down():
    deal = notes(play_game("rubicon-bezique", seed=1), positions=100)
    assert reasons(deal) == ["no-turn-up"]
    assert deal.brink_gaps[0].why_not == (
        "The last trick before the close is not valued: no card is turned up in this game, so two cards lie face "
        "down and not one."
    )


def test_it_may_be_left_out_on_request():
    assert reasons(notes(real_deal("marjolet", 0, {}), brink=False)) == ["not-asked"]


def test_unknown_cards_leave_it_open():
    record = real_deal("marjolet", 0, {})
    (deal,) = record.deals
    hands = [list((deal.hands or [])[0]), ["??"] * 6]
    hidden = msgspec.structs.replace(deal, hands=hands, claims=None)
    hidden.events[:] = deal.events
    assert reasons(notes(msgspec.structs.replace(record, deals=[hidden]))) == ["unknown-cards"]


def test_cards_that_a_hand_cannot_have_leave_it_out():
    record = real_deal("marjolet", 0, {})
    (deal,) = record.deals
    hands = [list(hand) for hand in deal.hands or []]
    hands[0].append("7S")
    crowded = msgspec.structs.replace(deal, hands=hands)
    assert reasons(notes(msgspec.structs.replace(record, deals=[crowded]))) == ["impossible-cards"]


def test_a_record_that_ends_before_it_or_in_it():
    record = real_deal("marjolet", 0, {})
    events = record.deals[0].events
    assert reasons(notes(with_events(record, list(events[:10])))) == ["ends-before"]
    reply = valued(record)[1]
    assert reasons(notes(with_events(record, list(events[: reply.event + 1])))) == ["ends-before"]


def test_a_record_that_begins_after_it():
    record = real_deal("marjolet", 0, {})
    setup = Setup(hands=[["AS", "KH"], ["TS", "QH"]], seat=0, stock=0, trump="S")
    plays = [Play(seat=0, card="AS"), Play(seat=1, card="TS")]
    deal = Deal(dealer=1, knowledge="full", setup=setup, events=plays)
    assert reasons(notes(msgspec.structs.replace(record, deals=[deal], result=None))) == [
        "begins-after"
    ]


@pytest.mark.long
def test_a_card_played_out_of_turn_has_no_value():
    record = real_deal("marjolet", 0, {})
    events = list(record.deals[0].events)
    lead, reply = valued(record)
    events[lead.event : reply.event + 1] = [events[reply.event], events[lead.event]]
    deal = notes(with_events(record, events))
    assert reasons(deal)[0] == "not-to-play"
    assert deal.brink_gaps[0].event == lead.event


def test_too_many_readings_leave_it_out(monkeypatch):
    monkeypatch.setattr(close, "MOST_READINGS_SOLVED", 0)
    assert reasons(notes(real_deal("zique", 0, {}))) == ["too-many-readings"] * 2


def test_a_search_that_reaches_its_limit_says_how_far_it_came():
    deal = notes(real_deal("polish-bezique", 1, {}), positions=400)
    assert reasons(deal) == ["too-many-positions"] * 2
    assert [gap.done for gap in deal.brink_gaps] == [0, pytest.approx(0, abs=0.5)]
    assert "% of the cases were solved" in deal.brink_gaps[0].why_not


def test_one_sentence_tells_one_reason():
    gaps = notes(real_deal("polish-bezique", 1, {}), positions=4).brink_gaps
    assert gap_sentences(gaps) == [
        "The last trick before the close is not valued: it has more positions than the search may examine (0% of the "
        "cases were solved)."
    ]
    assert len(gap_sentences([gaps[0], msgspec.structs.replace(gaps[1], done=0.2)])) == 2


def test_a_reply_is_valued_where_only_the_lead_takes_too_long():
    deal = notes(real_deal("marjolet", 0, {}), positions=2_400)
    assert reasons(deal) == ["too-many-positions"]
    (gap,), (decision,) = deal.brink_gaps, deal.brink
    assert gap.event is not None
    assert gap.event < decision.event
    assert 0 < gap.done < 1


@pytest.mark.long
def test_all_deals_of_a_record_share_one_limit(monkeypatch):
    monkeypatch.setattr(reviewer, "MOST_DEALS_SEARCHED_FULLY", 2)
    record = play_game("marjolet", seed=1)
    assert len(record.deals) > 2
    deals = annotate(record, terms=AnalysisTerms(positions=3_000)).deals
    assert (len(deals[0].brink), len(deals[-1].brink)) == (2, 0)
    assert reasons(deals[-1]) == ["too-many-positions"] * 2


def test_every_reason_has_a_test():
    text = Path(__file__).read_text(encoding="utf-8")
    assert not [reason for reason in WHY_NOT_VALUED if f'"{reason}"' not in text]
