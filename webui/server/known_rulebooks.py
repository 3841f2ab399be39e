"""The rulebooks that a site knows: the published ones, those that it keeps, and those that its stored games have inside."""

from typing import NamedTuple

from flask import current_app
from msgspec.structs import replace

from analyzer.store.rulebooks import local_keys, local_rulebook, own_rulebooks
from analyzer.upkeep import keeping
from analyzer.upkeep.keeping import AddedRulebook, RulebookRefused
from records.rules.own_sheet import read_own_sheet
from records.rules.registry import KEY_MARK, SHEETS_BY_ID, name_of_key
from records.rules.sheet_text import SheetError
from records.rules.vocabulary import RuleSheet
from webui.server.access import may, name_of_actor
from webui.server.actions import Action
from webui.server.game_cache import GameCache, GameNotFound


def known_rulebook(key: str) -> RuleSheet | None:
    """A published rulebook, one that is kept, or one that stored games have inside and the visitor may see; or None."""
    if key in SHEETS_BY_ID or KEY_MARK not in key:
        return SHEETS_BY_ID.get(key)
    if not may(Action.READ):
        return local_rulebook(current_app.extensions["store"], key)
    cache: GameCache = current_app.extensions["game_cache"]
    try:
        return cache.rulebook(key)
    except GameNotFound:
        return None


def known_under_key(key: str) -> RuleSheet | None:
    """A rulebook that is known here, with its key in place of its id: two tables may use one id."""
    found = known_rulebook(key)
    return None if found is None else replace(found, id=key, name=name_of_key(found, key))


def known_rulebook_name(key: str) -> str:
    """The name of a rulebook, or its key where no rulebook has it."""
    found = known_rulebook(key)
    return key if found is None else name_of_key(found, key)


class OfferedRulebook(NamedTuple):
    """A rulebook to choose: its id or key, and its name."""

    id: str
    name: str


def offered_rulebooks() -> list[OfferedRulebook]:
    """The rulebooks to choose from: the published ones, those that are kept, and those that most of the games have inside."""
    store = current_app.extensions["store"]
    keys = own_rulebooks(store) if may(Action.READ) else local_keys(store)
    return [OfferedRulebook(key, known_rulebook_name(key)) for key in (*SHEETS_BY_ID, *keys)]


def keep_rulebook(text: str, *, toml: bool) -> AddedRulebook:
    """Keep the rulebook of a file; raises RulebookRefused, with every mistake in its place."""
    try:
        sheet = read_own_sheet(text.encode(), toml=toml)
    except SheetError as error:
        lines = [f"line {line}, column {column}: {says}" for line, column, says in error.mistakes]
        raise RulebookRefused("\n".join(lines)) from error
    added = keeping.add_rulebook(current_app.extensions["store"], sheet, name_of_actor())
    current_app.extensions["game_cache"].clear()
    return added
