-- The rated matches after a place in the order of rating, in that order: by the time at which they were played, those
-- without one first, then by the digest. Sides are looked up only where more than two play; otherwise every seat is
-- a side.
WITH next_games AS (
    SELECT game, people, players, winner, stored_at, coalesce(started_at, $earliest) AS played
    FROM games
    WHERE clean AND complete AND (coalesce(started_at, $earliest), game) > ($played, $game)
    ORDER BY played, game
    LIMIT $most
),
partners AS (
    SELECT seats.game, list(seats.side ORDER BY seats.seat) AS sides
    FROM seats
    JOIN next_games ON next_games.game = seats.game
    WHERE next_games.players > 2 AND seats.deal = 0
    GROUP BY seats.game
)
SELECT
    next_games.played,
    next_games.game,
    hash(hash(next_games.game, next_games.played, next_games.stored_at, next_games.people)) AS hashed,
    next_games.people,
    partners.sides,
    next_games.winner
FROM next_games
LEFT JOIN partners ON partners.game = next_games.game
ORDER BY next_games.played, next_games.game
