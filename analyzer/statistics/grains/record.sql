-- noun: record
-- nouns: records
-- tells: match
-- clean: true
-- variant: games.variant
-- join seats: JOIN seats ON seats.game = games.game AND seats.deal = 0
-- note seats: A record counts once for each of its players.
-- keys: game
games
