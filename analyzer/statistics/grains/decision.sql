-- noun: weighed decision
-- nouns: weighed decisions
-- tells: match deal decision
-- clean: decisions.clean
-- variant: games.variant
-- has: games
-- join deals: JOIN deals ON deals.game = decisions.game AND deals.deal = decisions.deal
-- join seats: JOIN seats ON seats.game = decisions.game AND seats.deal = decisions.deal AND seats.seat = decisions.seat
-- note seats: The player is the one who decided.
decisions JOIN games ON games.game = decisions.game
