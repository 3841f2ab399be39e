"""SQL statements that are short and harmless to read, and would cost gigabytes or minutes."""


def nest(inner: str, outer: str, levels: int) -> str:
    """The inner statement, as the `{}` of the outer, as the `{}` of the outer ..."""
    for _ in range(levels):
        inner = outer.format(inner)
    return inner


SQL_BOMBS = {
    "stars twice": nest("SELECT 1 a", "SELECT *,* FROM ({})", 30),
    "stars ten times": nest("SELECT 1 a", f"SELECT {','.join('*' * 10)} FROM ({{}})", 8),
    "structs": nest("SELECT 1 s", "SELECT struct_pack(a := s, b := s) s FROM ({})", 24),
    "deeper structs": nest("SELECT 1 s", "SELECT struct_pack(a := s, b := s) s FROM ({})", 40),
    "rows": nest("SELECT 1 s", "SELECT row(s, s) s FROM ({})", 30),
    "lists": nest("SELECT 1 s", f"SELECT list_value({','.join('s' * 20)}) s FROM ({{}})", 10),
    "texts": nest("SELECT 'x' s", f"SELECT concat({','.join('s' * 7)}) s FROM ({{}})", 4),
    "subqueries": nest("SELECT 1", "SELECT * FROM ({})", 500),
    "lists in lists": "SELECT " + nest("1", "[{}]", 4_000),
    "brackets": "SELECT " + nest("1", "({})", 4_900),
    "signs": "SELECT " + "- " * 4_900 + "1",
    "cases": "SELECT " + nest("1", "CASE WHEN true THEN {} END", 340),
    "sums": "SELECT 1" + "+1" * 4_900,
    "conditions": "SELECT 1 WHERE 1=1" + " AND 1=1" * 1_200,
    "joins": "SELECT count(*) FROM games g0"
    + "".join(f" JOIN games g{i} USING (game)" for i in range(1, 200)),
    "joins without a condition": "SELECT count(*) FROM "
    + ",".join(f"games g{i}" for i in range(60)),
    "joins of all with all": "SELECT count(*) FROM games g0"
    + "".join(f" JOIN games g{i} ON g{i}.players = g0.players" for i in range(1, 40)),
    "subqueries that look outside": "SELECT count(*) FROM games a WHERE true"
    + "".join(
        f" AND EXISTS (SELECT 1 FROM games b{i} WHERE b{i}.game = a.game)" for i in range(100)
    ),
    "chain of WITH": "WITH c0 AS (SELECT 1 a)"
    + "".join(f", c{i} AS (SELECT x.a FROM c{i - 1} x, c{i - 1} y)" for i in range(1, 100))
    + " SELECT count(*) FROM c99",
    "cube": "SELECT count(*) FROM games GROUP BY CUBE "
    "(sheet, verdict, program, players, deals, events, findings, clean, month, event, site, winner)",
    "products": "SELECT count(*) FROM range(100000) a, range(100000) b, range(100000) c",
    "distinct products": "SELECT count(DISTINCT a.range * b.range) FROM range(100000) a, range(100000) b",
    "median of products": "SELECT median(a.range * b.range) FROM range(100000) a, range(100000) b",
    "window": "SELECT ntile(5) OVER (ORDER BY a.range) FROM range(100000) a, range(1000) b",
    "recursion": "WITH RECURSIVE t AS (SELECT 1 a UNION ALL SELECT a + 1 FROM t) SELECT count(*) FROM t",
    "recursion that doubles": "WITH RECURSIVE t AS (SELECT 'x' a UNION ALL SELECT a || a FROM t) "
    "SELECT max(length(a)) FROM t",
    "arrays": "SELECT [1]::INT[1][100000][100000]",
    "large arrays": "SELECT count(x) FROM (SELECT NULL::INT[100000] x FROM range(100000))",
    "split texts": f"SELECT string_split('{'a' * 4_000}', '') FROM range(100000)",
    "wide rows": "SELECT a.range, b.range"
    + f", '{'x' * 20}'" * 300
    + " FROM range(1000) a, range(1000) b",
    "formatted dates": f"SELECT strftime(TIMESTAMP '2020-01-01', '{'%c' * 4_000}') FROM range(1000)",
    "long lists": f"SELECT list_sort(list_value({','.join(map(str, range(2_000)))})) FROM range(100000)",
    "patterns": f"SELECT count(*) FROM range(100000) a WHERE '{'a' * 3_000}' LIKE '{'%a' * 1_500}b'",
}
"""Every bomb by what it repeats."""
