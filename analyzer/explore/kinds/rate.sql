WITH units AS (
    SELECT{unit_keys}
        count(*) AS n
    FROM {unit_tables}
    WHERE {unit_fits}
    GROUP BY ALL
),
totals AS (
    SELECT
        {unit},{keys}
        count(*) AS times,
        sum({value})::DOUBLE AS total
    FROM {tables}
    WHERE {fits}
    GROUP BY ALL
),
groups AS (
    SELECT{plain_keys}
        sum(times) AS times,
        sum(total) AS total,
        sum(total ** 2) AS squares
    FROM totals
    GROUP BY ALL
),
bounds AS (
    SELECT
        * REPLACE (
            coalesce(times, 0) AS times, coalesce(total, 0) AS total, coalesce(squares, 0) AS squares
        ),
        coalesce(total, 0) / n AS mean,
        sqrt(greatest(0, coalesce(squares - total ** 2 / n, 0)) / nullif(n - 1, 0)) AS deviation,
        -- Student's t of n - 1 degrees of freedom at 97.5 %: Fisher and Cornish's series.
        if(
            n = 2,
            12.7062,
            1.959964 + 2.372271 / (n - 1) + 2.822499 / (n - 1) ** 2 + 2.555853 / (n - 1) ** 3
            + 1.589536 / (n - 1) ** 4
        ) * deviation / sqrt(n) AS reach
    FROM groups
    {joined} units{using}
)
SELECT{names}
    round({scale} * mean, 2) AS {metric},
    round({scale} * if(reach > mean AND mean >= 0, 0, mean - reach), 2) AS low,
    round({scale} * (mean + reach), 2) AS high,
    times::BIGINT AS times,
    n
FROM bounds
ORDER BY {order}
LIMIT {limit}
