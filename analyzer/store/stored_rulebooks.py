"""The rulebooks of stored games: a published one by its id, one of a table's own by its key, from a game that has it inside."""

from analyzer.store.store import Store
from records.errors import RulesError
from records.format import codec
from records.rules.registry import KEY_MARK, SHEETS_BY_ID, sheet_of_rules
from records.rules.vocabulary import RuleSheet

SELECT_GAME = "SELECT digest FROM games WHERE sheet = $sheet ORDER BY digest LIMIT 1"


def stored_rulebook(store: Store, key: str) -> RuleSheet | None:
    """The rulebook that games are stored under by this key; None if there is none. Raises QueryTimeout."""
    if key in SHEETS_BY_ID or KEY_MARK not in key:
        return SHEETS_BY_ID.get(key)
    for (digest,) in store.answer(SELECT_GAME, {"sheet": key}).rows:
        data = store.record_bytes(digest)
        record = None if data is None else codec.decode(data).record
        if record is not None:
            try:
                return sheet_of_rules(record.rules)
            except RulesError:
                return None
    return None


def rulebook_name(store: Store, key: str) -> str:
    """What people call it; the key where nothing says so."""
    found = stored_rulebook(store, key)
    return key if found is None else found.name
