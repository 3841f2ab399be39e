"""The cards in the tables: those that the events tell, with what the engine says of each play."""

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from analyzer.ingest.loader import ingest_bytes
from analyzer.store.store import Store
from records.cards import FACES
from records.engine.choices import legal_plays
from records.events import Discard, Dix, Draw, Irregular, Meld, Play
from records.format import codec
from records.format.redaction import redact
from records.record import Record
from records.replay import replay
from records.rules.own_sheet import read_sheet_at
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game
from tests.make.own_rulebooks import game_by

RULEBOOKS = Path("samples/rulebooks")
FOR_TWO = 2


class Played(NamedTuple):
    """A card played to a trick, as the view `plays` has it; `event` and `forced` are None where that is not told."""

    deal: int
    trick: int
    event: int | None
    seat: int
    place: int
    card: str
    led: str
    trump: bool
    took: bool
    forced: bool | None


SELECT_PLAYS = f"SELECT {', '.join(Played._fields)} FROM plays ORDER BY deal, trick, place"
SELECT_CARDS = "SELECT deal, event, seat, use, card FROM cards ORDER BY ALL"


def rows_of(folder: Path, record: Record, *questions: str) -> list[list[tuple[Any, ...]]]:
    with Store(folder) as store:
        ingest_bytes(store, "game.json", codec.encode(record))
        return [store.rows(sql).rows for sql in questions]


def plays_of(record: Record) -> list[Played]:
    """The plays of whole tricks, from a replay event by event, which has the hands and the trump suit before each."""
    found, trick, legal, trump = list[Played](), list[Played](), list[str](), ""
    for frame in replay(record):
        table, event = frame.table, frame.event
        if isinstance(event, Play):
            last = len(trick) + 1 == table.seats
            forced = len({card[:2] for card in legal}) == 1 if table.seats == FOR_TWO else None
            trick.append(Played(
                frame.deal, table.tricks - last, frame.index if last or not trick else None, event.seat, len(trick),
                event.card[:2], trick[0].card if trick else event.card[:2], event.card[1] == trump, took=False, forced=forced,
            ))  # fmt: skip
            if last:
                found += [each._replace(took=each.seat == table.trick.winner) for each in trick]
                trick.clear()
        legal, trump = legal_plays(table), table.trump or ""
    return found


def other_cards(record: Record) -> list[tuple[Any, ...]]:
    """The cards of all other events, from the record alone; a dix whose card is not written is of the trump suit."""
    found = list[tuple[Any, ...]]()
    for number, deal in enumerate(record.deals):
        for at, event in enumerate(deal.events):
            match event:
                case Draw(seat=seat, card=card):
                    found.append((number, at, seat, "draw", card[:2]))
                case Discard(seat=seat, card=card):
                    found.append((number, at, seat, "discard", card[:2]))
                case Meld(seat=seat, cards=cards):
                    found += [(number, at, seat, "meld", card[:2]) for card in cards]
                case Dix(seat=seat):
                    found.append((number, at, seat, "dix", f"7{(deal.turn_up or '??')[1]}"))
    return sorted(found)


@pytest.mark.parametrize("style", ["greedy", "random"])
@pytest.mark.parametrize("sheet", [sheet.id for sheet in ALL_SHEETS])
def test_every_card_is_stored_as_it_was_played(tmp_path: Path, sheet: str, style: str):
    record = play_game(sheet, seed=7, style=style)
    plays, cards = rows_of(tmp_path, record, SELECT_PLAYS, SELECT_CARDS)
    assert plays == plays_of(record)
    assert [row for row in cards if row[3] != "dix"] == [
        row for row in other_cards(record) if row[3] != "dix"
    ]
    assert all(card in FACES and (use != "dix" or card[0] == "7") for *_, use, card in cards)


@pytest.mark.parametrize("rulebook", ["bezique-three-hands", "bezique-four-partners"])
def test_so_are_those_of_more_than_two(tmp_path: Path, rulebook: str):
    record = game_by(read_sheet_at(RULEBOOKS / f"{rulebook}.toml"))
    plays, cards = rows_of(tmp_path, record, SELECT_PLAYS, SELECT_CARDS)
    assert plays == plays_of(record)
    assert cards == other_cards(record)


@pytest.mark.parametrize("sheet", ["bezique", "polish-bezique", "rubicon-bezique"])
def test_what_a_seat_does_not_see_is_empty(tmp_path: Path, sheet: str):
    """One seat's view of a deal: the plays of both are known, of the draws only its own."""
    whole = play_game(sheet, seed=3, deals=1)
    plays, cards = rows_of(tmp_path, redact(whole, 0), SELECT_PLAYS, SELECT_CARDS)
    assert plays == [each._replace(forced=None) for each in plays_of(whole)]
    seen = {(at, seat, use): card for _, at, seat, use, card in cards if use == "draw"}
    assert {seat for (_, seat, _), card in seen.items() if card is None} == {1}
    assert {seat for (_, seat, _), card in seen.items() if card is not None} == {0}


def test_a_trick_may_take_as_many_events_as_a_deal(tmp_path: Path):
    record = play_game("bezique", seed=3, deals=1)
    (deal,) = record.deals
    said = [Irregular(seat=0, what="other", text="a long talk")] * 4_000
    deal.events[1:1] = said
    (plays,) = rows_of(tmp_path, record, SELECT_PLAYS)
    assert plays == plays_of(record)
    assert (plays[0][2], plays[1][2]) == (0, 4_001)


def test_the_cards_melded_are_those_of_the_melds_that_are_counted(tmp_path: Path):
    """Also where one is withdrawn, and where one is in vain."""
    record = play_game("bezique", seed=3, deals=1)
    (deal,) = record.deals
    first, *_, last = [at for at, event in enumerate(deal.events) if isinstance(event, Meld)]
    deal.events.insert(last + 1, deal.events[last])
    deal.events.insert(first + 1, Irregular(seat=deal.events[first].seat, what="withdrawn_meld"))
    melds = "SELECT event, seat, meld FROM melds ORDER BY event"
    of_melds = (
        "SELECT event, seat, count(*) FROM cards WHERE use = 'meld' GROUP BY ALL ORDER BY event"
    )
    counted, melded = rows_of(tmp_path, record, melds, of_melds)
    assert [row[:2] for row in melded] == [row[:2] for row in counted]
    assert len(counted) < sum(isinstance(event, Meld) for event in deal.events)
    for at, _, cards in melded:
        assert cards == len(deal.events[at].cards)
