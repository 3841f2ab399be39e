-- title: Cards drawn
-- asks: How many cards does a player draw in a deal?
-- unit: cards per deal of a player, mean
-- grain: card
-- kind: rate
-- where: cards.use = 'draw' AND cards.card IS NOT NULL
-- per: seat
-- scale: 1
-- caveat: Only cards that the record shows.
1
