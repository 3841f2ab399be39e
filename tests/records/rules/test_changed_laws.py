"""A base with another law of reuse or duty to follow: it is read, and every option left decides something."""

import json
from typing import Any

import msgspec
import pytest

from records.rules.own_sheet import read_own_sheet
from records.rules.registry import ALL_SHEETS, SHEETS_FOLDER, apply_options, changes_of
from records.rules.vocabulary import REUSE_RULES, Follow, NumberOption, RuleSheet
from tests.records.rules.test_sheet_changes import options, own, replace

WITH_TRICKS = [sheet for sheet in ALL_SHEETS if sheet.rules.tableau is None]
LAWS = [law for law in REUSE_RULES if law != "Z3"]


def assert_every_option_decides(sheet: RuleSheet) -> None:
    written = msgspec.json.encode(sheet.rules)
    for option in sheet.options:
        values = (
            (option.least, option.most) if isinstance(option, NumberOption) else option.permitted
        )
        for value in values:
            changed = apply_options(sheet, {option.name: value}).sheet
            assert (value == option.default) == (msgspec.json.encode(changed.rules) == written), (
                sheet.rules.reuse.law, option.name, changes_of(option, value),
            )  # fmt: skip


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("base", WITH_TRICKS, ids=lambda sheet: sheet.id)
def test_a_base_takes_any_law_of_reuse(base: RuleSheet, law: str) -> None:
    assert_every_option_decides(own(replace("/rules/reuse/law", law), base=base.id))


@pytest.mark.parametrize("follow", Follow)
@pytest.mark.parametrize("base", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_a_base_takes_any_duty_to_follow(base: RuleSheet, follow: Follow) -> None:
    for phase in ("stock", "close"):
        change = replace(f"/rules/phases/{phase}/follow", follow.value)
        assert_every_option_decides(own(change, base=base.id))


@pytest.mark.parametrize("base", WITH_TRICKS, ids=lambda sheet: sheet.id)
def test_a_base_takes_melds_from_elsewhere(base: RuleSheet) -> None:
    for place in ("held", "captured"):
        assert_every_option_decides(own(replace("/rules/play/melds_from", place), base=base.id))


def test_what_a_law_does_not_ask_is_no_option_any_more() -> None:
    climbing = {"sequence_then_marriage", "singles_then_double", "double_then_single"}
    base = options(own())
    assert base >= climbing
    assert options(own(replace("/rules/reuse/law", "R-SET"))) == base - climbing
    assert options(own(replace("/rules/reuse/law", "R-KIND"))) == base


# What a law of reuse says of itself may be left out.


def whole(reuse: dict[str, Any]) -> bytes:
    """Marjolet as a whole sheet, with another rule of reuse."""
    data = json.loads((SHEETS_FOLDER / "marjolet.json").read_bytes()) | {"id": "ours"}
    data["rules"]["reuse"] = reuse
    del data["articles"], data["laws"]
    return json.dumps(data).encode()


@pytest.mark.parametrize("law", LAWS)
def test_members_that_a_law_does_not_ask_may_be_left_out(law: str) -> None:
    told = next(
        msgspec.to_builtins(sheet.rules.reuse, str_keys=True)
        for sheet in ALL_SHEETS
        if sheet.rules.reuse.law == law
    )
    del told["forbids"]
    full = read_own_sheet(whole(told))
    if law == "R-SET":
        told = {"law": law, "once_ever": False}
    elif law not in ("R-RUB", "R-PORT"):
        del told["card_leaves_by"]
    assert msgspec.json.encode(read_own_sheet(whole(told))) == msgspec.json.encode(full)


def test_parts_of_what_follows_may_be_left_out() -> None:
    data = json.loads((SHEETS_FOLDER / "bezique.json").read_bytes())
    text = json.dumps(data)
    for article in data["articles"]:
        del article["says"], article["follows"], article["heading"]
    for law in data["laws"]:
        del law["says"]
    for clause in data["rules"]["reuse"]["forbids"]:
        del clause["says"], clause["given"], clause["class"]
    del data["rules"]["phases"][1]["must_play"]["plain_led"]
    left_out = read_own_sheet(json.dumps(data).encode())
    assert msgspec.json.encode(left_out) == msgspec.json.encode(read_own_sheet(text.encode()))
