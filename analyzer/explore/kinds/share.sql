WITH groups AS (
    SELECT{keys}
        count({value}) AS n,
        avg(({value})::DOUBLE) AS share
    FROM {tables}
    WHERE {fits}
    GROUP BY ALL
),
bounds AS (
    SELECT
        *,
        -- Wilson's interval at 95 %.
        (share + 3.841459 / (2 * n)) / (1 + 3.841459 / n) AS middle,
        1.959964 / (1 + 3.841459 / n) * sqrt(share * (1 - share) / n + 3.841459 / (4 * n ** 2)) AS reach
    FROM groups
    WHERE n > 0
)
SELECT{names}
    round(100 * share, 2) AS {metric},
    round(100 * (middle - reach), 2) AS low,
    round(100 * (middle + reach), 2) AS high,
    n
FROM bounds
ORDER BY {order}
LIMIT {limit}
