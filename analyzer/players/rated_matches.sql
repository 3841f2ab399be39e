-- The rated matches of a player with what tells them: rulebook, time, names, result.
SELECT games.game, games.digest, games.sheet, games.started, games.utc_offset, games.month, games.names, seats.seat, seats.match_outcome
FROM seats
JOIN games ON games.game = seats.game
WHERE seats.player = $player AND seats.deal = 0 AND games.clean AND games.complete
