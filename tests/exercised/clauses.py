"""Every condition in the rules of reuse, and the answers it has given.

A clause is a condition of a function of `records.engine.reuse` that answers yes or no: what it tests, each
operand of its `and` and `or`, what it returns. What is passed on to another rule (`allows`) is the clause
of that other rule, and a function that no rule uses is none. `instrument` puts a witness around each of them, from the
source of the module as it stands; nothing is said here of what the clauses are.
"""

import ast
import inspect
from collections.abc import Iterator
from typing import Any, NamedTuple

from records.engine import reuse

CLAUSES: set[tuple[str, str, bool]] = set()
"""What was answered since the last `clear`: function, clause, answer."""


class Clause(NamedTuple):
    """A condition of a function, as it is written."""

    function: str
    text: str


def clear() -> None:
    CLAUSES.clear()


def _functions() -> list[ast.FunctionDef]:
    tree = ast.parse(inspect.getsource(reuse))
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return [
        node for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name in used
        and isinstance(node.returns, ast.Name) and node.returns.id == "bool"
    ]  # fmt: skip


def clauses() -> list[Clause]:
    """Every clause, in the order of the module."""
    return list(dict.fromkeys(c for function in _functions() for c in _Witnesses(function).found))


def instrument() -> None:
    """From now on every clause notes its answers."""
    module: dict[str, Any] = vars(reuse)
    module["_answered"] = _answered
    body: list[ast.stmt] = [_Witnesses(function).function for function in _functions()]
    tree = ast.fix_missing_locations(ast.Module(body, type_ignores=[]))
    fresh = dict(module)
    exec(compile(tree, reuse.__file__, "exec"), fresh)
    # The functions stay the same objects: other modules know them by identity.
    for function in _functions():
        module[function.name].__code__ = fresh[function.name].__code__


def _answered(function: str, text: str, answer: Any) -> Any:
    CLAUSES.add((function, text, bool(answer)))
    return answer


class _Witnesses:
    """One function with a witness around each of its clauses."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self.name, self.found = function.name, list[Clause]()
        for statement in ast.walk(function):
            if isinstance(statement, ast.If):
                statement.test = self.witnessed(statement.test)
            elif (isinstance(statement, ast.Return) and statement.value is not None) or (
                isinstance(statement, ast.Assign) and isinstance(statement.value, ast.BoolOp)
            ):
                statement.value = self.witnessed(statement.value)
        self.function = function

    def witnessed(self, test: ast.expr) -> ast.expr:
        passed_on = isinstance(test, ast.Call) and ast.unparse(test.func) == "allows"
        if passed_on or isinstance(test, ast.Constant):
            return test
        if isinstance(test, ast.BoolOp):
            test.values = [self.witnessed(value) for value in test.values]
            return test
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test.operand = self.witnessed(test.operand)
            return test
        clause = Clause(self.name, ast.unparse(test))
        self.found.append(clause)
        told: list[ast.expr] = [ast.Constant(clause.function), ast.Constant(clause.text), test]
        return ast.Call(ast.Name("_answered", ast.Load()), told, [])


def unanswered(answers: set[tuple[str, str, bool]]) -> Iterator[str]:
    """Every clause that has not given both answers, with the one that is missing."""
    for function, text in clauses():
        for answer in (True, False):
            if (function, text, answer) not in answers:
                yield f"{function}: {text} was never {'true' if answer else 'false'}"
