WITH groups AS (
    SELECT{keys}
        count(*) AS n
    FROM {tables}
    WHERE {fits}
    GROUP BY ALL
),
shares AS (
    SELECT
        *,
        sum(n) OVER ({within}) AS whole,
        n / whole AS share
    FROM groups
    WHERE n > 0
),
bounds AS (
    SELECT
        *,
        -- Wilson's interval at 95 %.
        (share + 3.841459 / (2 * whole)) / (1 + 3.841459 / whole) AS middle,
        1.959964 / (1 + 3.841459 / whole)
        * sqrt(share * (1 - share) / whole + 3.841459 / (4 * whole ** 2)) AS reach
    FROM shares
)
SELECT{names}
    round(100 * share, 2) AS {metric},
    round(100 * (middle - reach), 2) AS low,
    round(100 * (middle + reach), 2) AS high,
    n
FROM bounds
ORDER BY {order}
LIMIT {limit}
