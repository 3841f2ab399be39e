SELECT{names}
    round({scale} * difference, 2) AS difference,
    round({scale} * {low}, 2) AS low,
    round({scale} * {high}, 2) AS high,
    matches,
    n
FROM differences
ORDER BY {order}
LIMIT {limit}
