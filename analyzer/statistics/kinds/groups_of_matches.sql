groups AS (
    SELECT{plain_keys}
        sum(units)::BIGINT AS n,
        n AS units,
        sum(total) / n AS value
    FROM matches
    GROUP BY ALL
    HAVING n > 0
),
