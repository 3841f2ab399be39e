-- Wilson's interval, with as many units as would vary so much if each were drawn by itself. Where no match or every
-- match is counted, each match is a unit.
intervals AS (
    SELECT
        *,
        middle - reach AS low,
        middle + reach AS high
    FROM (
        SELECT
            *,
            (value + widening / 2) / (1 + widening) AS middle,
            sqrt(widening * value * (1 - value) + widening ** 2 / 4) / (1 + widening) AS reach
        FROM (
            SELECT
                *,
                -- Divided by the number of such units.
                t ** 2 * if(variance > 0, variance / (value * (1 - value)), if(value IN (0, 1), 1 / matches, NULL)) AS widening
            FROM spreads
        )
    )
)
