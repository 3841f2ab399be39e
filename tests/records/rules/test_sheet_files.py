"""The published sheets say everything: what a reader of their JSON computes is what the engine and the referees do."""

from collections.abc import Iterator
from itertools import combinations, product
from random import Random
from types import SimpleNamespace
from typing import Any

import jsonschema
import msgspec
import pytest

from records.cards import SUITS
from records.documents.schemas import SPEC_FOLDER, sheet_schema
from records.documents.sheet_files import encode_sheet
from records.engine.copies import ReadingBudget
from records.engine.following import lawful_replies
from records.engine.reuse import CLAUSES_IN_ORDER
from records.engine.table import Table
from records.engine.zetema import combination_points
from records.rules import vocabulary as v
from records.rules.compiled import compile_sheet
from records.rules.complete import complete_sheet
from records.rules.registry import ALL_SHEETS, SHEETS_FOLDER, apply_options, changes_of
from records.rules.settlement import settle_deal
from tests.playouts.games import agree, values
from tests.playouts.melds import may_score, note
from tests.playouts.settling import settle
from tests.records.rules import published_sheets as published

by_sheet = pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)


def single_options(sheet: v.RuleSheet) -> Iterator[dict[str, Any]]:
    """The defaults, and every value of every option alone."""
    yield {}
    for option in sheet.options:
        for value in values(option):
            yield {option.name: value}


def test_the_files_repeat_rightly_what_follows_from_the_rest() -> None:
    """`python -m records.documents.sheet_files` writes it."""
    written = {path.name: path.read_bytes() for path in SHEETS_FOLDER.iterdir()}
    assert written == {
        f"{sheet.id}.json": encode_sheet(complete_sheet(sheet)) for sheet in ALL_SHEETS
    }


def as_published(part: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(part))


@by_sheet
def test_nothing_in_a_file_is_unread(sheet: v.RuleSheet) -> None:
    data = published.read_sheet(sheet.id)
    assert data == {"$schema": "../sheet.schema.json"} | as_published(sheet)


@by_sheet
def test_a_sheet_fits_its_schema(sheet: v.RuleSheet) -> None:
    validator = jsonschema.Draft202012Validator(sheet_schema())
    validator.validate(published.read_sheet(sheet.id))


@by_sheet
def test_an_option_changes_what_the_file_says_and_no_more(sheet: v.RuleSheet) -> None:
    data = published.read_sheet(sheet.id)
    for chosen in single_options(sheet):
        resolved = apply_options(sheet, chosen).sheet
        assert published.rules_with(data, chosen) == as_published(resolved.rules)


@by_sheet
def test_an_option_leaves_what_it_does_not_change_the_very_same(sheet: v.RuleSheet) -> None:
    for chosen in single_options(sheet):
        changed = {
            change.path.split("/")[2]
            for option in sheet.options
            for change in changes_of(option, chosen.get(option.name, option.default))
            if option.name in chosen
        }
        rules = apply_options(sheet, chosen).sheet.rules
        for field in msgspec.structs.fields(v.SheetRules):
            if field.encode_name not in changed:
                assert getattr(rules, field.name) is getattr(sheet.rules, field.name)


@by_sheet
def test_two_options_contradict_each_other_or_change_the_sheet_together(sheet: v.RuleSheet) -> None:
    data = published.read_sheet(sheet.id)
    for first, second in combinations(sheet.options, 2):
        for one, other in product(values(first), values(second)):
            chosen = {first.name: one, second.name: other}
            contradict = published.contradict(published.option_changes(data, chosen))
            assert contradict is not agree(sheet, chosen)
            if contradict:
                continue
            resolved = apply_options(sheet, chosen).sheet
            assert published.rules_with(data, chosen) == as_published(resolved.rules)


@by_sheet
def test_the_sets_of_every_meld_are_those_the_engine_accepts(sheet: v.RuleSheet) -> None:
    data = published.read_sheet(sheet.id)
    ways: list[dict[str, Any]] = [{}]
    ways += [{o.name: "by_trump"} for o in sheet.options if o.name == "bezique_cards"]
    for chosen in ways:
        rules = published.rules_with(data, chosen)
        compiled = compile_sheet(apply_options(sheet, chosen).sheet)
        for trump in SUITS if isinstance(sheet.rules.trumps, v.TurnUp) else (None,):
            accepted = {
                (m.name, m.points, f) for f, ms in compiled.melds(trump).items() for m in ms
            }
            listed = [meld for meld in rules["melds"] if meld["cards"]["form"] == "list"]
            found = {
                (meld["name"], meld["points"], cards)
                for meld in listed
                for cards in published.sets_of(rules, meld, trump)
            }
            if isinstance(
                sheet.rules.trumps, v.FirstMeld
            ):  # the first of a suit is worth what trumps are
                makers = rules["trumps"]["melds"]
                found = {each for each in found if each[0] not in makers} | {
                    (meld["name"], meld["points"], cards)
                    for suit in SUITS
                    for meld in listed
                    if meld["name"] in makers and meld["cards"]["cards"][0]["suit"] == "trumps"
                    for cards in published.sets_of(rules, meld, suit)
                }
            assert found == accepted
            for meld in listed:
                assert meld["sets"][trump or "none"] == len(published.sets_of(rules, meld, trump))


@by_sheet
def test_the_duty_to_follow_is_the_engines(sheet: v.RuleSheet) -> None:
    data, luck = published.read_sheet(sheet.id), Random(sheet.id)
    if data["rules"]["play"]["by"] != "tricks":
        assert [phase["must_play"] for phase in data["rules"]["phases"]] == [None, None]
        return
    pack = [rank + suit for rank in sheet.rules.pack.ranks for suit in SUITS]
    for follow in ("any", "head", "suit"):
        chosen = {"follow": follow}
        rules, compiled = (
            published.rules_with(data, chosen),
            compile_sheet(apply_options(sheet, chosen).sheet),
        )
        for _ in range(100):
            hand, led = luck.sample(pack, luck.randint(1, 8)), luck.choice(pack)
            trump, phase = luck.choice([*SUITS, None]), luck.randrange(2)
            table = Table(compiled, ["North", "South"], ReadingBudget(), dealer=1)
            table.held[0].update(dict.fromkeys(hand, 1))
            table.phase = compiled.phases[phase]
            table.set_trump(trump)
            owed = published.may_play(rules, phase, hand, led, trump)
            assert owed == set(lawful_replies(table, 0, led)), (hand, led, trump, follow, phase)


ONE_DEAL = [sheet for sheet in ALL_SHEETS if isinstance(sheet.rules.match, v.OneDeal)]


@pytest.mark.parametrize("sheet", ONE_DEAL, ids=lambda sheet: sheet.id)
def test_settlements_by_the_sheet_are_those_of_the_engine_and_of_the_referee(
    sheet: v.RuleSheet,
) -> None:
    data, luck = published.read_sheet(sheet.id), Random(sheet.id)
    for chosen in single_options(sheet):
        game = apply_options(sheet, chosen).sheet.rules.match
        if chosen and game == sheet.rules.match:
            continue
        assert isinstance(game, v.OneDeal)
        rules = published.rules_with(data, chosen)
        worth = 80 * sheet.rules.pack.packs
        for _ in range(150):
            around = luck.choice([game.rubicon, 150])
            points = [10 * luck.randrange(around // 5) for _ in "ab"]
            points[1] = luck.choice([points[1], points[0]])
            taken = 10 * luck.randrange(worth // 10 + 1)
            brisques = [taken, worth - taken]
            settled = settle_deal(game, list(points), list(brisques))
            by_sheet = published.settle(rules, points, brisques)
            assert by_sheet == (settled.totals, settled.receives), (points, brisques)
            if "win_bonus" not in chosen:  # the referee knows no other than the usual
                judged = settle(game, list(points), list(brisques))
                assert by_sheet == (judged.totals, judged.receives)


OFTEN_SCORED = ("marriage", "bezique", "double_bezique", "sequence", "four_kings", "marjolet")
REUSE_OPTIONS = (
    "singles_then_double", "double_then_single", "sequence_then_marriage", "card_leaves_by", "polish_once_ever",
)  # fmt: skip


@by_sheet
def test_the_clauses_of_reuse_forbid_what_the_referee_forbids(sheet: v.RuleSheet) -> None:
    """Melds in long games with many copies and few ranks: what may score is scored, and cards are played."""
    data, luck = published.read_sheet(sheet.id), Random(sheet.id)
    if data["rules"]["play"]["by"] != "tricks":
        assert data["rules"]["reuse"]["forbids"] == []
        return
    melds = [
        (row, number, sorted(published.sets_of(data["rules"], meld, "H")))
        for number, (row, meld) in enumerate(
            zip(sheet.rules.melds, data["rules"]["melds"], strict=True)
        )
        if row.name in OFTEN_SCORED
    ]
    bold = [each for each in melds if "bezique" in each[0].name] or melds
    names = [option for option in sheet.options if option.name in REUSE_OPTIONS]
    seen: set[str] = set()
    ways = list(product(*([option.default, *values(option)] for option in names)))
    times = max(2, 20 // len(ways))
    for settings in ways:
        chosen = dict(zip((option.name for option in names), settings, strict=True))
        rules, resolved = published.rules_with(data, chosen), apply_options(sheet, chosen).sheet
        answers = [_try_melds(rules, resolved, of, luck, seen) for of in (melds, bold) * times]
        assert {True, False} <= {answer for each in answers for answer in each}
    clauses = {each["clause"] for each in data["rules"]["reuse"]["forbids"]}
    assert clauses <= set(CLAUSES_IN_ORDER)
    assert seen == clauses - {"no-card-won", "served"}


def _try_melds(
    rules: published.Data, sheet: v.RuleSheet, melds: list[Any], luck: Random, seen: set[str]
) -> set[bool]:
    """Try melds of one hand, hearts being trumps, and compare every answer; what may score is scored."""
    pack = {
        f"{rank}{suit}.{copy}"
        for rank in "ATKQJ"
        for suit in SUITS
        for copy in range(1, 1 + min(3, rules["pack"]["copies"][suit]))
    }
    world: Any = SimpleNamespace(scored=[[], []], hands=[pack, set()], replaced=set())
    earlier: list[published.EarlierMeld] = []
    answers = set()
    for _ in range(30):
        row, number, sets = luck.choice(melds)
        hand = sorted(pack)
        if luck.random() < 0.5:
            luck.shuffle(hand)
        cards = _copies(luck.choice(sets), hand)
        if not cards:
            continue
        meld = rules["melds"][number]
        forbidding = published.forbidding_clauses(rules, meld, cards, earlier, pack)
        may = may_score(sheet, world, 0, row, cards)
        assert may is not bool(forbidding), (row.name, cards, forbidding)
        seen |= forbidding
        answers.add(may)
        if may:
            note(sheet, world, 0, row, cards)
            earlier.append(published.EarlierMeld(meld, cards))
        elif luck.random() < 0.3 and sheet.rules.melds_from is v.MeldsFrom.HELD:
            pack.discard(luck.choice(sorted(cards)))
    return answers


def _copies(faces: tuple[str, ...], hand: list[str]) -> frozenset[str]:
    """The first copies of these cards in a hand; nothing if it lacks one."""
    found: list[str] = []
    for face in faces:
        found += [card for card in hand if card[:2] == face and card not in found][:1]
    return frozenset(found if len(found) == len(faces) else ())


@by_sheet
def test_laws_and_sources_that_are_cited_are_there(sheet: v.RuleSheet) -> None:
    data = published.read_sheet(sheet.id)
    cited = {law for article in data["articles"] for law in article["laws"]}
    assert cited <= {law["id"] for law in data["laws"]}
    assert data["rules"]["reuse"]["law"] in cited
    tags = {
        tag for article in data["articles"] for tag in article["sources"] + article["points_from"]
    }
    assert tags <= {source["tag"] for source in data["sources"]}
    laws = {option["law"] for option in data["options"]}
    known = {law["id"] for law in data["laws"]} | {source["tag"] for source in data["sources"]}
    assert laws <= known | {"practice"}
    assert all("[" not in source["title"].split(" from ")[0] for source in data["sources"])
    assert SPEC_FOLDER / "sheets" / f"{sheet.id}.json" == SHEETS_FOLDER / f"{sheet.id}.json"


def test_each_marriage_in_a_doubled_suit_scores_more() -> None:
    (sheet,) = [sheet for sheet in ALL_SHEETS if sheet.rules.tableau is not None]
    rules = published.read_sheet(sheet.id)["rules"]
    table = Table(compile_sheet(sheet), ["North", "South"], ReadingBudget(), dealer=1)
    for row, meld in zip(sheet.rules.melds, rules["melds"], strict=True):
        if meld["name"] == "marriages":
            for cards in published.sets_of(rules, meld, None):
                worth = published.marriage_points(rules, meld, cards)
                assert worth == combination_points(table, row, cards), cards
