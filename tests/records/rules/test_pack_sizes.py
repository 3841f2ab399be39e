"""From one pack to eight: games are played, judged, labelled, written and hidden, whatever the number of packs."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from bezique import Game
from records.cards import ALL_CARDS, MAX_COPIES
from records.documents.schemas import record_schema
from records.format import codec
from records.format.notation_writer import write_notation
from records.format.redaction import redact
from records.record import Record
from records.rules.english import explain_sheet
from records.rules.own_sheet import read_own_sheet
from records.rules.registry import ALL_SHEETS, know_sheets
from records.rules.sheet_text import SheetError
from records.rules.vocabulary import RuleSheet
from records.selfplay import play_game
from records.validator import check

BASES = [sheet.id for sheet in ALL_SHEETS if sheet.rules.tableau is None]


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    know_sheets([])


def with_packs(base: str, packs: int) -> RuleSheet:
    """A sheet with so many packs, without the melds that they cannot hold."""
    changes: list[dict[str, Any]] = [
        {"path": "/rules/pack/copies", "value": dict.fromkeys("SHDC", packs)}
    ]
    file = {"base": base, "id": "ours", "name": "Ours", "changes": changes}
    while True:
        with suppress(SheetError):
            return read_own_sheet(json.dumps(file).encode())
        with pytest.raises(SheetError, match="No hand can hold the cards") as caught:
            read_own_sheet(json.dumps(file).encode())
        too_many = re.findall(r"No hand can hold the cards of “(.*?)”", str(caught.value))
        changes += [{"op": "remove", "path": f"/rules/melds/{words}"} for words in too_many]


def cards_in(record: Record) -> set[str]:
    deals = json.dumps(json.loads(codec.encode(record))["deals"])
    return set(re.findall(r'"([AKQJT2-9][SHDC](?:\.\d)?)"', deals))


@pytest.mark.sampled(6)
@pytest.mark.long
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("packs", range(1, MAX_COPIES + 1))
def test_a_game_of_so_many_packs_is_played_and_judged(base: str, packs: int) -> None:
    sheet = with_packs(base, packs)
    know_sheets([sheet])
    assert sheet.rules.pack.cards == packs * 4 * len(sheet.rules.pack.ranks)
    assert "pack" in " ".join(
        each for part in explain_sheet(sheet).sections for each in part.sentences
    )
    for labels in (False, True):
        game = play_game("ours", seed=packs, deals=1, carry=True, labels=labels)
        found = check(codec.encode(game))
        # Without labels there may be too many readings to tell which seven has scored.
        certain = ("legal", "incomplete", *["undetermined"][: found.assignments.capped])
        assert found.verdict in certain, (base, packs, labels)
        back = codec.decode(write_notation(game).encode()).record
        assert back is not None
        assert codec.encode(back) == codec.encode(game)
        used = {int(card[3:]) for card in cards_in(game) if len(card) > 2}
        assert used == (set(range(1, packs + 1)) if labels and packs > 1 else set())
        for seat in (0, 1):
            seen = check(codec.encode(redact(game, seat)))
            assert seen.verdict in ("legal", "incomplete", "undetermined"), seen.findings


@pytest.mark.long
def test_a_game_whose_points_stay_open_ends_by_what_its_deal_claims() -> None:
    know_sheets([with_packs("polish-bezique", 6)])
    game, random = Game("ours", seed=0), Random(0)
    while (moves := game.legal()) and len(game.record.deals) == 1:
        game.do(random.choice(moves[:3]))
    report = check(codec.encode(game.record))
    assert (game.over, game.winner, report.verdict) == (True, 1, "undetermined")
    (finding,) = report.findings
    assert (finding.at.pointer, "too many readings" in finding.message) == ("/deals/0", True)


def test_the_schema_knows_every_card() -> None:
    patterns = set(re.findall(r'"pattern":\s*"(\^\(\(\[AKQJT[^"]*)"', json.dumps(record_schema())))
    (pattern,) = {json.loads(f'"{each}"') for each in patterns}
    assert all(re.fullmatch(pattern, card) for card in ALL_CARDS)
    assert re.fullmatch(pattern, f"AS.{MAX_COPIES + 1}") is None
