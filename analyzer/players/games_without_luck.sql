-- The games of a player in which luck and skill were not estimated though they can be, the latest first.
SELECT games.digest, games.started, games.utc_offset, games.names, any_value(seats.seat) AS seat
FROM seats
JOIN games ON games.game = seats.game
WHERE seats.player = $player AND ($sheet IS NULL OR seats.sheet = $sheet)
    AND seats.clean AND seats.deal_tricks > 0 AND len(games.names) = 2
    AND NOT EXISTS (FROM luck WHERE luck.game = seats.game)
GROUP BY ALL
ORDER BY games.started DESC NULLS LAST, games.digest
LIMIT $most
