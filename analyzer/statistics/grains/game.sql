-- noun: match
-- nouns: matches
-- tells: match
-- clean: games.clean
-- variant: games.variant
-- join seats: JOIN seats ON seats.game = games.game AND seats.deal = 0
-- note seats: A match counts once for each of its players.
games
