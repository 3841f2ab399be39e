-- What is never negative, such as points and counts, varies the more the more there is of it: the ends are the two values
-- from which this one is t standard errors away, if the variance grows as the value does. A lead may be negative.
intervals AS (
    SELECT
        *,
        if(least >= 0 AND value > 0, t ** 2 * variance / (2 * value), 0) AS shift,
        if(variance > 0, sqrt(t ** 2 * variance + shift ** 2), NULL) AS reach,
        value + shift - reach AS low,
        value + shift + reach AS high
    FROM spreads
)
