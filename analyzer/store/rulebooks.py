"""The rulebooks that a folder knows: published ones by their ids, a table's own by their keys, kept or inside stored games."""

from contextlib import suppress
from datetime import UTC, datetime

import msgspec

from analyzer.store.store import SELECT_RULEBOOKS, Store, read_rulebooks
from records.errors import RulesError
from records.format import codec
from records.phrases import join_words
from records.rules.registry import (
    KEY_MARK,
    SHEETS_BY_ID,
    is_sheet_key,
    name_of_key,
    named_sheet,
    sheet_of_rules,
    unknown_rulebook,
)
from records.rules.vocabulary import RuleSheet

MOST_OFFERED = 50
SELECT_OWN_KEYS = f"""
    SELECT sheet FROM games WHERE contains(sheet, $mark) GROUP BY sheet ORDER BY count(*) DESC, sheet LIMIT {MOST_OFFERED}
"""
SELECT_GAME_OF_SHEET = "SELECT digest FROM games WHERE sheet = $sheet ORDER BY digest LIMIT 1"
SELECT_LOCAL = """
    SELECT rulebook, content, made_by, made_at, (SELECT count(*) FROM games WHERE games.sheet = rulebook)
    FROM rulebooks ORDER BY made_at, rulebook
"""


class LocalRulebook(msgspec.Struct, frozen=True):
    """A rulebook that the folder keeps: its key, its name and what it says, who added it when, and how many games go by it."""

    key: str
    id: str
    name: str
    says: str
    made_by: str
    made_at: datetime
    games: int


def list_local_rulebooks(store: Store) -> list[LocalRulebook]:
    """The rulebooks that the folder keeps, those added first first."""
    return [_of_row(*row) for row in store.answer(SELECT_LOCAL, {}).rows]


def _of_row(key: str, content: str, made_by: str, made_at: datetime, games: int) -> LocalRulebook:
    told = msgspec.json.decode(content)
    return LocalRulebook(
        key, told["id"], told["name"], told["says"], made_by, made_at.replace(tzinfo=UTC), games
    )


def local_keys(store: Store) -> list[str]:
    """The keys of the rulebooks that the folder keeps, those added first first."""
    return [key for key, _ in store.answer(SELECT_RULEBOOKS, {}).rows]


def local_rulebook(store: Store, key: str) -> RuleSheet | None:
    """The rulebook that the folder keeps under this key; None if there is none."""
    found = [content for own, content in store.answer(SELECT_RULEBOOKS, {}).rows if own == key]
    return next(iter(read_rulebooks(lambda *_: [(key, content) for content in found])), None)


def stored_rulebook(store: Store, key: str) -> RuleSheet | None:
    """The rulebook that is kept under this key, or that games have inside; None if there is none. Raises QueryTimeout."""
    if key in SHEETS_BY_ID or KEY_MARK not in key:
        return SHEETS_BY_ID.get(key)
    if (kept := local_rulebook(store, key)) is not None:
        return kept
    for (digest,) in store.answer(SELECT_GAME_OF_SHEET, {"sheet": key}).rows:
        data = store.record_bytes(digest)
        record = None if data is None else codec.decode(data).record
        with suppress(RulesError):
            return None if record is None else sheet_of_rules(record.rules)
    return None


def own_rulebooks(store: Store) -> list[str]:
    """The keys of the rulebooks that are kept, and of those that stored games have inside, of most games first."""
    inside = [key for (key,) in store.answer(SELECT_OWN_KEYS, {"mark": KEY_MARK}).rows]
    return list(dict.fromkeys((*local_keys(store), *inside)))


ADVICE = "`bezique rules` lists the published ones, and `bezique rules list` those that this folder keeps."
SELECT_KEYS_OF_ID = """
    SELECT rulebook FROM rulebooks WHERE starts_with(rulebook, $start)
    UNION SELECT sheet FROM stored_games AS games WHERE starts_with(sheet, $start) ORDER BY ALL
"""


def keys_named(store: Store, text: str) -> list[str]:
    """The keys of the rulebook that somebody means: a published one by its id or name, or one of a table's own by its key or id.

    An id means every version of the rulebook that is kept, or that stored games have inside. Raises RulesError
    (unknown-sheet).
    """
    if (published := named_sheet(text)) is not None:
        return [published]
    if is_sheet_key(text):
        return [text]
    found = store.answer(SELECT_KEYS_OF_ID, {"start": f"{text}{KEY_MARK}"}).rows
    if not found:
        ids = [key.partition(KEY_MARK)[0] for key in own_rulebooks(store)]
        raise unknown_rulebook(text, ADVICE, ids)
    return [key for (key,) in found]


def key_named(store: Store, text: str) -> str:
    """The one key that somebody means, where only one can be chosen; raises RulesError, also if several versions are stored."""
    return only_key(text, keys_named(store, text))


def only_key(text: str, keys: list[str]) -> str:
    """The one key that an id stands for; raises RulesError if several versions have it."""
    key, *others = keys
    if others:
        words = f"Several versions of {text} are known here. Name one by its key: {join_words(keys, 'or')}."
        raise RulesError("unknown-sheet", pointer="", found=text, words=words)
    return key


def rulebook_name(store: Store, key: str) -> str:
    """What people call it; the key where nothing says so."""
    found = stored_rulebook(store, key)
    return key if found is None else name_of_key(found, key)
