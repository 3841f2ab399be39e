"""Rulebooks of a table's own, and games by them that have them inside; no process knows them by their ids."""

import json
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from records.record import Record
from records.rules.inner_sheet import inner_data, read_inner_sheet
from records.rules.own_sheet import read_own_sheet
from records.rules.registry import ALL_SHEETS, SHEETS_FOLDER, resolve_rules
from records.rules.vocabulary import RuleSheet
from records.selfplay import play_game
from tests.records.rules.damaged_sheets import damage

OURS = """\
base = "zique"
id = "ours"
name = "Our Zique"

[[changes]]
path = "/rules/melds/bezique/points"
value = 70
"""
"""A rulebook of one's own as people write it: changes to another, in TOML."""


def own_sheet(base: str, own_id: str = "ours", **members: Any) -> RuleSheet:
    """A published sheet under another id, and with other members."""
    data = json.loads((SHEETS_FOLDER / f"{base}.json").read_bytes()) | {"id": own_id} | members
    return read_own_sheet(json.dumps(data).encode())


def changed_sheet(random: Random) -> RuleSheet:
    """A published sheet with something in it changed at random, so that it can still be played by."""
    while True:
        data = inner_data(own_sheet(random.choice(ALL_SHEETS).id, name=f"Ours {random.random()}"))
        damage(data["rules"], random)
        read = read_inner_sheet(data)
        if read.sheet is not None:
            return read.sheet


def own_game(base: str, *changes: tuple[str, Any], own_id: str = "ours", seed: int = 1) -> Record:
    """A deal by a sheet of one's own that differs from a base in what stands at these paths."""
    file = {"base": base, "id": own_id, "name": "Ours"}
    told = [{"path": path, "value": value} for path, value in changes]
    sheet = read_own_sheet(json.dumps(file | {"changes": told}).encode())
    return game_by(sheet, seed)


def game_by(sheet: RuleSheet, seed: int = 1, deals: int = 1) -> Record:
    """Deals by a sheet of one's own."""
    rules = play_game("zique", seed=seed, deals=1).rules
    rules = replace(rules, id=sheet.id, edition=sheet.edition, sheet=inner_data(sheet))
    resolved = resolve_rules(rules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("records.selfplay.resolve_sheet", lambda *_: resolved)
        return replace(play_game(sheet.id, seed=seed, deals=deals), rules=rules)
