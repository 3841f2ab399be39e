"""The kit is whole and fresh: it covers every law and meld, others confirm it, and it catches every planted error."""

import ast
import json
import os
import pickle
import re
from collections import Counter, defaultdict
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import get_args

import jsonschema
import msgspec
import pytest

from records.conformance.answers import FAULTS, OWN_ANSWERS, given_bytes
from records.conformance.cases import (
    ANSWER_SHAPES,
    Area,
    Case,
    Confirmed,
    Feature,
    KitAsk,
    encode_case,
    kit_folder,
    read_kit,
    write_kit,
)
from records.conformance.run import KIT_SCHEMA_FILE, kit_schema
from records.conformance.sheet_errors import mistaken_values
from records.conformance.unshown_errors import NEVER_SHOWN
from records.documents.schemas import SPEC_FOLDER, encode_schema
from records.rules.registry import ALL_SHEETS, get_sheet
from records.validator import check
from tests.playouts import referee
from tests.records.conformance.catching import catches
from tests.records.conformance.code_twins import code_cases
from tests.records.conformance.confirming import (
    choices_confirmed,
    counted,
    record_given,
    refereed,
    replayed,
    rewritten,
    same_again,
    searched,
)
from tests.records.conformance.law_twins import fault_of, is_about, laws_of
from tests.records.conformance.make import KIT, hear, heard, made_anew, own_part
from tests.records.conformance.more_candidates import broken_records, told_of
from tests.records.conformance.one_change import the_change
from tests.records.conformance.planted.catalogue import planted_errors
from tests.records.conformance.planted.page import PAGE, planted_page, read_page
from tests.records.conformance.planted.planting import (
    SHEETS,
    OwnChange,
    SheetChange,
    SourceChange,
    program_says,
)
from tests.records.conformance.planted.searching import (
    changes,
    companies,
    damaged,
    differences,
    game,
    is_right,
    manner,
    sheet_of,
    ways,
)
from tests.records.conformance.planted.value_errors import unshown_errors, value_errors
from tests.records.conformance.refereed import Refereed
from webui.cli.kit_answers import ANSWERS

WHOLE = bool(os.environ.get("BEZIQUE_KIT"))
"""Whether every case is confirmed and every error planted; if not, some of them."""
SHARE = 1 if WHOLE else 16
CHOICES_SHARE = 7 if WHOLE else 60
FEWEST_ERRORS, MOST_CASES = 80, 400
WITHOUT_TWINS = {
    (
        "polish-bezique",
        law,
    ): "A double has all four cards, so that C12 leaves none for another meld."
    for law in ("A-17", "A-18")
}
"""Laws of a sheet that no record can break, and why."""


@cache
def kit() -> dict[str, Case]:
    return {case.id: case for case in read_kit(kit_folder())}


def some(area: str, *, share: int = SHARE) -> list[Case]:
    """Every so many-th case of an area."""
    return [case for case in kit().values() if case.area == area][::share]


@pytest.mark.long
def test_the_answers_are_fresh():
    for case in list(kit().values())[::SHARE]:
        same_again(case, ANSWERS)


def test_every_law_of_every_sheet_has_twins_that_are_confirmed():
    having = set()
    for case in kit().values():
        twin = kit().get(case.twin or "")
        if case.area == "twins" and twin is not None and not case.expect["right"]:
            assert not case.laws or {"referee"} == {*case.confirmed} & {*twin.confirmed}, case.id
            having |= {(case.sheet, law) for law in case.laws}
    every = {(sheet.id, law) for sheet in ALL_SHEETS for law in laws_of(sheet.id)}
    assert every - having == WITHOUT_TWINS.keys()


def test_every_twin_falls_by_its_law_and_serves_one():
    for case in kit().values():
        assert len(case.laws) <= 1 or case.area != "twins" or not case.twin, case.id
        if case.twin and not case.expect["right"]:
            fault = fault_of(record_given(case))
            assert fault is not None
            assert all(is_about(fault, law) for law in case.laws), (case.id, fault.code)


@pytest.mark.long
def test_every_code_of_a_sheet_stands_twice_and_has_a_twin():
    """As far as the broken samples, told of this sheet, show it more than once and a neighbour mends it."""
    for sheet in map(get_sheet, SHEETS[:: 1 if WHOLE else 5]):
        cases = [case for case in kit().values() if case.sheet == sheet.id]
        told = [
            one.record for one in told_of(sheet, broken_records()) if not one.record.rules.options
        ]
        assert [case.id for case in code_cases(sheet, cases, told)] == [], sheet.id


def test_every_sheet_has_at_most_four_hundred_cases():
    sizes = Counter(case.sheet for case in kit().values())
    assert max(sizes.values()) < MOST_CASES, sizes


def test_twins_differ_in_one_place_and_in_their_verdict():
    for case in kit().values():
        if case.twin is None:
            continue
        other = kit()[case.twin]
        assert case.expect["right"] != other.expect["right"], case.id
        assert the_change(case.given["record"], other.given["record"]), case.id


def test_every_meld_of_every_sheet_is_scored_in_a_twin_and_possible_in_a_count():
    for sheet in ALL_SHEETS:
        for row in sheet.rules.melds:
            name = f"meld-{row.words.replace(' ', '-')}"
            assert kit()[f"{sheet.id}/twins/{name}"].expect["right"]
            points = kit()[f"{sheet.id}/perft/{name}"].expect["points"]
            assert points[0][0] >= row.points


def test_every_area_has_cases_of_every_sheet_that_it_can_have():
    areas = defaultdict(set)
    for case in kit().values():
        areas[case.area].add(case.sheet)
    every = {sheet.id for sheet in ALL_SHEETS}
    for area in ("games", "twins", "mutants", "replay", "perft", "partial"):
        assert areas[area] == every, area
    assert areas["endings"] == every - {"zetema", "polish-bezique"}
    assert len(areas["settlement"]) == 5
    assert None in areas["bytes"]
    assert areas["canonical"] == {None}


def test_bytes_that_are_of_no_sheet_are_unreadable():
    """So they can be asked of every program, whatever it knows."""
    some = [case for case in kit().values() if case.area == "bytes" and case.sheet is None]
    assert {case.expect["verdict"] for case in some} == {"unreadable"}


def test_games_and_positions_can_be_read():
    """A case that is refused unread tells nothing of the rules that it is about."""
    some = [case for case in kit().values() if case.area in ("games", "mutants")]
    assert [case.id for case in some if case.expect["verdict"] == "unreadable"] == []


def test_what_is_followed_counted_or_valued_is_without_errors():
    """A program that judges a position before it answers must not find that it is none."""
    for case in kit().values():
        if case.ask in ("replay", "perft", "ending"):
            report = check(given_bytes(case.given))
            assert [one.code for one in report.findings if one.severity in FAULTS] == [], case.id


def test_the_schema_is_fresh_and_fits():
    schema = kit_schema()
    assert (SPEC_FOLDER / KIT_SCHEMA_FILE).read_bytes() == encode_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for path in kit_folder().glob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines()[::20]:
            validator.validate(json.loads(line))
    index = json.loads((kit_folder() / "index.json").read_text(encoding="utf-8"))
    part = {"$ref": "#/$defs/KitIndex", "$defs": schema["$defs"]}
    jsonschema.Draft202012Validator(part).validate(index)


def test_the_examples_of_the_page_fit_the_schema():
    page = (SPEC_FOLDER / "conformance.md").read_text(encoding="utf-8")
    kinds = {"case": "Case", "request": "Request", "hello": "Hello", "answer": "Judgement"}
    kinds |= {ask: shape.__name__ for ask, shape in ANSWER_SHAPES.items() if ask != "validate"}
    examples = re.findall(r"^```json (\w+)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert {kind for kind, _ in examples} == {*kinds, "given"}
    for number, (kind, text) in enumerate(examples):
        example = json.loads(text)
        if kind == "given":
            asked, answer = examples[number + 1]
            expected = json.loads(answer)
            assert expected.pop("seq")
            assert OWN_ANSWERS[asked](example) == expected
            continue
        if kind in ("answer", *ANSWER_SHAPES):
            assert example.pop("seq")
        schema = {"$ref": f"#/$defs/{kinds[kind]}", "$defs": kit_schema()["$defs"]}
        jsonschema.Draft202012Validator(schema).validate(example)


def test_every_answer_has_the_shape_of_its_question():
    assert set(ANSWER_SHAPES) == set(get_args(KitAsk))
    for case in kit().values():
        msgspec.convert(case.expect, ANSWER_SHAPES[case.ask])


def test_the_page_shows_the_harness():
    page = (SPEC_FOLDER / "conformance.md").read_text(encoding="utf-8")
    assert f"```python\n{(kit_folder() / 'harness.py').read_text(encoding='utf-8')}```" in page


def test_the_page_names_every_area_feature_and_question():
    page = (SPEC_FOLDER / "conformance.md").read_text(encoding="utf-8")
    for words in (KitAsk, Area, Feature, Confirmed):
        for word in get_args(words):
            assert f"`{word}`" in page or f"**{word}**" in page, word


# -- confirmed by others


@pytest.mark.parametrize("area", ["games", "mutants", "twins", "odd", "settlement"])
def test_the_referee_confirms(area: str):
    confirmed = [case for case in some(area) if "referee" in case.confirmed]
    assert confirmed
    for case in confirmed:
        refereed(case)


def test_most_judgements_are_confirmed():
    judged = [case for case in kit().values() if case.ask == "validate" and case.area != "bytes"]
    assert all(case.confirmed for case in judged if case.area in ("odd", "partial", "bytes"))
    # The referee knows no ruling of the players, nor a misdeal.
    unconfirmed = [case for case in judged if not case.confirmed]
    assert all("irregular" in case.features for case in unconfirmed)
    page = (SPEC_FOLDER / "conformance.md").read_text(encoding="utf-8")
    assert f"{len(unconfirmed)} cases are confirmed by nobody else" in page


def test_the_referee_shares_no_code_with_the_engine_and_the_validator():
    """It takes from the product what a record and a rulebook are, and nothing that plays or judges."""
    folder, seen, taken = Path(referee.__file__).parent, set[str](), set[str]()
    modules = ["referee"]
    while modules:
        seen.add(name := modules.pop())
        for source in imported_by((folder / f"{name}.py").read_text(encoding="utf-8")):
            if source.startswith("tests.playouts."):
                modules += {source.rpartition(".")[2]} - seen
            elif source.startswith(("records", "tests", "analyzer", "webui", ".")):
                taken.add(source)
    assert len(seen) >= 6
    assert taken <= {
        "records.cards", "records.errors", "records.events", "records.record",
        "records.rules.registry", "records.rules.vocabulary", "tests.records.rules.changed_sheets",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "module"),
    [
        ("import json, records.engine.table as t", "records.engine.table"),
        ("if 1:\n    from records.engine.table import Table", "records.engine.table"),
        ("from ..table import Table", "..table"),
    ],
)
def test_no_way_to_import_is_overlooked(text: str, module: str):
    assert module in imported_by(text)


def imported_by(text: str) -> set[str]:
    """The modules from which a module imports anything."""
    found = set[str]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("." * node.level + (node.module or ""))
    return found


def test_the_referee_confirms_replays():
    for case in some("replay", share=1 if WHOLE else 4):
        replayed(case)
        choices_confirmed(case, every=CHOICES_SHARE)


def test_brute_force_confirms_the_counts():
    for case in some("perft"):
        counted(case)


def test_a_search_to_the_end_confirms_the_endings():
    for case in some("endings"):
        searched(case)


def test_a_second_writer_confirms_the_canonical_form():
    for case in some("canonical", share=1):
        rewritten(case)


# -- planted errors


def test_the_page_of_planted_errors_is_fresh():
    caught = read_page()
    assert set(caught) == {(error.sheet, error.name) for error in planted_errors()}
    assert planted_page(caught) == PAGE.read_text(encoding="utf-8")
    assert {catch.case for catch in caught.values() if catch.case} <= kit().keys()
    assert [name for name, catch in caught.items() if catch.case is None] == []
    whole = {catch.in_whole_deal for catch in caught.values() if catch.in_whole_deal}
    assert all("setup" not in kit()[name].features for name in whole)
    for sheet in SHEETS:
        kinds = [error.kind for error in planted_errors() if error.sheet == sheet]
        assert len(kinds) >= FEWEST_ERRORS
        assert len({*kinds}) >= 8, get_sheet(sheet).name


def test_every_error_can_be_planted():
    for error in planted_errors():
        change = error.change
        if isinstance(change, SourceChange | OwnChange):
            source = Path(str(change.module.__file__)).read_text(encoding="utf-8")
            assert source.count(change.old) == 1, (error.sheet, error.name)
        elif isinstance(change, SheetChange):
            assert change.sheet != get_sheet(error.sheet)


def test_every_reason_why_no_record_shows_an_error_is_one_of_some_sheet():
    names = {(sheet, one.name) for sheet in ALL_SHEETS for one in mistaken_values(sheet)}
    for pattern, of, why in NEVER_SHOWN:
        assert any(re.match(pattern, name) and of(sheet.rules) for sheet, name in names), why


@pytest.mark.slow
@pytest.mark.parametrize("sheet", SHEETS)
def test_no_game_shows_an_error_that_no_record_can_show(sheet: str):
    """A game at every table by every set of options; `make soak ARGS="--unshown"` goes on."""
    own = get_sheet(sheet)
    assert [*differences(own, range(len(ways(own))))] == []


@pytest.mark.long
@pytest.mark.parametrize("sheet", ["zique", "zetema"])
def test_a_search_finds_the_errors_that_games_show_among_those_that_none_can(sheet: str):
    own = get_sheet(sheet)
    shown = [one for one in value_errors(own) if one.kind == "points"]
    found = differences(own, range(20), [*shown, *unshown_errors(own)])
    named = {line.partition(": ")[0].partition(", ")[2] for line in found}
    assert named <= {one.name for one in shown}
    assert len(named) > len(shown) / 2


def test_a_search_plays_by_every_set_of_options_in_every_manner():
    own = get_sheet("six-pack-bezique")
    played = [manner(own, seed) for seed in range(200 * len(ways(own)))]
    named = ("style", "where", "shows", "labels")
    for name, other in combinations(named, 2):
        found = {(str(way), how[name], how[other]) for way, how in played}
        assert len(found) == 2 * 2 * len(ways(own)), (name, other)


@pytest.mark.long
@pytest.mark.parametrize("sheet", ["polish-bezique", "zetema"])
def test_the_search_reads_as_much_of_a_record_as_tells_whether_it_is_right(sheet: str):
    own = get_sheet(sheet)
    games = [game(own, seed) for seed in range(0, 400, 20)]
    some = [*games, *(other for at, each in enumerate(games) for other in damaged(each, at))]
    assert all(is_right(each) for each in games)
    assert [is_right(each) for each in some] == [program_says(each).right for each in some]


def test_errors_in_company_are_all_in_one_sheet_and_each_in_some():
    own = get_sheet("zetema")
    known = [(error, changes(own, sheet_of(error))) for error in unshown_errors(own)]
    found = [*companies(own, known, Random(1))]
    assert len(found) < len(known) / 4
    assert Counter(each.name for one in found for each in one.errors) == Counter(
        error.name for error, _ in known
    )
    for error, said in known:
        company = next(one for one in found if error in one.errors)
        assert changes(own, company.sheet).items() >= said.items()


def test_a_case_is_written_alike_wherever_it_was_made(tmp_path: Path) -> None:
    """In this process, in another that sent it, and in one that read it."""
    read = read_kit(KIT)
    write_kit(tmp_path, pickle.loads(pickle.dumps(read)))
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (KIT / path.name).read_bytes()
    made = Case(id="a", area="odd", ask="validate", about="", given={}, expect={})
    again = msgspec.json.decode(encode_case(made), type=Case)
    assert encode_case(made) == encode_case(again) == encode_case(pickle.loads(pickle.dumps(made)))


@pytest.mark.slow
def test_the_kit_made_anew_is_the_kit(tmp_path: Path) -> None:
    """`make soak ARGS="--kit"` makes it whole, `make slow` the part of the sheet that takes least."""
    cases, caught = made_anew([*SHEETS] if WHOLE else ["marjolet"], None, workers=1)
    write_kit(tmp_path, cases)
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert files.keys() <= {path.name for path in KIT.iterdir()}
    assert [name for name in files if files[name] != (KIT / name).read_bytes()] == []
    assert planted_page(caught) == PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def law_records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The records of the tests of the laws."""
    file = tmp_path_factory.mktemp("laws") / "laws.jsonl"
    hear(file)
    return file


@pytest.mark.slow
@pytest.mark.parametrize("sheet", SHEETS)
def test_what_every_sheet_has_is_as_made_anew(sheet: str, law_records: Path) -> None:
    """All that the choice by planted errors does not decide: a new test of a law may have made a better twin."""
    cases, _ = own_part(get_sheet(sheet), heard(law_records))
    for case in cases:
        case.twin = case.twin if case.twin in kit() else None
    assert [case.id for case in cases if kit().get(case.id) != case] == []


KINDS_OF_AUTHORS: dict[str, tuple[str, ...]] = {
    "no duty to trump": ("need-not-trump", "no-duty"),
    "no duty to beat": ("need-not-beat",),
    "following by another option": ("follow=suit-as-head", "follow=head-as-suit", "follow=any-as-suit"),
    "the card just won serves twice": ("serves-twice",),
    "a meld without a card just won": ("no-card-won",),
    "cards of four of a kind reused": ("four-again",),
    "a meld after the last trick refused": ("phases.close.melds=1", "meld_after_close=true-as-false"),
    "an exchange counted as one of the melds": ("phases.stock.melds=1",),
    "brisques of a position forgotten": ("brisques-before-unread",),
    "bezique by trumps, half done": (
        "bezique_cards=by_trump-without-bezique_cards.S.0", "bezique_cards=by_trump-without-bezique_cards.D.1"
    ),
    "hands of nine refused": ("hand_size=9-as-8",),
    "options of the seven": (
        "dix_once_per_card=true-as-false", "dix_once_per_card=false-as-true", "dix_in_last_tricks=true-as-false",
        "dix_in_last_tricks=false-as-true"
    ),
    "the place that a card is played from": ("from-unread", "no-not-on-table"),
    "a count against its points": ("count-unread",),
    "a seven claimed that was not played": ("no-dix-not-played",),
    "a deal cut short": ("no-deal-cut-short",),
    "totals of the last deal alone": ("last-deal-only",),
    "a settlement in a game without one": ("no-settlement-not-in-rules",),
    "unfinished after a win": ("status-unread", "no-wrong-status"),
    "a misdeal that keeps its score": ("misdeal-unread",),
    "a withdrawn meld that stays": ("withdrawal-unread",),
    "points ruled at the table": ("ruling-unread",),
    "the order of the stock": ("stock-unread",),
    "who takes a trick": ("any-winner", "no-wrong-trick-winner"),
}  # fmt: skip
"""By the words of people who planted errors in a validator of Polish Bezique, the errors that stand for each kind."""


@pytest.mark.parametrize("kind", KINDS_OF_AUTHORS)
def test_every_kind_of_error_that_others_planted_is_caught(kind: str):
    caught = read_page()
    for name in KINDS_OF_AUTHORS[kind]:
        assert caught["polish-bezique", name].case in kit(), name


@pytest.mark.long
@pytest.mark.parametrize("sheet", SHEETS)
def test_planted_errors_are_caught(sheet: str):
    page = read_page()
    errors = [error for error in planted_errors() if error.sheet == sheet]
    for error in errors[:: 1 if WHOLE else 50]:
        for name in {name for name in page[error.sheet, error.name] if name is not None}:
            case = kit()[name]
            at = case.expect.get("at")
            expected = Refereed(case.expect["right"], at and (at[0], at[1]))
            assert [*catches(error, [(record_given(case), expected)])] == ["verdict"], (error, name)
