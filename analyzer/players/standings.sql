-- The standing by the `match_points`.
SELECT
    player AS name,
    count(*) AS matches,
    count_if(points = 1) AS won,
    count_if(points = 0.5) AS drawn,
    count_if(points = 0) AS lost,
    sum(points) AS points,
    sum(made)::BIGINT AS made,
    sum(received)::BIGINT AS received,
    count_if(typed) AS typed
FROM match_points
GROUP BY player
ORDER BY sum(points) DESC, won DESC, made DESC, name
LIMIT $most
