"""The code and the fields of a sheet that implement each law, and small changes of them that its tests must notice.

A law is exercised only if its tests kill a change of what implements it: a condition turned round, another
comparison, a number one higher, a finding not made, or a field of the sheet with another value. `LAW_CODE` says of each
law where it is: `following:lawful_replies` is a function, `=close.follow` a field of the sheets.
"""

import ast
import copy
import importlib
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from types import FunctionType, ModuleType
from typing import Any
from unittest.mock import patch

from records.rules import compiled, registry, tricks
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import REUSE_RULES, RuleSheet
from tests.records.rules.changed_sheets import member_at, with_member

LAW_CODE = {
    "C1": "tricks:RankedCards.__init__ check_deals:_copies",
    "C2": "check_plays:_turn check_deals:_wrong_dealer",
    "C3": "tricks:RankedCards.beaters",
    "C4": "=stock.follow",
    "C5": "check_melds:_window check_plays:_draw_turn",
    "C6": "effects:_take_turn_up check_plays:_card",
    "C7": "check_plays:_elsewhere effects:enter_phase",
    "C8": "=close.follow tricks:RankedCards.duties tricks:RankedCards._group following:lawful_replies",
    "C9": "=brisques.points",
    "C10": "compiled:_faces_of compiled:_cards_for",
    "C11": "=bezique_cards.S compiled:bezique_faces",
    "C12": "reuse:of_the_trick_just_won effects:_capture",
    "C13": "melds:_make_trumps compiled:_trump_makers",
    "C14": "carte_blanche:may_show_carte_blanche carte_blanche:draw_in_blanche_chain",
    "C15": "settlement:_with_brisques settlement:_compared settlement:_valued",
    "C16": "carte_blanche:cut",
    "C17": "following:winner_of_round following:_owed_in_turn following:card_to_beat tricks:trumped_duties",
    "Z1": "=hand check_deals:_hands",
    "Z2": "check_zetema:_turn check_zetema:_window",
    "Z3": "compiled:fits_shape combinations:find_combination check_zetema:_no_hand_card",
    "Z4": "=tableau.zetemas turn:_lay_on_pile",
    "Z5": "turn:finish_drawing_up turn:begin_turn",
    "Z6": "=match.target",
    "R-SET": "reuse:once_per_set",
    "R-KIND": "reuse:once_per_kind",
    "R-CLASS": "reuse:upward_in_class reuse:_climbs",
    "R-RUB": "reuse:reformed_after_leaving",
    "R-PORT": "reuse:reformed_after_play",
    "R-001": "reuse:augment_or_restore reuse:_grows",
    "R-PENDING": "=pending melds:declare",
    "A-01": "dix:may_be_exchanged check_melds:_exchange",
    "A-02": "=dix.once_per_card check_melds:_spent",
    "A-03": "=dix.in_last_tricks",
    "A-04": "=dix.played =dix.show =dix.exchange",
    "A-05": "=dix.exchange_is_the_meld",
    "A-06": "=tenth_trick.to effects:award_last_stock_trick",
    "A-07": "effects:draw effects:enter_phase",
    "A-08": "=close.melds",
    "A-09": "=last_trick.tricks",
    "A-10": "effects:takes_all_closed_tricks =last_tricks.points",
    "A-11": "=match.target",
    "A-12": "=close.melds",
    "A-13": "following:lawful_replies melds:_make_trumps",
    "A-14": "=reuse.law",
    "A-15": "=reuse.sequence_then_marriage",
    "A-16": "=reuse.law",
    "A-17": "=reuse.singles_then_double",
    "A-18": "=reuse.double_then_single",
    "A-19": "reuse:once_per_kind reuse:upward_in_class",
    "A-20": "=reuse.card_leaves_by",
    "A-21": "=reuse.law",
    "A-22": "=reuse.law",
    "A-23": "=reuse.law",
    "A-24": "=stock.melds reuse:once_per_set",
    "A-25": "=reuse.law =stock.melds",
    "A-26": "=reuse.once_ever",
    "A-27": "settlement:_with_brisques settlement:_higher",
    "A-28": "settlement:_with_brisques",
    "A-29": "=match.settlement.win.least_difference settlement:_valued",
    "A-30": "=match.settlement.win.base =double_bezique.points",
    "A-30a": "carte_blanche:draw_in_blanche_chain",
    "A-30b": "=carte_blanche.courts carte_blanche:_is_blank",
    "A-30c": "carte_blanche:cut",
    "A-30d": "check_melds:_limit",
    "A-31": "turn:combine turn:_marry",
    "A-32": "turn:combine turn:_marry",
    "A-33": "=tableau.draw_up_to",
    "A-34": "check_zetema:_window =close.melds",
    "A-35": "turn:begin_turn check_zetema:_turn",
    "A-36": "=tableau.chain turn:must_go_on",
    "A-37": "=pack.row compiled:in_a_row",
    "A-38": "=tableau.marriage_hand_cards",
    "A-39": "compiled:fits_shape combinations:find_combination",
    "A-40": "check_zetema:_discard_from =match.end",
    "A-41": "=tableau.doubled_suit_below =tableau.doubled_suit_points",
    "A-42": "=tableau.zetemas turn:_lay_on_pile",
    "A-43": "=match.target",
    "A-44": "=dix.spent_exchanges check_melds:_exchange",
    "A-45": "melds:withdraw_meld turn:withdraw_combination",
    "A-46": "=trumps.when melds:declare",
    "A-47": "reuse:_restores",
    "A-48": "settlement:_with_brisques settlement:possible_settlements",
    "A-49": "labels:is_beyond_pack",
    "A-50": "check_scores:check_score",
    "A-51": "settlement:_valued =match.settlement.win_difference",
    "A-52": "=pack.copies.S",
    "A-53": "match_play:relate",
}
PLACES = {
    "effects": "records.engine.effects",
    "following": "records.engine.following",
    "melds": "records.engine.melds",
    "dix": "records.engine.dix",
    "carte_blanche": "records.engine.effects",
    "turn": "records.engine.zetema",
    "combinations": "records.engine.zetema",
    "reuse": "records.engine.reuse",
    "labels": "records.engine.copies",
    "compiled": "records.rules.compiled",
    "tricks": "records.rules.tricks",
    "settlement": "records.rules.settlement",
    "check_deals": "records.validate.check_deals",
    "check_scores": "records.validate.check_scores",
    "match_play": "records.match_play",
    "check_melds": "records.validate.check_melds",
    "check_plays": "records.validate.check_plays",
    "check_zetema": "records.validate.check_zetema",
}
COMPARED = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE,
    ast.GtE: ast.Gt, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip


@contextmanager
def fresh_rules() -> Iterator[None]:
    """Within it sheets are resolved and compiled anew, and afterwards again."""
    caches = [
        f
        for m in (registry, compiled, tricks)
        for f in vars(m).values()
        if hasattr(f, "cache_clear")
    ]
    for cached in caches:
        cached.cache_clear()
    try:
        yield
    finally:
        for cached in caches:
            cached.cache_clear()


def mutants_of(law: str) -> Iterator[tuple[str, Any]]:
    """Every change to what implements a law: its words, and a context within which it is so."""
    for place in LAW_CODE[law].split():
        if place.startswith("="):
            yield from _field_mutants(place[1:])
        else:
            yield from _function_mutants(place)


def _field_mutants(path: str) -> Iterator[tuple[str, Any]]:
    """A field of all sheets that have it, with another value in each."""
    tried = 0
    while True:
        changed = {sheet.id: list(_other_values(member_at(sheet, path))) for sheet in ALL_SHEETS}
        sheets = tuple(
            with_member(sheet, path, changed[sheet.id][tried])
            if len(changed[sheet.id]) > tried else sheet
            for sheet in ALL_SHEETS
        )  # fmt: skip
        if sheets == ALL_SHEETS:
            return
        tried += 1
        yield f"{path}, value {tried}", _sheets(sheets)


@contextmanager
def _sheets(sheets: tuple[RuleSheet, ...]) -> Iterator[None]:
    by_id = {sheet.id: sheet for sheet in sheets}
    with patch.multiple(registry, ALL_SHEETS=sheets, SHEETS_BY_ID=by_id), fresh_rules():
        yield


def _other_values(value: Any) -> Iterator[Any]:
    match value:
        case bool():
            yield not value
        case int():
            yield value + 10
            yield value + 1
            yield 1
        case Enum():
            yield from (other for other in type(value) if other is not value)
        case str() if value in REUSE_RULES:
            yield from (law for law in REUSE_RULES if law != value)
        case tuple():
            yield value[1:]
        case dict():
            yield {key: number + 1 for key, number in value.items()}
            yield {key: number + 10 for key, number in value.items()}


def _function_mutants(place: str) -> Iterator[tuple[str, Any]]:
    where, _, name = place.partition(":")
    first, dot, rest = where.partition(".")
    module = importlib.import_module(PLACES[first] + dot + rest)
    owner, _, method = name.rpartition(".")
    functions, body = vars(module), ast.parse(inspect.getsource(module)).body
    if owner:
        functions = vars(functions[owner])
        (body,) = (
            each.body for each in body if isinstance(each, ast.ClassDef) and each.name == owner
        )
    function = inspect.unwrap(functions[method])
    (whole,) = (node for node in body if isinstance(node, ast.FunctionDef) and node.name == method)
    whole.decorator_list = []
    for number in range(sum(1 for _ in ast.walk(whole))):
        for words, changed in _changes(whole, number):
            yield f"{place}, line {whole.lineno}: {words}", _running(module, function, changed)


def _changes(whole: ast.FunctionDef, number: int) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Changes to the node with this number, in the order of `ast.walk`."""

    def changed() -> tuple[ast.FunctionDef, Any]:
        other = copy.deepcopy(whole)
        return other, list(ast.walk(other))[number]

    other, node = changed()
    match node:
        case ast.If() | ast.IfExp():
            node.test = ast.UnaryOp(ast.Not(), node.test)
            yield f"not {ast.unparse(node.test.operand)}", other
        case ast.Compare(ops=[op, *_]) if type(op) in COMPARED:
            node.ops[0] = COMPARED[type(op)]()
            yield ast.unparse(node), other
        case ast.BoolOp(op=ast.And()):
            node.op = ast.Or()
            yield ast.unparse(node), other
        case ast.BoolOp(op=ast.Or()):
            node.op = ast.And()
            yield ast.unparse(node), other
        case ast.BinOp(op=ast.Add()):
            node.op = ast.Sub()
            yield ast.unparse(node), other
        case ast.Constant(value=int() as value):
            node.value = not value if isinstance(value, bool) else value + 1
            yield f"{node.value} for {value}", other
        case ast.Return(value=ast.List(elts=[_, *_])):
            node.value = ast.List([], ast.Load())
            yield "nothing found", other
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            if isinstance(whole.returns, ast.Name) and whole.returns.id == "bool":
                node.value = ast.UnaryOp(ast.Not(), value)
                yield f"not {ast.unparse(value)}", other


@contextmanager
def _running(
    module: ModuleType, function: FunctionType, changed: ast.FunctionDef
) -> Iterator[None]:
    """Within it a function runs as changed."""
    tree = ast.fix_missing_locations(ast.Module([changed], type_ignores=[]))
    space = dict(vars(module))
    exec(compile(tree, str(module.__file__), "exec"), space)
    code, function.__code__ = function.__code__, space[changed.name].__code__
    try:
        with fresh_rules():
            yield
    finally:
        function.__code__ = code
