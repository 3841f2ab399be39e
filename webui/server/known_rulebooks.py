"""The rulebooks that a site knows: the published ones, and those that its stored games have inside."""

from typing import NamedTuple

from flask import current_app

from analyzer.store.games import rulebooks_inside
from records.rules.registry import KEY_MARK, SHEETS_BY_ID, name_of_key
from records.rules.vocabulary import RuleSheet
from webui.server.access import may
from webui.server.actions import Action
from webui.server.game_cache import GameCache, GameNotFound


def known_rulebook(key: str) -> RuleSheet | None:
    """A published rulebook, or one that stored games have inside and the visitor may see; None if there is none."""
    if key in SHEETS_BY_ID or KEY_MARK not in key or not may(Action.READ):
        return SHEETS_BY_ID.get(key)
    cache: GameCache = current_app.extensions["game_cache"]
    try:
        return cache.rulebook(key)
    except GameNotFound:
        return None


def known_rulebook_name(key: str) -> str:
    """The name of a rulebook, or its key where no rulebook has it."""
    found = known_rulebook(key)
    return key if found is None else name_of_key(found, key)


class OfferedRulebook(NamedTuple):
    """A rulebook to choose: its id or key, and its name."""

    id: str
    name: str


def offered_rulebooks() -> list[OfferedRulebook]:
    """The rulebooks to choose from: the published ones, and then those that most of the stored games have inside."""
    keys = rulebooks_inside(current_app.extensions["store"]) if may(Action.READ) else []
    return [OfferedRulebook(key, known_rulebook_name(key)) for key in (*SHEETS_BY_ID, *keys)]
