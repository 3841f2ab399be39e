-- What comes before is as for intervals: `groups` and `matches`, here of two values of `second`. A match that is in both
-- groups pulls both, and only the difference of its pulls counts.
wholes AS (
    SELECT{keys}
        sum(units) AS units,
        sum(total) / sum(units) AS value
    FROM matches
    GROUP BY ALL
),
pulls AS (
    SELECT
        matches.*,
        matches.units / wholes.units AS weight,
        nullif(1 - weight, 0) AS rest,
        (total - value * matches.units) / wholes.units / sqrt(rest) AS pull
    FROM matches
    JOIN wholes{using}
),
sizes AS (
    SELECT{keys}
        count(*) AS matches_of_one,
        sum(weight ** 2) + sum(weight ** 2 / rest) ** 2 - sum((weight ** 2 / rest) ** 2) AS inverse_freedom
    FROM pulls
    GROUP BY ALL
),
both_pulls AS (
    SELECT{other_keys}
        game,{sheet}
        sum(if(second = (SELECT min(second) FROM groups), -pull, pull)) AS pull,
        sum(pull ** 2) AS alone
    FROM pulls
    GROUP BY ALL
),
variances AS (
    SELECT{other_keys}
        count(*) AS matches,
        {alike} AS alike,
        if(sum(pull ** 2) > 1e-12 * sum(alone), sum(pull ** 2), NULL) AS variance
    FROM both_pulls
    GROUP BY ALL
),
pairs AS (
    SELECT{other_keys}
        arg_max(groups.value, second) - arg_min(groups.value, second) AS difference,
        sum(groups.n) AS n,
        -- Where only some matches are looked at, all of them vary that much less.
        sum(wholes.units) / sum(groups.units) AS looked_at,
        -- The smaller degrees of freedom of the two.
        if(count(inverse_freedom) = 2 AND min(matches_of_one) >= {fewest}, max(inverse_freedom), NULL) AS inverse_freedom
    FROM groups
    LEFT JOIN wholes{using}
    LEFT JOIN sizes{using}
    GROUP BY ALL
    HAVING count(*) = 2
),
differences AS (
    SELECT
        *,
        if(alike, {t} * sqrt(variance * looked_at), NULL) AS reach
    FROM pairs
    JOIN variances{using_other}
)
