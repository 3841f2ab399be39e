groups AS (
    SELECT{whole_keys}
        {whole_count} AS n,
        n AS units,
        {whole_sum}::DOUBLE / n AS value
    FROM {whole_tables}
    WHERE {whole_fits}
    GROUP BY ALL
    HAVING n > 0
),
