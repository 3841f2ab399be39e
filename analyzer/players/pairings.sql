-- What every player made of the matches chosen against every other.
WITH chosen AS (
    SELECT game
    FROM games
    WHERE
        complete
        AND verdict IN ('legal', 'legal_with_mismatches', 'undetermined')
        AND event IS NOT DISTINCT FROM coalesce($event, event)
        AND ($season IS NULL OR year(started) = $season)
        AND sheet = coalesce($sheet, sheet)
),
seated AS (
    SELECT game, player, side, match_outcome
    FROM seats
    JOIN chosen USING (game)
    WHERE deal = 0 AND match_outcome IS NOT NULL AND list_contains($names, player)
)
SELECT
    own.player AS name,
    other.player AS opponent,
    sum(own.match_outcome) AS points,
    count(*) AS matches
FROM seated AS own
JOIN seated AS other ON other.game = own.game AND other.side <> own.side
GROUP BY own.player, other.player
