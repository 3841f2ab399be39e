groups AS (
    SELECT{plain_keys}
        sum(units)::BIGINT AS n,
        n AS units,
        sum(total) / n AS value
    FROM {grouped}
    GROUP BY ALL
    HAVING n > 0
),
