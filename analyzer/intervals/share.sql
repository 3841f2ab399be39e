-- Wilson's interval, with as many units as would vary so much if each were drawn by itself. Where no match or every
-- match is counted, each match is a unit.
intervals AS (
    SELECT
        *,
        if(variance > 0, value * (1 - value) / variance, if(value IN (0, 1), matches, NULL)) AS effective,
        t ** 2 / effective AS widening,
        (value + widening / 2) / (1 + widening) AS middle,
        sqrt(widening * value * (1 - value) + widening ** 2 / 4) / (1 + widening) AS reach,
        middle - reach AS low,
        middle + reach AS high
    FROM spreads
)
