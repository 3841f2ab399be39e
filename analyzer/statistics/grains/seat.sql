-- noun: deal of a player
-- nouns: deals of players
-- tells: match deal
-- clean: seats.clean
-- variant: seats.variant
-- join games: JOIN games ON games.game = seats.game
-- join deals: JOIN deals ON deals.game = seats.game AND deals.deal = seats.deal
-- keys: game, deal, seat
seats
