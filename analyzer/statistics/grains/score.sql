-- noun: scoring
-- nouns: scorings
-- tells: match deal scoring
-- clean: scores.clean
-- variant: games.variant
-- join games: JOIN games ON games.game = scores.game
-- join deals: JOIN deals ON deals.game = scores.game AND deals.deal = scores.deal
-- join seats: JOIN seats ON seats.game = scores.game AND seats.deal = scores.deal AND seats.seat = scores.seat
scores
