-- Every rated match in the order of play: the players of each side, and the winner. Sides are looked up only
-- where more than two play; otherwise every seat is a side.
WITH partners AS (
    SELECT seats.game, list(seats.side ORDER BY seats.seat) AS sides
    FROM seats
    JOIN games ON games.game = seats.game
    WHERE games.players > 2 AND games.clean AND seats.deal = 0
    GROUP BY seats.game
)
SELECT games.names, partners.sides, games.winner, games.month, games.stored_at
FROM games
LEFT JOIN partners ON partners.game = games.game
WHERE games.clean AND games.complete AND games.stored_at > $after
ORDER BY coalesce(games.started, games.stored_at), games.game
