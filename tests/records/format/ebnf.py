"""A grammar in EBNF (ISO/IEC 14977): which texts it describes, and random texts that it does."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

_TOKEN = re.compile(
    r'\s*(?:"([^"]*)"|\?\s*(.*?)\s*\?|([A-Za-z][A-Za-z0-9 ]*[A-Za-z0-9]|[A-Za-z])|([=,|;(){}\[\]]))'
)


@dataclass(frozen=True)
class Special:
    """What a special sequence stands for: where it may end in a text from a place on, and texts of it."""

    ends: Callable[[str, int], list[int]]
    texts: SearchStrategy[str]


class Grammar:
    """The productions of a grammar, as trees of tuples: `("alt", ...)`, `("seq", ...)`, `("text", "a:")`."""

    def __init__(self, source: str, specials: Mapping[str, Special]) -> None:
        self.specials = specials
        self.rules: dict[str, tuple[Any, ...]] = {}
        tokens = list(_tokens(source))
        while tokens:
            (kind, name), (_, sign) = tokens.pop(0), tokens.pop(0)
            assert (kind, sign) == ("name", "="), (name, sign)
            assert name not in self.rules, name
            self.rules[name] = self._alternatives(tokens)
            assert tokens.pop(0) == ("sign", ";"), name

    def _alternatives(self, tokens: list[tuple[str, str]]) -> tuple[Any, ...]:
        found = [self._sequence(tokens)]
        while tokens[0] == ("sign", "|"):
            tokens.pop(0)
            found.append(self._sequence(tokens))
        return ("alt", *found)

    def _sequence(self, tokens: list[tuple[str, str]]) -> tuple[Any, ...]:
        found = [self._factor(tokens)]
        while tokens[0] == ("sign", ","):
            tokens.pop(0)
            found.append(self._factor(tokens))
        return ("seq", *found)

    def _factor(self, tokens: list[tuple[str, str]]) -> tuple[Any, ...]:
        kind, value = tokens.pop(0)
        if kind != "sign":
            return (kind, value)
        inner = self._alternatives(tokens)
        closing = {"(": ")", "[": "]", "{": "}"}[value]
        assert tokens.pop(0) == ("sign", closing), inner
        return {"(": inner, "[": ("alt", ("text", ""), inner), "{": ("many", inner)}[value]

    def names_used(self) -> set[str]:
        """The names that productions refer to."""
        return set(_names(tuple(self.rules.values())))

    def matches(self, name: str, text: str) -> bool:
        """Whether a production describes a whole text."""
        return len(text) in self._ends(("name", name), text, 0, {})

    def _ends(self, node: Any, text: str, at: int, seen: dict[Any, set[int]]) -> set[int]:
        key = (id(node), at) if node[0] != "name" else (node, at)
        if key in seen:
            return seen[key]
        kind, *parts = node
        match kind:
            case "text":
                found = {at + len(parts[0])} if text.startswith(parts[0], at) else set()
            case "special":
                found = set(self.specials[parts[0]].ends(text, at))
            case "name":
                found = self._ends(self.rules[parts[0]], text, at, seen)
            case "alt":
                found = {end for part in parts for end in self._ends(part, text, at, seen)}
            case "seq":
                found = reduce(
                    lambda ends, part: {
                        e for end in ends for e in self._ends(part, text, end, seen)
                    },
                    parts,
                    {at},
                )
            case _:
                found, new = {at}, {at}
                while new:
                    new = {e for end in new for e in self._ends(parts[0], text, end, seen)} - found
                    found |= new
        seen[key] = found
        return found

    def texts(self, name: str) -> SearchStrategy[str]:
        """Random texts that a production describes."""
        made: dict[str, SearchStrategy[str]] = {}

        def of(node: Any) -> SearchStrategy[str]:
            kind, *parts = node
            match kind:
                case "text":
                    return st.just(parts[0])
                case "special":
                    return self.specials[parts[0]].texts
                case "name":
                    if parts[0] not in made:
                        made[parts[0]] = of(self.rules[parts[0]])
                    return made[parts[0]]
                case "alt":
                    return st.one_of([of(part) for part in parts])
                case "seq":
                    return st.tuples(*map(of, parts)).map("".join)
                case _:
                    return st.lists(of(parts[0]), max_size=3).map("".join)

        return of(("name", name))


def _tokens(source: str) -> Iterator[tuple[str, str]]:
    at = 0
    source = source.rstrip()
    while at < len(source):
        match = _TOKEN.match(source, at)
        assert match is not None, source[at : at + 30]
        at = match.end()
        kind = ("text", "special", "name", "sign")[(match.lastindex or 1) - 1]
        yield kind, match[match.lastindex or 1]


def _names(node: Any) -> Iterator[str]:
    if isinstance(node, tuple) and node and node[0] == "name":
        yield node[1]
    elif isinstance(node, tuple):
        for part in node:
            yield from _names(part)
