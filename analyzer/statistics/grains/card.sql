-- noun: card moved
-- nouns: cards moved
-- tells: match deal card
-- clean: cards.clean
-- variant: games.variant
-- join games: JOIN games ON games.game = cards.game
-- join deals: JOIN deals ON deals.game = cards.game AND deals.deal = cards.deal
-- join seats: JOIN seats ON seats.game = cards.game AND seats.deal = cards.deal AND seats.seat = cards.seat
cards
