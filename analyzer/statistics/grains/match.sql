-- noun: match of a player
-- nouns: matches of players
-- tells: match
-- clean: games.clean
-- variant: seats.variant
-- has: games
-- where: seats.deal = 0
seats JOIN games ON games.game = seats.game
