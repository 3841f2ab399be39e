-- title: Cards melded
-- asks: Of which cards are melds made?
-- unit: percent of cards melded
-- grain: card
-- kind: spread
-- where: cards.use = 'meld' AND cards.card IS NOT NULL
-- caveat: A card counts with each meld that it is in. Only cards that the record shows.
1
