-- noun: trick of a deal of a player
-- nouns: tricks of deals of players
-- tells: match deal trick
-- clean: tricks.clean
-- variant: seats.variant
-- join games: JOIN games ON games.game = tricks.game
-- join deals: JOIN deals ON deals.game = tricks.game AND deals.deal = tricks.deal
-- has: seats
tricks JOIN seats ON seats.game = tricks.game AND seats.deal = tricks.deal
