whole_groups AS (  -- of each part
    SELECT{whole_keys}
        {whole_count} AS units,
        {whole_sum}::DOUBLE AS total
    FROM {whole_tables}
    WHERE {whole_fits}
    GROUP BY ALL
),
