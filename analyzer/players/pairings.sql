-- What every player made of the matches in `chosen_matches` against every other.
SELECT
    own.player AS name,
    other.player AS opponent,
    sum(own.match_outcome) AS points,
    count(*) AS matches
FROM chosen_matches
JOIN seats AS own USING (game)
JOIN seats AS other ON other.game = own.game AND other.side <> own.side
WHERE
    own.deal = 0 AND own.match_outcome IS NOT NULL AND list_contains($names, own.player)
    AND other.deal = 0 AND other.match_outcome IS NOT NULL AND list_contains($names, other.player)
GROUP BY own.player, other.player
