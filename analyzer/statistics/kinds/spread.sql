WITH sums AS (  -- of each part
    SELECT{whole_keys}
        {whole_count} AS n
    FROM {whole_tables}
    WHERE {whole_fits}
    GROUP BY ALL
),
groups AS (
    SELECT
        *,
        sum(n) OVER ({within}) AS units,
        n / units AS value
    FROM (
        SELECT{plain_keys}
            sum(n)::BIGINT AS n
        FROM sums
        GROUP BY ALL
    )
    WHERE n > 0
),
counts AS (  -- of each part
    SELECT{keys}
        {game} AS game,
        {count} AS total{sheet}
    FROM {tables}
    WHERE {fits}{sampled}
    GROUP BY ALL{found}
),
matches AS (
    SELECT{within_keys}
        game,
        sum(total) AS units{sheet_again}
    FROM counts
    GROUP BY ALL
),
{intervals}
SELECT{names}
    round({scale} * groups.value, 2) AS {metric},
    round({scale} * {low}, 2) AS low,
    round({scale} * {high}, 2) AS high,
    coalesce(intervals.matches, 0) AS matches,
    n
FROM groups
LEFT JOIN intervals{using}
ORDER BY {order}
LIMIT {limit}
