WITH groups AS (
    SELECT{keys}
        count({value}) AS n,
        avg({value}) AS mean,
        stddev_samp({value}) AS deviation
    FROM {tables}
    WHERE {fits}
    GROUP BY ALL
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
    WHERE n > 0
)
SELECT{names}
    round({scale} * mean, 2) AS {metric},
    round({scale} * (mean - reach), 2) AS low,
    round({scale} * (mean + reach), 2) AS high,
    n
FROM bounds
ORDER BY {order}
LIMIT {limit}
