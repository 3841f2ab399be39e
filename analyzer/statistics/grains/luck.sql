-- noun: rolled-out deal of a player
-- nouns: rolled-out deals of players
-- tells: match deal
-- clean: seats.clean
-- variant: seats.variant
-- join games: JOIN games ON games.game = seats.game
-- join deals: JOIN deals ON deals.game = seats.game AND deals.deal = seats.deal
-- keys: game, deal, seat
seats JOIN luck ON luck.game = seats.game AND luck.deal = seats.deal AND luck.seat = seats.seat
