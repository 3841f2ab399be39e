-- title: Cards that take the trick
-- asks: How often does a card take the trick?
-- unit: percent of cards played
-- grain: play
-- kind: share
-- where: plays.card IS NOT NULL
-- caveat: Only cards that the record shows.
plays.took
