WITH sums AS (
    SELECT{keys}
        count({value}) AS n,
        sum({value})::DOUBLE AS total,
        sum(({value})::DOUBLE * ({value})) AS squares
    FROM {tables}
    WHERE {fits}
    GROUP BY ALL
),
groups AS (
    SELECT
        *,
        total / n AS mean,
        sqrt(greatest(0, squares - total * total / n) / nullif(n - 1, 0)) AS deviation
    FROM sums
    WHERE n > 0
),
bounds AS (
    SELECT
        *,
        -- Student's t of n - 1 degrees of freedom at 97.5 %: Fisher and Cornish's series.
        if(
            n = 2,
            12.7062,
            1.959964 + 2.372271 / (n - 1) + 2.822499 / (n - 1) ** 2 + 2.555853 / (n - 1) ** 3
            + 1.589536 / (n - 1) ** 4
        ) * deviation / sqrt(n) AS reach
    FROM groups
)
SELECT{names}
    round({scale} * mean, 2) AS {metric},
    round({scale} * (mean - reach), 2) AS low,
    round({scale} * (mean + reach), 2) AS high,
    n
FROM bounds
ORDER BY {order}
LIMIT {limit}
