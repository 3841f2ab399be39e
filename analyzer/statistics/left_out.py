"""What a number leaves out: of all deals that its filters allow, those that it does not count, and why.

A deal is counted if the number looks into it. Filters and dimensions of what happens within a deal, such as a trick or a
meld, choose what is looked at there, and leave no deal out. Numbers about matches or records count these instead.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from analyzer.statistics.ask import Ask, Value, from_address, limit_ask
from analyzer.statistics.catalogue import Grain, grains
from analyzer.statistics.compose import Composed, GrainTables, condition_of, fits_of
from analyzer.statistics.parts import added_sql
from analyzer.store.store import Store
from records.phrases import join_words, pluralize


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Of the deals, matches or records (`of`) that match: how many are `counted`, and how many are not, by why not.

    Each is one of these. `with_errors` have a breach of the rules; `unfinished` were not
    played to the end; `partly_known` do not show every card, or began in mid-deal. All others are clean:
    `without_number` do not have what is asked for, and `without_group` not that by which it is split. `words` are a
    sentence about all that are not counted, empty if there are none.
    """

    of: str = "deals"
    counted: int = 0
    with_errors: int = 0
    unfinished: int = 0
    partly_known: int = 0
    without_number: int = 0
    without_group: int = 0
    words: str = ""

    @property
    def counted_words(self) -> str:
        """How many are counted: `1 deal`, `12 matches`."""
        nouns = {"deals": "deal", "matches": "match", "records": "record"}
        return pluralize(self.counted, nouns[self.of], self.of)


NOTHING_LEFT_OUT = LeftOut()
DEALS = "metric=share_of_deals"
"""The address of a question that has an answer in every clean deal."""
SELECT_LEFT_OUT = """
WITH looked_at AS (
    SELECT
        {keys},
        coalesce({any_of}({tells}), false) AS tells,
        coalesce({any_of}({counted}), false) AS counted
    FROM {tables}
    WHERE {fits}{only}{grouped}
),
whole AS (
    SELECT
        looked_at.*,
        coalesce({errors}, false) AS errors,
        coalesce({complete}, true) AS complete,
        coalesce({clean}, true) AS clean
    FROM looked_at
    LEFT JOIN (FROM {of} WHERE NOT clean) AS it USING ({names})
)
SELECT
    {whole_count} AS counted,
    count(*) FILTER (NOT counted AND errors) AS with_errors,
    count(*) FILTER (NOT counted AND NOT errors AND NOT complete) AS unfinished,
    count(*) FILTER (NOT counted AND NOT errors AND complete AND NOT clean) AS partly_known,
    count(*) FILTER (NOT counted AND NOT errors AND complete AND clean AND NOT tells) AS without_number,
    count(*) FILTER (NOT counted AND NOT errors AND complete AND clean AND tells) AS without_group
FROM whole
"""
ALL_LOOKED_AT = "count(*) FILTER (counted)"
NOT_COUNTED = "\n        AND NOT coalesce({counted}, false)"
FIRST_SEAT = "\n        AND seats.seat = 0"
"""Where the rows of all seats of a deal say the same, that of one seat is enough."""
GROUPED = "\n    GROUP BY ALL"
EVERY_SEAT = "\n    HAVING count(*) = coalesce(max(seats.players), 1)"
"""Otherwise a deal is left out if it counts for none of its players, and so is a match; one without players has one row."""
OF_A_DEAL = {"game", "deal", "sheet", "clean", "month", "variant", "players", "deal_tricks"}
"""The columns of `seats` that have one value in all rows of a deal."""
COLUMN_OF_SEATS = re.compile(r"\bseats\.(\w+)")
ERRORS = {"deals": "NOT it.legal OR it.tainted", "games": "it.verdict = 'illegal'"}
ROWS_IN_A_DEAL = ("trick", "view", "score")
"""Grains whose rows are within a deal; what they come to in it stands in `seats`."""
ROWS_IN_SOME_DEALS = ("luck", "review", "decision", "play", "card")
"""Grains that have rows only where somebody asked for an estimate, or where the record shows cards."""


def count_left_out(store: Store, ask: Ask) -> LeftOut:
    """What the answer to a question leaves out; raises QueryTimeout."""
    composed = compose_left_out(ask)
    (counts,) = store.answer(composed.sql, composed.parameters).dicts()
    counted, *left = counts.values()
    noun, nouns = _unit(ask)
    groups = f"without {_groups(ask)}"
    why = ("with errors", "unfinished", "partly known", "without this number", groups)
    told = {reason: count for reason, count in zip(why, left, strict=True) if count}
    return LeftOut(of=nouns, **counts, words=_sentence(counted, told, noun, nouns))


def count_deals_left_out(store: Store, *, every: bool = False, **values: str | None) -> LeftOut:
    """What numbers about deals leave out, with these dimensions limited to a value each; None sets no limit."""
    return count_left_out(store, limit_ask(from_address(f"{DEALS}&every={int(every)}"), **values))


def compose_left_out(ask: Ask) -> Composed:
    """The SQL that counts what the answer to a question leaves out.

    Where no filter is about a player, it looks only at what is not counted, and takes that from the number of all.
    """
    parts, parameters = _parts(ask)
    only, any_of, grouped, whole_count = "", "bool_or", GROUPED, ALL_LOOKED_AT
    if all_of_them := _all_of_them(ask, parameters):
        only, whole_count = NOT_COUNTED.format(**parts), f"({all_of_them}) - count(*)"
        of_seats = set(COLUMN_OF_SEATS.findall(parts["tables"] + parts["counted"]))
        if parts["of"] == "deals" and of_seats <= OF_A_DEAL:
            only, any_of, grouped = only + FIRST_SEAT, "", ""
        elif of_seats:
            grouped += EVERY_SEAT
        parts["counted"] = "false"
    looked_at = {"only": only, "any_of": any_of, "grouped": grouped, "whole_count": whole_count}
    return Composed(added_sql(SELECT_LEFT_OUT.format(**parts, **looked_at)), parameters, ())


def _all_of_them(ask: Ask, parameters: dict[str, Value]) -> str | None:
    """The SQL of how many deals or matches the filters allow; None if only a row of a player tells that."""
    of = "games" if _is_of_matches(ask) else "deals"
    source, conditions = GrainTables(grains()["game" if of == "games" else "deal"]), []
    for limit in ask.filters:
        if source.knows(limit.dimension):
            if of not in limit.dimension.tables:
                return None
            conditions.append(condition_of(limit, source.column(limit.dimension), parameters))
    return f"SELECT count(*) FROM {of} WHERE {_all(conditions)}"


def _parts(ask: Ask) -> tuple[dict[str, str], dict[str, Value]]:
    """The parts of the SQL, and its parameters."""
    grain, of_matches = _counted(ask), _is_of_matches(ask)
    source = GrainTables(_matches() if of_matches else grains()["seat"])
    parameters: dict[str, Value] = {}
    clean = source.grain.clean
    fits = list(_conditions(ask, source, parameters))
    tells = list(_number_conditions(ask, grain, source, parameters))
    groups = [f"{source.column(each)} IS NOT NULL" for each in ask.split_by if source.knows(each)]
    of, base, every = ("games" if of_matches else "deals"), source.grain.base, grain.clean == "true"
    return {
        "keys": f"{base}.game" if of_matches else f"{base}.game,\n        {base}.deal",
        "names": "game" if of_matches else "game, deal",
        "tells": _all(tells),
        "counted": _all([*([] if ask.every or every else [clean]), *tells, *groups]),
        "tables": source.tables(),
        "fits": _all(fits),
        "of": of,
        "errors": "false" if every else ERRORS[of],
        "complete": "true" if every else "it.complete",
        "clean": "true" if every else "it.clean",
    }, parameters


def _counted(ask: Ask) -> Grain:
    return ask.metric.per or ask.metric.grain


def _is_of_matches(ask: Ask) -> bool:
    return "deal" not in _counted(ask).tells


def _unit(ask: Ask) -> tuple[str, str]:
    """What is counted, in words: one, and several."""
    if not _is_of_matches(ask):
        return "deal", "deals"
    return ("record", "records") if _counted(ask).name == "record" else ("match", "matches")


def _matches() -> Grain:
    """Matches, each with its players; also those in which nothing was dealt."""
    game = grains()["game"]
    joins = {table: f"LEFT {join}" for table, join in game.joins.items()}
    return replace(game, joins=joins)


def _conditions(ask: Ask, source: GrainTables, parameters: dict[str, Value]) -> Iterator[str]:
    """The filters that choose deals or matches."""
    for limit in ask.filters:
        if source.knows(limit.dimension):
            yield condition_of(limit, source.column(limit.dimension), parameters)


def _number_conditions(
    ask: Ask, grain: Grain, source: GrainTables, parameters: dict[str, Value]
) -> Iterator[str]:
    """The conditions on a deal, or a match, to have what is asked for."""
    metric = ask.metric
    if ask.every and metric.of_points:
        yield "seats.points IS NOT NULL"
    if metric.deals and not ask.every:
        yield metric.deals
    elif grain.name in ROWS_IN_A_DEAL:
        if grain.name != "score":
            yield "seats.deal_tricks > 0"
            if ask.every:
                yield from (f"{sums.count} > 0" for sums in metric.sums if not sums.whole)
    elif grain.name in ROWS_IN_SOME_DEALS:
        own = GrainTables(grain)
        fits = fits_of(replace(ask, by=None, split=None), own, parameters, [], metric.where)
        keys = f"{grain.base}.game, {grain.base}.deal"
        rows = f"SELECT {keys} FROM {own.tables()} WHERE {fits} AND ({metric.value}) IS NOT NULL"
        yield f"(seats.game, seats.deal) IN ({rows})"
    elif metric.per is None:
        source.reach(grain.base)
        yield from (part for part in (metric.where, f"({metric.value}) IS NOT NULL") if part)


def _all(conditions: list[str]) -> str:
    return " AND ".join(f"({each})" for each in conditions) or "true"


def _groups(ask: Ask) -> str:
    """By what the answer is split, in words."""
    return (
        join_words([f"“{dimension.title}”" for dimension in ask.split_by], "or")
        if ask.split_by
        else ""
    )


def _sentence(counted: int, left: dict[str, int], noun: str, nouns: str) -> str:
    """What is not counted, and of how many: `48 of 651 deals are not counted: 12 with errors and 36 partly known.`"""
    if not left:
        return ""
    number = sum(left.values())
    verb = "is" if number == 1 else "are"
    if len(left) == 1:
        return f"{_with_why(number, next(iter(left)), noun, nouns)} {verb} not counted."
    parts = join_words([f"{count:,} {why}" for why, count in left.items()])
    all_of_them = pluralize(counted + number, noun, nouns)
    return f"{number:,} of {all_of_them} {verb} not counted: {parts}."


def _with_why(number: int, why: str, noun: str, nouns: str) -> str:
    """So many things and what keeps them from being counted: `3 unfinished deals`, `1 deal with errors`."""
    if why.startswith("with"):
        return f"{pluralize(number, noun, nouns)} {why}"
    return pluralize(number, f"{why} {noun}", f"{why} {nouns}")
