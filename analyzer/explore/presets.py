"""Presets: questions worth asking, as addresses."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from urllib.parse import parse_qs

from analyzer.explore.ask import Ask, read_ask


@dataclass(frozen=True, slots=True)
class Preset:
    """A question with a title of its own; `mixes` says why it may take all rule sheets together, if it does."""

    title: str
    ask: Ask
    mixes: str


@cache
def presets() -> tuple[Preset, ...]:
    """Every preset, in the order of the file."""
    text = (files("analyzer") / "explore" / "presets.toml").read_text(encoding="utf-8")
    return tuple(
        Preset(preset["title"], from_address(preset["address"]), preset.get("mixes", ""))
        for preset in tomllib.loads(text)["preset"]
    )


def from_address(address: str) -> Ask:
    """The question in a query string; raises Refused."""
    return read_ask(parse_qs(address))
