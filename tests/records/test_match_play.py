"""The play: every way to write a match gives one, every change of a card, a person, an option or the day gives two."""

import json
import re
from collections.abc import Iterator
from functools import cache
from random import Random
from time import process_time
from typing import Any

import pytest
from msgspec.structs import replace

from records.events import Irregular
from records.format import codec
from records.format.notation_writer import write_notation
from records.format.redaction import redact
from records.match_play import (
    MatchPlay,
    Relation,
    match_play,
    match_traces,
    may_be_one_match,
    relate,
)
from records.record import Record
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game
from tests.make.rewritings import WAYS, Raw, changed, rewritten
from tests.playouts.views import KINDS

LABEL = re.compile(rb"(?<=[SHDC])\.[1-6](?=\")")
SHEETS = [sheet.id for sheet in ALL_SHEETS]
PARTS = ("fragment", "fragment with labels", "fragment with shared cards", "start of a deal")
"""Views that do not begin where the match began."""
PAIRS = 4
"""Pairs of each kind and sheet; a soak asks for hundreds."""


@cache
def game(sheet: str, seed: int) -> bytes:
    record = play_game(sheet, seed=seed, deals=2)
    record.meta = {"event": "League", "started": "2026-03-31T19:00:00Z"}
    return codec.encode(record)


def read(raw: Raw) -> tuple[Record, MatchPlay]:
    decoded = codec.decode(json.dumps(raw, ensure_ascii=False).encode())
    assert decoded.record is not None, [finding.message for finding in decoded.findings]
    play = match_play(decoded.record)
    assert play is not None
    return decoded.record, play


def pairs(sheet: str, number: int) -> Iterator[tuple[Raw, Random]]:
    for seed in range(number):
        yield json.loads(game(sheet, seed % 5)), Random(f"{sheet} {seed}")


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_way_to_write_a_match_gives_one(sheet: str) -> None:
    for raw, random in pairs(sheet, PAIRS):
        first, one = read(rewritten(raw, random))
        second, other = read(rewritten(raw, random))
        assert relate(one, other) is Relation.SAME
        assert one.key == other.key
        assert set(match_traces(first)) & set(match_traces(second))


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_change_gives_another_match(sheet: str) -> None:
    for raw, random in pairs(sheet, PAIRS):
        _, one = read(rewritten(raw, random))
        _, other = read(rewritten(changed(raw, random), random))
        assert one.key != other.key
        assert relate(one, other) is None


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_beginning_is_known_beside_its_whole(sheet: str) -> None:
    for raw, random in pairs(sheet, PAIRS):
        short = json.loads(json.dumps(raw))
        deal = random.randrange(len(short["deals"]))
        events = short["deals"][deal]["events"]
        del short["deals"][deal + 1 :]
        del events[random.randint(0, len(events) - 2) :]
        short.pop("result", None)
        short["deals"][deal].pop("claims", None)
        _, whole = read(rewritten(raw, random))
        _, beginning = read(short)
        assert relate(beginning, whole) in (Relation.BEGINNING, Relation.VIEW, Relation.SAME)
        assert relate(whole, beginning) in (Relation.WHOLE, Relation.VIEW, Relation.SAME)
        assert whole.fullness >= beginning.fullness


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_notes_of_two_seats_are_of_one_match(sheet: str) -> None:
    for raw, _ in pairs(sheet, 2):
        record, full = read(raw)
        seats = [match_play(redact(record, seat)) for seat in range(len(record.players))]
        for own in seats:
            assert own is not None
            assert relate(own, full) in (Relation.VIEW, Relation.SAME)
            assert own.fullness <= full.fullness
            assert all(other is not None and relate(own, other) for other in seats)


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_view_contradicts_nothing_and_is_no_fuller_than_the_whole(sheet: str) -> None:
    """A view with its stock and its draws shows the same cards twice, which counts once."""
    for raw, random in pairs(sheet, 2):
        record, full = read(raw)
        for kind in sorted(KINDS.keys() - PARTS):
            for view in KINDS[kind](record, random):
                seen = match_play(view)
                assert seen is not None
                assert seen.fullness <= full.fullness, kind
                assert seen.said or may_be_one_match(seen, full), kind


POSITION = {
    "hands": [["AH", "KS", "9D"], ["TH", "AS", "9D"]],
    "seat": 1,
    "stock": 1,
    "turn_up": "8H",
}


def position(rules: str, setup: Raw, seats: int = 2, **members: Any) -> Raw:
    players = [{"name": name} for name in "ABCDEF"[:seats]]
    deal = {"dealer": 0, "setup": setup, "events": []}
    return {
        "format": "bezique-record", "version": "1.0", "rules": {"id": rules}, "players": players, "deals": [deal], **members
    }  # fmt: skip


@pytest.mark.parametrize(
    "default",
    [
        {"scores": [0, 0]}, {"brisques": [0, 0]}, {"tables": [[], []]}, {"spent_dixes": []}, {"trick": []},
        {"tableau": []}, {"won": False}, {"trump": "H"},
    ],
)  # fmt: skip
def test_what_a_position_leaves_out_may_be_written(default: Raw) -> None:
    _, one = read(position("zique", POSITION))
    _, other = read(position("zique", {**POSITION, **default}))
    assert relate(one, other) is Relation.SAME
    assert one.key == other.key


@pytest.mark.parametrize(
    ("seats", "sides"), [(4, [[0, 2], [1, 3]]), (6, [[0, 3], [1, 4], [2, 5]]), (5, None)]
)
def test_a_position_of_partners_has_its_scores_by_seat(
    seats: int, sides: list[list[int]] | None
) -> None:
    hands = [[card] for card in ("AH", "5S", "4D", "3C", "6C", "7C")[:seats]]
    setup = {"hands": hands, "seat": 1, "scores": list(range(10, 10 + seats)), "tableau": ["2S"]}
    _, one = read(position("zetema", setup, seats, sides=sides))
    turned = {**setup, "hands": hands[1:] + hands[:1], "seat": 0}
    turned["scores"] = [*range(11, 10 + seats), 10]
    raw = position("zetema", turned, seats, sides=sides)
    raw["players"] = raw["players"][1:] + raw["players"][:1]
    raw["deals"][0]["dealer"] = seats - 1
    _, other = read(raw)
    assert relate(one, other) is Relation.SAME
    raw["deals"][0]["setup"]["scores"].reverse()
    assert relate(one, read(raw)[1]) is None


def test_the_cards_just_won_tell_positions_apart() -> None:
    setup = {**POSITION, "won": True, "captured": [["7C", "8C"], ["9C", "KC", "QC", "JC"]]}
    _, one = read(position("polish-bezique", setup))
    _, same = read(
        position("polish-bezique", {**setup, "captured": [["8C", "7C"], ["KC", "9C", "JC", "QC"]]})
    )
    _, other = read(
        position("polish-bezique", {**setup, "captured": [["8C", "7C"], ["QC", "JC", "9C", "KC"]]})
    )
    assert relate(one, same) is Relation.SAME
    assert relate(one, other) is None


def test_a_ruling_without_points_gives_none() -> None:
    raw = json.loads(game("bezique", 0))
    mishap = {"type": "irregular", "seat": raw["deals"][0]["events"][0]["seat"], "what": "other"}
    raw["deals"][0]["events"].insert(1, mishap)
    _, one = read(raw)
    mishap["points"] = 0
    assert relate(one, read(raw)[1]) is Relation.SAME
    mishap["points"] = 10
    assert relate(one, read(raw)[1]) is None


def test_there_are_many_ways() -> None:
    assert len(WAYS) >= 12


@pytest.mark.parametrize("sheet", SHEETS)
def test_labels_and_the_notation_make_no_other_match(sheet: str) -> None:
    for seed in range(2):
        labelled = play_game(sheet, seed=seed, deals=2, labels=True)
        bare = json.loads(LABEL.sub(b"", codec.encode(labelled)))
        text = write_notation(labelled)
        decoded = codec.decode(text.encode())
        assert decoded.record is not None
        plays = [match_play(labelled), match_play(decoded.record), read(bare)[1]]
        assert all(play is not None and relate(plays[0], play) is Relation.SAME for play in plays)


def test_nothing_takes_long_to_compare() -> None:
    """Hands and acts beyond those of any game are only compared as they stand."""
    record = play_game("bezique", seed=1, deals=1)
    (deal,) = record.deals
    first, second = (replace(record, deals=[replace(deal)]) for _ in range(2))
    first.deals[0].hands = [["??"] * 512, ["??"] * 512]
    second.deals[0].hands = [["QS"] * 256 + ["??"] * 256, ["??"] * 512]
    many = [Irregular(seat=0, what="exposed_card", cards=["??"]) for _ in range(2_000)]
    first.deals[0].events = [*many, *deal.events]
    second.deals[0].events = [*many[1:], *deal.events]
    start = process_time()
    one, other = match_play(first), match_play(second)
    assert one is not None
    assert other is not None
    assert relate(one, other) is None
    assert process_time() - start < 1


@pytest.mark.parametrize(
    "started", ["2026-03-31T19:00:00Z", "2026-03-31t19:00:00z", "2026-03-31 19:00:00.0+00:00"]
)
def test_a_time_written_otherwise_makes_no_other_result(started: str) -> None:
    raw = {
        "format": "bezique-record", "version": "1.0", "rules": {"id": "zique"},
        "players": [{"name": "Ann"}, {"name": "Bob"}], "meta": {"started": "2026-03-31T19:00:00+00:00"},
        "result": {"status": "complete", "scores": [970, 1010]},
    }  # fmt: skip
    _, one = read(raw)
    _, other = read({**raw, "meta": {"started": started}})
    assert relate(one, other) is Relation.SAME
    _, later = read({**raw, "meta": {"started": "2026-03-31T21:00:00+00:00"}})
    assert relate(one, later) is None
