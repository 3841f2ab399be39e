-- noun: card played
-- nouns: cards played
-- tells: match deal trick card
-- clean: plays.clean
-- variant: games.variant
-- join games: JOIN games ON games.game = plays.game
-- join deals: JOIN deals ON deals.game = plays.game AND deals.deal = plays.deal
-- join seats: JOIN seats ON seats.game = plays.game AND seats.deal = plays.deal AND seats.seat = plays.seat
plays
