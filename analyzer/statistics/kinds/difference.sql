SELECT{names}
    round({scale} * difference, 2) AS difference,
    round({scale} * (difference - reach), 2) AS low,
    round({scale} * (difference + reach), 2) AS high,
    matches,
    n
FROM differences
ORDER BY {order}
LIMIT {limit}
