-- Every event that games name, in each year: how much was played, the latest first.
SELECT
    event,
    year(started) AS season,
    count(*) AS games,
    list(DISTINCT sheet ORDER BY sheet) AS sheets,
    min(started)::DATE AS since,
    max(started)::DATE AS until
FROM games
WHERE event IS NOT NULL
GROUP BY event, season
ORDER BY until DESC NULLS LAST, event
LIMIT $most
