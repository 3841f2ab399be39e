-- noun: trick
-- nouns: tricks
-- tells: match deal trick
-- clean: tricks.clean
-- variant: games.variant
-- join games: JOIN games ON games.game = tricks.game
-- join deals: JOIN deals ON deals.game = tricks.game AND deals.deal = tricks.deal
-- join seats: JOIN seats ON seats.game = tricks.game AND seats.deal = tricks.deal AND seats.seat = tricks.leader
-- note seats: The player is the one who led to the trick.
tricks
