-- What every player made of the `match_points` against every other.
SELECT
    own.player AS name,
    other.player AS opponent,
    sum(own.points) AS points,
    count(*) AS matches
FROM match_points AS own
JOIN match_points AS other ON other.game = own.game AND other.side <> own.side
WHERE list_contains($names, own.player) AND list_contains($names, other.player)
GROUP BY own.player, other.player
