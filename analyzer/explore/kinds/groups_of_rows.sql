groups AS (
    SELECT{keys}
        {count} AS n,
        n AS units,
        {sum}::DOUBLE / n AS value
    FROM {tables}
    WHERE {fits}
    GROUP BY ALL
    HAVING n > 0
),
