WITH matches AS (  -- of each part
    SELECT{keys}
        {game} AS game,
        {match_sum} AS total,
        {count} AS units{sheet}
    FROM {tables}
    WHERE {fits}{sampled}
    GROUP BY ALL
    HAVING units > 0
),
{groups}
{intervals}
SELECT{names}
    round({scale} * groups.value, 2) AS {metric},
    round({scale} * {low}, 2) AS low,
    round({scale} * {high}, 2) AS high,
    coalesce(intervals.matches, 0) AS matches,
    n
FROM groups
LEFT JOIN intervals{using}
ORDER BY {order}
LIMIT {limit}
