WITH divisors AS (  -- of each part
    SELECT{unit_keys}
        count(*) AS n
    FROM {unit_tables}
    WHERE {unit_fits}
    GROUP BY ALL
),
sums AS (  -- of each part
    SELECT{whole_keys}
        {whole_count} AS times,
        {whole_sum}::DOUBLE AS total
    FROM {whole_tables}
    WHERE {whole_fits}
    GROUP BY ALL{whole_found}
),
groups AS (
    SELECT{plain_keys}
        n,
        n AS units,
        coalesce(times, 0)::BIGINT AS times,
        coalesce(total, 0) / n AS value
    FROM (
        SELECT{plain_unit_keys}
            sum(n)::BIGINT AS n
        FROM divisors
        GROUP BY ALL
    )
    {joined} (
        SELECT{plain_keys}
            sum(times) AS times,
            sum(total) AS total
        FROM sums
        GROUP BY ALL
    ){using_units}
    WHERE n > 0
),
matches AS (  -- of each part
    SELECT{unit_keys}
        {unit_game} AS game,
        count(*) AS units{unit_sheet}
    FROM {unit_tables}
    WHERE {unit_fits}{unit_sampled}
    GROUP BY ALL
),
counts AS (  -- of each part
    SELECT{keys}
        {game} AS game,
        {match_sum} AS total
    FROM {tables}
    WHERE {fits}{sampled}
    GROUP BY ALL{found}
),
{intervals}
SELECT{names}
    round({scale} * groups.value, 2) AS {metric},
    round({scale} * {low}, 2) AS low,
    round({scale} * {high}, 2) AS high,
    times,
    coalesce(intervals.matches, 0) AS matches,
    n
FROM groups
LEFT JOIN intervals{using}
ORDER BY {order}
LIMIT {limit}
