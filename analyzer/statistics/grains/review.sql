-- noun: reviewed deal of a player
-- nouns: reviewed deals of players
-- tells: match deal
-- clean: seats.clean
-- variant: seats.variant
-- has: reviews
-- join games: JOIN games ON games.game = seats.game
-- join deals: JOIN deals ON deals.game = seats.game AND deals.deal = seats.deal
-- keys: game, deal, seat
seats JOIN reviews ON reviews.game = seats.game AND reviews.deal = seats.deal AND reviews.seat = seats.seat
