"""Statements from a grammar: every part may come many times, or many times inside itself."""

from random import Random

from tests.fuzz.draws import many
from tests.fuzz.plans import Plan

TABLES = ["games", "deals", "seats", "tricks", "scores", "findings", "melds", "clean_deals"]
COLUMNS = ["game", "deal", "seat", "player", "points", "sheet", "*", "a", "s"]
LITERALS = ["1", "NULL", "'a'", "1.5", "true", "DATE '2026-01-01'", "''", "9223372036854775807", "[1,2]", "{'a': 1}"]  # fmt: skip
FUNCTIONS = [
    "abs", "concat", "length", "lower", "substring", "hash", "md5", "list_value", "struct_pack", "row", "list_sort", "string_split",
    "regexp_matches", "strftime", "json_extract", "json_keys", "unnest", "count", "sum", "max", "median", "quantile_cont", "mode",
    "greatest", "coalesce", "date_trunc", "row_number", "pow", "contains", "list_extract", "entropy", "any_value", "arg_max",
]  # fmt: skip
OPERATORS = [" + ", " * ", " || ", " AND ", " OR ", " = ", " < ", " LIKE ", " IN ", " % ", " IS DISTINCT FROM "]  # fmt: skip
JOINS = [", ", " CROSS JOIN ", " NATURAL JOIN ", " JOIN "]
GROUPS = ["CUBE ({})", "ROLLUP ({})", "GROUPING SETS (({}))", "{}", "ALL"]
TYPES = ["INT", "VARCHAR", "DECIMAL(38,10)", "INT[]", "BIT", "BLOB", "INT[1000]", "STRUCT(a INT)"]


def statements(random: Random) -> Plan:
    return {"@": "sql", "of": select(random, 3)}


def repeat(random: Random, most: int, of: Plan, between: str) -> Plan:
    return {"@": "repeat", "times": many(random, most), "of": of, "between": between}


def wrap(random: Random, most: int, before: str, of: Plan, after: str) -> Plan:
    return {"@": "wrap", "times": many(random, most), "before": before, "of": of, "after": after}


def select(random: Random, depth: int) -> Plan:
    ways = [plain_select, plain_select, plain_select, layers, layers, union, with_tables, nested]
    return random.choice(ways)(random, depth)


def plain_select(random: Random, depth: int) -> Plan:
    shown = repeat(random, 300, expression(random, depth), ", ")
    parts: list[Plan] = ["SELECT ", random.choice(["", "", "DISTINCT "]), shown]
    parts += [" FROM ", source(random, depth)] if random.random() < 0.85 else []
    if random.random() < 0.3:
        parts += [" WHERE ", expression(random, depth)]
    if random.random() < 0.3:
        columns = ", ".join(random.choices(COLUMNS[:6], k=many(random, 20)))
        parts += [" GROUP BY ", random.choice(GROUPS).format(columns)]
    if random.random() < 0.2:
        parts += [" ORDER BY ", repeat(random, 50, expression(random, depth), ", ")]
    if random.random() < 0.2:
        parts += [" LIMIT ", many(random, 100_000)]
    return parts


def layers(random: Random, depth: int) -> Plan:
    """Selects inside each other, each of which says what is inside it more than once."""
    count = many(random, 30)
    each = random.choice(["*", "s", "a"])
    listed = ",".join([each] * count)
    if each != "*":
        pairs = ", ".join(f"n{number} := {each}" for number in range(count))
        made = [f"row({listed})", f"list_value({listed})", f"concat({listed})", f"struct_pack({pairs})", f"[{listed}]", listed.replace(",", " + ")]  # fmt: skip
        listed = f"{random.choice(made)} {each}"
    inner = random.choice([f"SELECT 1 {each if each != '*' else 'a'}", "SELECT * FROM games"])
    whole = wrap(random, 200, f"SELECT {listed} FROM (", inner, ")")
    outer = random.choice(["", "", "SELECT count(*) FROM ("])
    return [outer, whole, ")" if outer else ""]


def nested(random: Random, depth: int) -> Plan:
    before = random.choice(["SELECT * FROM (", "SELECT (", "SELECT 1 WHERE EXISTS (", "("])
    return wrap(random, 400, before, plain_select(random, depth - 1), ")")


def union(random: Random, depth: int) -> Plan:
    between = random.choice([" UNION ALL ", " UNION ", " INTERSECT ", " EXCEPT "])
    return repeat(
        random, 500, plain_select(random, depth - 1) if depth > 1 else "SELECT 1", between
    )


def with_tables(random: Random, depth: int) -> Plan:
    """Tables of tables, each naming the one before more than once; or one that names itself."""
    if random.random() < 0.3:
        grown = random.choice(["a + 1", "a || a", "a * 2", "[a, a]"])
        bound = random.choice(["", " WHERE a < 1000000"])
        start = random.choice(["1", "'x'"])
        return f"WITH RECURSIVE t AS (SELECT {start} a UNION ALL SELECT {grown} FROM t{bound}) SELECT count(*) FROM t"
    count = many(random, 100)
    uses = many(random, 6)
    tables = ["c0 AS (SELECT 1 a)"]
    for number in range(1, count):
        names = ", ".join(f"c{number - 1} x{use}" for use in range(uses))
        tables.append(f"c{number} AS (SELECT x0.a FROM {names})")
    return f"WITH {', '.join(tables)} SELECT count(*) FROM c{count - 1}"


def source(random: Random, depth: int) -> Plan:
    drawn = random.random()
    table = random.choice(TABLES)
    if drawn < 0.3 or depth < 1:
        return table
    if drawn < 0.6:
        between = random.choice(JOINS)
        on = random.choice([" USING (game)", " ON true"]) if between == " JOIN " else ""
        return [f"{table} g", repeat(random, 250, f"{between}{table} g#{on}", "")]
    if drawn < 0.8:
        numbers = f"range({many(random, 100_000)})"
        return repeat(random, 6, f"{numbers} r#", ", ")
    if drawn < 0.85:
        return f"(PIVOT (SELECT range a FROM range({many(random, 100_000)})) ON a USING count(*))"
    if drawn < 0.9:
        return ["(VALUES ", repeat(random, 2_000, "(1)", ", "), ") v(a)"]
    return ["(", select(random, depth - 1), ") q"]


def expression(random: Random, depth: int) -> Plan:
    if depth < 1:
        return random.choice([*LITERALS, *COLUMNS])
    inner = expression(random, depth - 1)
    name = random.choice(FUNCTIONS)
    before, after = random.choice([("(", ")"), ("[", "]"), ("- ", ""), ("NOT ", ""), ("row(", ")")])
    ways: list[Plan] = [
        random.choice(COLUMNS),
        [name, "(", repeat(random, 1_000, inner, ", "), ")"],
        [name, "(", inner, ") OVER (ORDER BY ", expression(random, depth - 1), ")"],
        repeat(random, 3_000, inner, random.choice(OPERATORS)),
        wrap(random, 4_000, before, inner, after),
        wrap(random, 400, "CASE WHEN true THEN ", inner, " END"),
        wrap(random, 1_000, f"{name}(", inner, ")"),
        ["(", inner, ")::", random.choice(TYPES), repeat(random, 3, f"[{many(random, 100_000)}]", "")],
        ["(", select(random, depth - 2), ")"] if depth > 1 else "1",
        ["'", repeat(random, 9_000, random.choice(["a", "%", "(", "{1,100}", "[", '"#":1,']), ""), "'"],
        ["regexp_matches('", repeat(random, 5_000, "a", ""), "', '", wrap(random, 20, "(", "a", "{1,100})"), "')"],
        ["COLUMNS('.*')"],
    ]  # fmt: skip
    return random.choice(ways)
