-- What every player made of the matches chosen: a match won is a point, a draw half of one.
WITH chosen AS (
    SELECT game, scores, settlement
    FROM games
    WHERE
        complete
        AND verdict IN ('legal', 'legal_with_mismatches', 'undetermined')
        AND event IS NOT DISTINCT FROM coalesce($event, event)
        AND ($season IS NULL OR year(started) = $season)
        AND sheet = coalesce($sheet, sheet)
)
SELECT
    player AS name,
    count(*) AS matches,
    count_if(match_outcome = 1) AS won,
    count_if(match_outcome = 0.5) AS drawn,
    count_if(match_outcome = 0) AS lost,
    sum(match_outcome) AS points,
    sum(chosen.scores[side + 1])::BIGINT AS made,
    sum(chosen.settlement[side + 1])::BIGINT AS received
FROM seats
JOIN chosen USING (game)
WHERE deal = 0 AND match_outcome IS NOT NULL
GROUP BY player
ORDER BY points DESC, won DESC, made DESC, name
LIMIT $most
