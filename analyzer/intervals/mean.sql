intervals AS (
    SELECT
        *,
        if(variance > 0, t * sqrt(variance), NULL) AS reach,
        value - reach AS low,
        value + reach AS high
    FROM spreads
)
