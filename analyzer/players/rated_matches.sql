-- The rated matches of a player with what tells them: rulebook, time, names, sides, result. Sides are looked up only where
-- more than two play.
WITH own AS (
    SELECT game, seat, players, match_outcome FROM seats WHERE player = $player AND deal = 0
),
partners AS (
    SELECT seats.game, list(seats.side ORDER BY seats.seat) AS sides
    FROM seats
    JOIN own ON own.game = seats.game
    WHERE own.players > 2 AND seats.deal = 0
    GROUP BY seats.game
)
SELECT
    games.game,
    games.digest,
    games.sheet,
    games.started,
    games.utc_offset,
    games.month,
    games.names,
    partners.sides,
    own.seat,
    own.match_outcome
FROM own
JOIN games ON games.game = own.game
LEFT JOIN partners ON partners.game = own.game
WHERE games.clean AND games.complete
