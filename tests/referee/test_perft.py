"""The counts in samples/perft agree with the replay, with slow referees, and with counts by hand."""

import os
from random import Random

import msgspec
import pytest

from records.format.codec import decode
from records.rules.registry import ALL_SHEETS
from tests.make import tables
from tests.referee import brute
from tests.referee.perft import POSITIONS, SAMPLES, Perft, sample

PLACES = [(sheet, position) for sheet, positions in POSITIONS.items() for position in positions]
SLOW = int(os.environ.get("BEZIQUE_PERFT", "200"))
"""The referees count as far as one choice more has no more ways than this."""

each = pytest.mark.parametrize(
    ("sheet", "position"), PLACES, ids=[f"{sheet}-{position.name}" for sheet, position in PLACES]
)


@pytest.mark.sampled(5)
@pytest.mark.long
@pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL_SHEETS])
def test_the_published_counts_are_those_of_the_replay(sheet):
    published = msgspec.json.decode((SAMPLES / f"{sheet}.json").read_bytes())
    assert published == msgspec.json.decode(msgspec.json.encode(sample(sheet)))
    for position in published["positions"]:
        (counted,) = [p for p in POSITIONS[sheet] if p.name == position["name"]]
        assert decode(msgspec.json.encode(position["record"])).record == counted.record(sheet)


@pytest.mark.sampled(15)
@pytest.mark.long
@each
def test_the_referees_count_the_same(sheet, position):
    published = msgspec.json.decode((SAMPLES / f"{sheet}.json").read_bytes())
    (counts,) = [p["nodes"] for p in published["positions"] if p["name"] == position.name]
    assert len(counts) == position.depth
    depth = next((i for i, count in enumerate(counts) if count > SLOW), len(counts))
    assert brute.nodes(position.record(sheet), depth) == counts[:depth]


@each
def test_the_positions_are_lawful(sheet, position):
    told = tables.Told(position.record(sheet), whole=True)
    assert told.codes == []
    assert told.report.verdict == "incomplete"


# by hand


def nodes(sheet: str, text: str, depth: int) -> list[int]:
    return Perft(tables.record_of([tables.deal_of(text)], sheet=sheet)).nodes(depth)


def test_two_cards_each_after_the_close():
    """North leads either card. To the ace of spades South follows with the 9 and then trumps or not what
    is left; to the 9 of clubs South must trump. One way each from there on."""
    text = "N: AS 9C | S: 9S 7H | trump H | N leads"
    assert nodes("bezique", text, 4) == [2, 2, 2, 2]


def test_a_plain_trick_and_a_marriage_after_the_close():
    """Three leads; South has no duty and two hearts: six. North won all but nothing trumps: after each
    North may marry if king and queen are still there (after the nine only), or lead on."""
    text = "N: KS QS 9S | S: 7D 8D 9D | trump H | N leads"
    # King or queen led: 3 replies each, then 2 leads. Nine led: 3 replies, then 2 leads or the marriage.
    assert nodes("bezique-enhanced", text, 3) == [3, 9, 3 * 2 + 3 * 2 + 3 * 3]
    assert nodes("bezique", text, 3) == [3, 9, 18]


def test_the_last_melds_of_polish_bezique():
    """King and queen of spades are won last. Four kings, marriage or bezique; after kings the bezique,
    after the bezique the kings, after the marriage nothing, both new cards having served."""
    (last,) = [p for p in POSITIONS["polish-bezique"] if p.name == "last-trick"]
    assert Perft(last.record("polish-bezique")).nodes(4) == [1, 1, 3, 2]


def test_the_chain_of_zetema():
    """Four discards. After the 7 the 8 must go, after the 8 the 7; after either heart the turn is over and
    the other has three cards: 1 + 1 + 3 + 3."""
    (chain,) = [p for p in POSITIONS["zetema"] if p.name == "chain"]
    assert Perft(chain.record("zetema")).nodes(2) == [4, 8]


def test_four_trump_aces_of_six_packs():
    """A fifth ace of trumps and an ace of spades beside the four that scored. In Chinese Bezique they may
    score as four aces, all of trumps or three and the ace of spades. In six-pack the class is spent until
    one is played. Either ace may be led, and the 8 that is drawn first."""
    for sheet, count in (("chinese-bezique", 2 + 3), ("six-pack-bezique", 3)):
        (aces,) = [p for p in POSITIONS[sheet] if p.name == "trump-aces"]
        assert Perft(aces.record(sheet)).nodes(1) == [count]


TWIN_SEVENS = [sheet for sheet in ALL_SHEETS if sheet.rules.dix and sheet.rules.pack.packs > 1]


@pytest.mark.parametrize("stock", ["", " | turn-up 9H | stock 3"], ids=["closed", "open"])
@pytest.mark.parametrize("sheet", TWIN_SEVENS, ids=[sheet.id for sheet in TWIN_SEVENS])
def test_either_of_two_sevens_may_have_been_played(sheet, stock):
    """One has scored and one has not. Whichever is played, the other may be the one that is shown or exchanged later."""
    pack = [
        rank + suit for suit in "SHDC" for rank in sheet.rules.pack.ranks if rank + suit != "7H"
    ]
    for seed in range(8):
        others = Random(seed).sample(pack, 7)
        north, south = " ".join(["7H", "7H", others[0]]), " ".join(others[1:4])
        text = f"N: {north} | S: {south} | trump H | spent 7H | N leads{stock}"
        deal = tables.deal_of(text)
        deal.stock = others[4:] if stock else None
        record = tables.record_of([deal], sheet=sheet.id)
        assert Perft(record).nodes(4) == brute.nodes(record, 4), text
