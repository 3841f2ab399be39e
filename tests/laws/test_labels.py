"""A-49: a label names one physical card; where the pack has one copy, `.1` is that copy; there are no others."""

from collections.abc import Callable
from random import Random

import msgspec
import pytest

from records.cards import MAX_COPIES
from records.events import Dix, Play
from records.format.codec import decode, encode
from records.record import Deal, Line, Player, Record, Rules, Setup
from records.rules.registry import ALL_SHEETS, get_sheet
from records.validator import check, check_record
from tests.make.tables import record_of, table
from tests.make.turns import turns
from tests.playouts.games import STANDARD, Way

CARDS = ("captured", "card", "cards", "from_tableau", "hands", "spent_dixes", "stock", "tableau", "trick",
         "turn_up")  # fmt: skip
ONE_PACK = [way for way in STANDARD if way.sheet.rules.pack.packs == 1]
LABELLED = [
    way for way in STANDARD if way.sheet.rules.pack.packs > 1 or way.sheet.rules.pack.doubled_suits
]


def renamed(record: Record, name: Callable[[str], str]) -> Record:
    """The record with every card in its deals written in another way."""

    def walk(value, *, cards=False):
        if isinstance(value, dict):
            return {member: walk(part, cards=member in CARDS) for member, part in value.items()}
        if isinstance(value, list):
            return [walk(part, cards=cards) for part in value]
        return name(value) if cards and isinstance(value, str) else value

    plain = msgspec.json.decode(encode(record))
    return msgspec.convert({**plain, "deals": walk(plain["deals"])}, Record)


def codes(record: Record) -> list[str]:
    return [
        finding.code for finding in check_record(record).findings if finding.severity == "illegal"
    ]


def label_all(card: str) -> str:
    return card if len(card) > 2 or "?" in card else f"{card}.1"


@pytest.mark.parametrize("way", ONE_PACK, ids=str)
@pytest.mark.parametrize("style", ["greedy", "random"])
def test_a49_a_card_of_which_there_is_one_may_be_labelled(way: Way, style):
    plain = way.play(7, style, deals=1, labels=True)
    report = check_record(plain)
    random = Random(f"{way} {style}")
    for label in (label_all, lambda card: random.choice([card, label_all(card)])):
        labelled = renamed(plain, label)
        again = check(encode(labelled))
        assert (again.verdict, again.scores) == (report.verdict, report.scores)
        assert [f.code for f in again.findings] == [f.code for f in report.findings]
        assert encode(decode(encode(labelled)).record) == encode(labelled)


@pytest.mark.parametrize(
    "hide", [lambda card: card[0] + "?", lambda card: "?" + card[1]], ids=["ranks", "suits"]
)
@pytest.mark.parametrize("way", LABELLED, ids=str)
def test_labels_in_events_count_where_hands_show_ranks_or_suits_alone(way: Way, hide):
    record = way.play(1, "greedy", deals=1, labels=True)
    for deal in record.deals:
        deal.hands = [[hide(card) for card in hand] for hand in deal.hands]
    assert check(encode(record)).verdict == "undetermined"


@pytest.mark.parametrize("way", LABELLED, ids=str)
def test_a49_a_dealt_card_renamed_beyond_the_pack_is_found(way: Way):
    random = Random(str(way))
    for seed in range(2):
        record = way.play(seed, "greedy", deals=1, labels=True)
        dealt = [card for hand in record.deals[0].hands for card in hand]
        card = random.choice([card for card in dealt if len(card) > 2])
        copies = way.sheet.rules.pack.packs + (card[1] in way.sheet.rules.pack.doubled_suits)
        if copies == 6:
            continue  # the format writes no seventh copy
        other = f"{card[:2]}.{copies + 1}"
        everywhere = renamed(
            record, lambda name, card=card, other=other: other if name == card else name
        )
        assert "card-not-in-pack" in codes(everywhere)
        record.deals[0].hands = [
            [other if name == card else name for name in hand] for hand in record.deals[0].hands
        ]
        assert "card-not-in-pack" in codes(record)


@pytest.mark.parametrize("way", LABELLED, ids=str)
def test_a49_a_card_renamed_beyond_the_pack_in_one_event_is_found(way: Way):
    random = Random(str(way))
    record = way.play(3, "greedy", deals=1, labels=True)
    deal = record.deals[0]
    copies = way.sheet.rules.pack.packs + way.sheet.rules.pack.packs % 2
    named = [
        index
        for index, event in enumerate(deal.events)
        if len(getattr(event, "card", None) or "") > 2 and type(event) is not Dix
    ]
    if copies == 6:
        return
    for index in random.sample(named, min(6, len(named))):
        events = list(deal.events)
        beyond = f"{events[index].card[:2]}.{copies + 1}"
        events[index] = msgspec.structs.replace(events[index], card=beyond)
        record.deals[0] = msgspec.structs.replace(deal, events=events)
        assert codes(record)[0] == "card-not-in-pack"


BASIC = "N: KS.1 QS.1 9H.1 | S: 8S.1 8H.1 7D.1 | turn-up 9C.1 | stock 1 | N won"


@pytest.mark.parametrize(
    "told",
    [
        "N draws QH.3",
        "N melds marriage KS.1 QS.3",
        "N shows marriage KS.3 QS.1",
        "N dix show 7C.3",
        "N draws QH.1, S draws 9C.3",
        "N draws QH.1, S draws 9C.1, N 9H.4",
    ],
)
def test_a49_a_label_beyond_the_pack_in_an_event(told):
    assert table(BASIC, told).codes == ["card-not-in-pack"]


@pytest.mark.parametrize(
    "position",
    [
        BASIC.replace("KS.1", "KS.3"),
        BASIC.replace("9C.1", "9C.3"),
        BASIC.replace("9H.1", "") + " | N lays marriage KS.3",
        "N: AS.1 | S: 8S.1 | trump H | N replies to KS.3",
        BASIC.replace("9H.1", "7C.3") + " | spent 7C.3",
    ],
)
def test_a49_a_label_beyond_the_pack_in_a_position(position):
    assert "card-not-in-pack" in table(position).codes


def test_a49_the_stock_has_no_third_copy():
    deal = Deal(
        dealer=1,
        setup=Setup(hands=[["AS.1"], ["7S.1"]], seat=0, stock=1, turn_up="9H.1", won=True),
        stock=["QH.3"],
    )
    assert codes(record_of([deal])) == ["card-not-in-pack"]


def test_a49_a_line_has_no_third_copy():
    record = table("N: KS.1 QS.1 | S: 8S.1 8H.1 | trump C | N leads").record
    record.lines = [Line(at=[0, 0], events=[Play(seat=0, card="KS.3")])]
    found = check_record(record).findings[0]
    assert (found.code, found.found) == ("line-not-lawful", "card-not-in-pack")


def test_a49_a_line_may_label_a_card_of_which_there_is_one():
    record = table("N: KS QS | S: 8S.1 8H | trump C | N leads", sheet="marjolet").record
    record.lines = [
        Line(at=[0, 0], events=[Play(seat=0, card="KS.1"), Play(seat=1, card="8H")]),
        Line(at=[0, 0], events=[Play(seat=0, card="KS"), Play(seat=1, card="8S")]),
    ]
    found = [finding for finding in check_record(record).findings if finding.code != "unfinished"]
    assert [(finding.code, finding.at.pointer) for finding in found] == [
        ("line-not-lawful", "/lines/0/events/1"),
    ]


def test_a49_a_second_copy_of_which_there_is_one_is_not_in_the_pack():
    told = table("N: KS.2 | S: 8S | trump C | N leads", sheet="marjolet")
    assert told.codes == ["card-not-in-pack"]


def test_a49_the_turn_up_is_drawn_by_its_label():
    told = table(BASIC, "N draws QH.1, S draws 9C.2")
    assert told.codes == ["wrong-card-drawn"]


TWO_SEVENS = "N: 7D.1 7D.2 9H.1 | S: 8H.1 8C.1 8S.1 | turn-up AD.1"


@pytest.mark.parametrize("played", ["7D.1", "7D.2"])
def test_a49_a_seven_played_later_is_not_the_one_exchanged(played):
    told = f"N dix exchange 10, N draws 9C.1, S draws 9C.2, N {played}"
    after = table(f"{TWO_SEVENS} | stock 5 | N won", f"{told}, N dix play 10")
    assert (after.codes, after.hands[0]) == ([], ["9C.1", "9H.1", "AD.1"])


@pytest.mark.parametrize(("exchanged", "kept"), [("7D.1", "7D.2"), ("7D.2", "7D.1")])
def test_a49_the_seven_that_is_drawn_last_is_the_one_exchanged(exchanged, kept):
    told = f"N dix exchange 10, N draws 9C.1, S draws {exchanged}"
    after = table(
        f"{TWO_SEVENS} | stock 1 | N won", f"{told}, N 9H.1, S 8H.1, N {kept}, S {exchanged}"
    )
    assert after.codes == []
    wrong = table(f"{TWO_SEVENS} | stock 1 | N won", f"{told}, N 9H.1, S 8H.1, N {exchanged}")
    assert wrong.codes == ["card-not-held"]


def test_a49_a_seven_that_the_other_seat_plays_tells_nothing_before_it_is_drawn():
    """The other seat cannot play a seven that the first one holds, and does not show by trying which it is."""
    told = "N dix exchange 10, N draws 9C.1, S draws 9C.2, N 9H.1, S 7D.1"
    assert table(f"{TWO_SEVENS} | stock 5 | N won", told).codes == ["card-not-held"]


@pytest.mark.parametrize("played", ["7D.1", "7D.2"])
def test_a49_a_seven_that_scores_when_played_is_not_the_one_shown(played):
    told = f"N dix show 10, N draws 9C.1, S draws 9C.2, N {played}, N dix play 10"
    after = table(f"{TWO_SEVENS} | stock 5 | N won", told, sheet="bezique-enhanced")
    assert (after.codes, after.points) == ([], [20, 0])
    again = f"N dix show 10, N dix show {played} 10, N draws 9C.1, S draws 9C.2"
    assert table(f"{TWO_SEVENS} | stock 5 | N won", again, sheet="bezique-enhanced").codes == []


def test_a49_in_zetema_spades_are_labelled_and_the_others_may_be():
    hands = [["KH.1", "QH", "2S.1", "3S.2", "4C.1", "6D.1"], ["7H", "8H", "9S.1", "TC", "4D", "6C"]]
    deal = Deal(dealer=1, knowledge="full", hands=hands)
    record = Record(
        format="bezique-record", version="1.0", rules=Rules(id="zetema"),
        players=[Player(name="A"), Player(name="B")], deals=[deal],
    )  # fmt: skip
    assert codes(record) == []
    hands[0][0] = "KH.2"
    assert codes(record) == ["card-not-in-pack"]


def test_the_sheets_with_one_pack_are_known():
    assert {way.sheet.id for way in ONE_PACK} == {"marjolet", "marjolet-oxford", "zetema"}
    assert {sheet.id for sheet in ALL_SHEETS if get_sheet(sheet.id).rules.pack.packs == 1} == {
        way.sheet.id for way in ONE_PACK
    }


@pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL_SHEETS])
def test_a49_the_last_copy_of_a_card_and_one_beyond_it(sheet):
    """Records may write labels up to `.6`, so in games of six packs none is beyond the pack."""
    copies = get_sheet(sheet).rules.pack.packs
    for label in range(copies, min(copies + 1, MAX_COPIES) + 1):
        if sheet == "zetema":
            told = turns(f"A: KH.{label} 9H.1 | B: 8D.1 9D.1")
        else:
            told = table(f"N: KH.{label} 9H.1 | S: 8D.1 9D.1 | trump C", sheet=sheet)
        assert told.codes == ([] if label == copies else ["card-not-in-pack"])
