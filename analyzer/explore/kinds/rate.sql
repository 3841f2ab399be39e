WITH units AS (
    SELECT{unit_keys}
        count(*) AS n
    FROM {unit_tables}
    WHERE {unit_fits}
    GROUP BY ALL
),
sums AS (
    SELECT{keys}
        count(*) AS times,
        sum({value})::DOUBLE AS total,
        sum(({value})::DOUBLE * ({value})) AS singles
    FROM {tables}
    WHERE {fits}
    GROUP BY ALL
),
totals AS (
    SELECT
        {unit},{keys}
        sum({value})::DOUBLE AS total,
        sum(({value})::DOUBLE * ({value})) AS singles
    FROM {tables}
    WHERE {fits}{sampled}
    GROUP BY ALL
),
-- What comes more than once to the same unit makes the squares of the sums larger than the sums of the squares.
repeats AS (
    SELECT{plain_keys}
        sum(total * total) / nullif(sum(singles), 0) AS factor
    FROM totals
    GROUP BY ALL
),
groups AS (
    SELECT
        n,{plain_keys}
        coalesce(times, 0) AS times,
        coalesce(total, 0) AS total,
        coalesce(singles * coalesce(factor, 1), 0) AS squares
    FROM units
    {joined} sums{using}
    LEFT JOIN repeats{repeats}
),
bounds AS (
    SELECT
        *,
        total / n AS mean,
        sqrt(greatest(0, squares - total ** 2 / n) / nullif(n - 1, 0)) AS deviation,
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
    round({scale} * if(reach > mean AND mean >= 0, 0, mean - reach), 2) AS low,
    round({scale} * (mean + reach), 2) AS high,
    times::BIGINT AS times,
    n
FROM bounds
ORDER BY {order}
LIMIT {limit}
