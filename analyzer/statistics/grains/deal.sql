-- noun: deal
-- nouns: deals
-- tells: match deal
-- clean: deals.clean
-- variant: games.variant
-- join games: JOIN games ON games.game = deals.game
-- join seats: JOIN seats ON seats.game = deals.game AND seats.deal = deals.deal
-- note seats: A deal counts once for each of its players.
deals
