"""A rulebook inside a record: it is read as a file is, every mistake has its place, and a record with it needs nothing else."""

import json
import os
from collections.abc import Iterator
from random import Random
from time import process_time
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from analyzer.identify.matching_rules import identify_rules
from records.errors import RulesError, SheetIdTaken
from records.format import codec
from records.format.notation_writer import write_notation
from records.format.redaction import redact
from records.match_play import match_play
from records.record import Record
from records.rules import compiled, inner_sheet, registry
from records.rules.inner_sheet import inner_data, read_inner_sheet
from records.rules.own_sheet import read_own_sheet
from records.rules.registry import (
    ALL_SHEETS,
    RESERVED_NAMES,
    add_sheet,
    is_sheet_key,
    know_sheets,
    own_sheets,
    resolve_rules,
    sheet_key,
    sheet_of_rules,
)
from records.rules.sheet_text import LARGEST_SHEET_BYTES
from records.rules.vocabulary import RuleSheet
from records.validate.finding import STEPS_A_BYTE_OF_SHEET, RequestBudget
from records.validator import check
from tests.make.own_rulebooks import game_by, own_game, own_sheet
from tests.records.rules.damaged_sheets import damage

by_sheet = pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)


def plain(sheet: RuleSheet) -> Any:
    """A sheet without its English, in which the members of an object come in their order."""
    articles = tuple([replace(article, says=()) for article in sheet.articles])
    return msgspec.to_builtins(replace(sheet, articles=articles), str_keys=True)


BEZIQUE_70 = ("/rules/melds/bezique/points", 70)
OURS = own_game("zique", BEZIQUE_70)


def with_sheet(record: Record, sheet: Any, own_id: str = "ours") -> bytes:
    data = json.loads(codec.encode(record))
    data["rules"] |= {"id": own_id, "sheet": sheet}
    return json.dumps(data).encode()


def sheet_data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(codec.encode(OURS))["rules"]["sheet"]
    return data


def mistakes(data: bytes, *, strict: bool = True) -> list[tuple[str, str, str]]:
    decoded = codec.decode(data, strict=strict)
    assert decoded.record is None
    return [(found.code, found.at.pointer, found.message) for found in decoded.findings]


@by_sheet
def test_what_a_record_leaves_out_follows_from_the_rest(sheet: RuleSheet) -> None:
    own = own_sheet(sheet.id)
    data = inner_data(own)
    read = read_inner_sheet(data)
    assert read.sheet is not None, read.mistakes
    assert plain(read.sheet) == plain(own)
    assert inner_data(read.sheet) == data
    assert len(json.dumps(data)) < 0.7 * len(json.dumps(plain(own)))


@by_sheet
def test_a_record_with_its_rulebook_is_judged_by_it(sheet: RuleSheet) -> None:
    report = check(codec.encode(game_by(own_sheet(sheet.id))))
    assert report.verdict in ("legal", "incomplete"), report.findings
    assert report.rules is not None
    assert report.rules.id == "ours"


def test_the_order_of_members_is_no_matter() -> None:
    turned = json.loads(codec.encode(OURS), object_pairs_hook=lambda pairs: dict(pairs[::-1]))
    decoded = codec.decode(json.dumps(turned).encode())
    assert decoded.record is not None
    assert codec.encode(decoded.record) == codec.encode(OURS)
    assert decoded.digest() == codec.digest(OURS)


def test_the_rulebook_is_part_of_the_digest() -> None:
    others = (
        replace(OURS, rules=own_game("zique", ("/rules/melds/bezique/points", 80)).rules),
        replace(OURS, rules=replace(OURS.rules, sheet=None)),
    )
    assert len({codec.digest(each) for each in (OURS, *others)}) == 3


def test_a_record_without_a_rulebook_has_the_digest_that_it_had() -> None:
    told = b'{"format":"bezique-record","version":"1.0","rules":{"id":"bezique"},"players":[{"name":"Ann"},{"name":"Bob"}]}'
    assert check(told, identify=True).digest == (
        "dc377af7ae23dd6e7c63e6deb9d5f0c9d81e9b4e58c3cbc6a2448371c262d667"
    )


def test_two_rulebooks_of_one_id_are_each_their_own() -> None:
    """Also where the process knows a third by that id."""
    dear = own_game("zique", ("/rules/melds/bezique/points", 700))
    for record, points in ((OURS, 70), (dear, 700), (OURS, 70)):
        melds = sheet_of_rules(record.rules).rules.melds
        assert {meld.points for meld in melds if meld.name == "bezique"} == {points}
        assert check(codec.encode(record)).verdict in ("legal", "incomplete")
    plays = [match_play(record) for record in (OURS, replace(OURS, rules=dear.rules))]
    assert plays[0] is not None
    assert plays[1] is not None
    assert plays[0].key != plays[1].key
    keys = {sheet_key(record.rules) for record in (OURS, dear)}
    assert len(keys) == 2
    assert all(is_sheet_key(key) and key.startswith("ours~") for key in keys)


@pytest.fixture
def ours_known() -> Iterator[None]:
    """This process knows the rulebook, and no longer than the test."""
    know_sheets([sheet_of_rules(OURS.rules)])
    yield
    know_sheets([])


def test_a_rulebook_that_is_known_and_named_has_the_key_that_it_has_inside(ours_known) -> None:
    named = replace(OURS, rules=replace(OURS.rules, sheet=None))
    assert sheet_key(named.rules) == sheet_key(OURS.rules)
    plays = [match_play(record) for record in (OURS, named)]
    assert plays[0] == plays[1]


def test_a_rulebook_of_a_file_and_the_same_inside_a_record_are_one() -> None:
    """In the order of its members, on which its English depends, and as a record has it."""
    file = {
        "base": "marjolet",
        "id": "ours",
        "name": "Ours",
        "changes": [{"path": "/rules/hand/2", "value": 7}],
    }
    sheet = read_own_sheet(json.dumps(file).encode())
    inside = read_inner_sheet(inner_data(sheet)).sheet
    assert inside is not None
    try:
        add_sheet(sheet)
        add_sheet(inside)
        assert own_sheets() == (sheet,)
    finally:
        know_sheets([])


def test_the_names_that_no_rulebook_inside_may_have_are_those_of_the_first_twelve() -> None:
    first = [sheet for sheet in ALL_SHEETS if registry._plain(sheet.id) in RESERVED_NAMES]
    assert len(first) == 12
    written = {registry._plain(each) for sheet in first for each in (sheet.id, sheet.name)}
    assert written <= RESERVED_NAMES


def test_a_rulebook_that_is_published_later_takes_no_record_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(registry, "_PLAIN_NAMES", registry._PLAIN_NAMES | {"ours": "ours"})
    inner_sheet._read.cache_clear()
    assert codec.decode(codec.encode(OURS)).record is not None
    with pytest.raises(SheetIdTaken):
        add_sheet(sheet_of_rules(OURS.rules))


def test_the_key_of_a_rulebook_that_is_only_named_is_its_id() -> None:
    assert sheet_key(replace(OURS.rules, sheet=None)) == "ours"
    assert is_sheet_key("zique")
    for text in ("ours", "ours~", "ours~0123456789ax", "Ours~0123456789ab", "ours~0123456789ab\n"):
        assert not is_sheet_key(text)


@pytest.mark.parametrize(
    ("change", "pointer", "words"),
    [
        ({"edition": None}, "/edition", "is wanted here, not null"),
        ({"name": ""}, "/name", "A text that is not empty"),
        ({"base": "zique"}, "/base", 'There is no member "base" here'),
        ({"version": "1.0"}, "/version", "a record leaves it out"),
        ({"$schema": "x"}, "/$schema", "There is no member"),
        ({"id": "theirs"}, "/id", 'names the rulebook "ours" and carries "theirs"'),
        ({"id": "zique"}, "/id", "published rulebook zique"),
        ({"id": "six-pack-bezique"}, "/id", "published rulebook six-pack-bezique"),
        ({"rules": []}, "/rules", "An object is wanted here"),
        ({"laws": [{"id": "C8", "says": ["Nothing."]}]}, "/laws", "follows from the rest of the sheet"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_pointer(
    change: dict[str, Any], pointer: str, words: str
) -> None:
    data = with_sheet(OURS, sheet_data() | change)
    for strict in (True, False):
        code, at, says = mistakes(data, strict=strict)[0]
        assert (code, words in says) == ("bad-sheet", True), says
        assert at.startswith(f"/rules/sheet{pointer}")


@pytest.mark.parametrize("name", ["edition", "options", "laws", "sources", "articles"])
def test_what_does_not_follow_is_never_left_out(name: str) -> None:
    data = sheet_data()
    del data[name]
    found = mistakes(with_sheet(OURS, data))
    assert ("bad-sheet", "/rules/sheet", f'The member "{name}" is missing.') in found


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("hand", "2"), 3, "No hand can hold the 4 cards"),
        (("hand", "2"), 9.0, "not the fraction 9.0"),
        (("hand", "2"), 10**30, "so large a number"),
        (("pack", "cards"), 64, "a record leaves it out"),
        (("melds", 0, "sets"), None, "a record leaves it out"),
        (("reuse", "forbids"), [], "a record leaves it out"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_rules_is_told_with_its_pointer(path: Any, value: Any, words: str) -> None:
    data = sheet_data()
    holder = data["rules"]
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    found = mistakes(with_sheet(OURS, data))
    assert any(code == "bad-sheet" and words in says for code, _, says in found), found


def test_a_published_rulebook_is_named_and_not_carried() -> None:
    (sheet,) = [each for each in ALL_SHEETS if each.id == "zique"]
    ((code, at, says),) = mistakes(with_sheet(OURS, inner_data(sheet), "zique"))
    assert (code, at) == ("bad-sheet", "/rules/sheet/id")
    assert "published rulebook zique" in says


def test_members_that_come_twice_and_values_nested_too_deeply_are_told() -> None:
    text = codec.encode(OURS)
    twice = text.replace(b'"sheet":{', b'"sheet":{"name":"Theirs",', 1)
    assert [found[:2] for found in mistakes(twice)] == [("duplicate-member", "/rules/sheet/name")]
    deep: Any = 1
    for _ in range(60):
        deep = [deep]
    assert {each[0] for each in mistakes(with_sheet(OURS, sheet_data() | {"says": deep}))} == {
        "too-deep"
    }
    deeper = b"[" * 5_000 + b"]" * 5_000
    data = text.replace(b'"sheet":{', b'"sheet":{"x":' + deeper + b",", 1)
    assert codec.decode(data).record is None


def test_a_rulebook_has_an_end() -> None:
    data = sheet_data() | {"says": "x" * LARGEST_SHEET_BYTES}
    ((code, at, says),) = mistakes(with_sheet(OURS, data))
    assert (code, at) == ("bad-sheet", "/rules/sheet")
    assert "131,072 bytes" in says


@pytest.mark.parametrize("sheet", ["zique", 1, [], True])
def test_what_is_no_object_is_no_rulebook(sheet: Any) -> None:
    assert mistakes(with_sheet(OURS, sheet))[0][:2] == ("wrong-type", "/rules/sheet")


def test_null_is_a_rulebook_left_out() -> None:
    data = with_sheet(OURS, None, "zique")
    record = codec.decode(data).record
    assert record is not None
    assert record.rules.sheet is None


def test_the_options_of_a_rulebook_inside_are_its_own() -> None:
    (name, value) = ("dix", True)
    record = replace(OURS, rules=replace(OURS.rules, options={name: value}))
    assert resolve_rules(record.rules).options[name] is value
    bad = replace(OURS, rules=replace(OURS.rules, options={"x": 1}))
    assert check(codec.encode(bad)).findings[0].code == "unknown-option"
    other = replace(OURS, rules=replace(OURS.rules, edition=2))
    assert check(codec.encode(other)).findings[0].code == "unknown-edition"


def test_a_record_made_in_a_program_is_refused_with_the_first_mistake() -> None:
    rules = replace(OURS.rules, sheet={"id": "ours"})
    with pytest.raises(RulesError, match="is missing") as caught:
        resolve_rules(rules)
    assert (caught.value.code, caught.value.pointer) == ("bad-sheet", "/rules/sheet")
    assert check(codec.encode(replace(OURS, rules=rules))).verdict == "unreadable"


def test_the_notation_keeps_a_rulebook() -> None:
    text = write_notation(OURS)
    back = codec.decode(text.encode()).record
    assert back is not None
    assert codec.encode(back) == codec.encode(OURS)
    assert write_notation(back) == text
    for wrong, line in (
        (text.replace("[rules ours edition 1]\n", "", 1), "Line 2,"),
        (text.replace("[json sheet ", "[json sheet {}]\n[json sheet ", 1), "Line 4,"),
    ):
        found = codec.decode(wrong.encode())
        assert found.record is None
        assert line in found.findings[0].message


def test_what_one_seat_knew_has_the_rulebook() -> None:
    seen = redact(OURS, 0)
    assert seen.rules == OURS.rules
    assert check(codec.encode(seen)).verdict != "unreadable"


def test_the_rulebook_inside_fits_best() -> None:
    best = identify_rules(OURS)[0]
    assert (best.sheet, best.accepted) == ("ours", True)


def test_a_request_pays_for_every_rulebook_that_it_reads() -> None:
    budget = RequestBudget()
    data = codec.encode(OURS)
    other = codec.encode(own_game("zique", ("/rules/melds/bezique/points", 90)))
    damaged = with_sheet(OURS, {"id": "ours"})
    spent = []
    for each in (data, data, other, data, damaged, with_sheet(OURS, {"id": "theirs"})):
        before = budget.left
        check(each, budget=budget)
        spent.append(before - budget.left)
    price = STEPS_A_BYTE_OF_SHEET * len(json.dumps(sheet_data(), separators=(",", ":"))) // 2
    assert [steps >= price for steps in spent] == [True, False, True, False, True, True]


def test_the_cards_of_strangers_melds_are_let_go() -> None:
    for number in range(30):
        data = sheet_data() | {"says": f"{number}"}
        assert read_inner_sheet(data).sheet is not None
        assert compiled._cards_for.cache_info().currsize < 600


@pytest.mark.slow
def test_damaged_rulebooks_are_refused_in_sentences_or_played() -> None:
    """So many of them in a run: BEZIQUE_INNER_SHEETS."""
    random = Random(8)
    accepted = 0
    for _ in range(int(os.environ.get("BEZIQUE_INNER_SHEETS", "300"))):
        base = random.choice(ALL_SHEETS)
        data = inner_data(own_sheet(base.id))
        for _ in range(random.choice([1, 1, 1, 2, 4])):
            damage(data, random)
        text = with_sheet(OURS, data)
        start = process_time()
        decoded = codec.decode(text)
        assert process_time() - start < 2
        if decoded.record is None:
            assert all(each.at.pointer.startswith("/rules/sheet") for each in decoded.findings)
            assert all(each.message.endswith(".") for each in decoded.findings)
        else:
            accepted += 1
            sheet = sheet_of_rules(decoded.record.rules)
            assert inner_data(sheet) == msgspec.to_builtins(decoded.record.rules.sheet)
            report = check(codec.encode(game_by(sheet)))
            assert report.verdict in ("legal", "incomplete"), report.findings
    assert accepted
