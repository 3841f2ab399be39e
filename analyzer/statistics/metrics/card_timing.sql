-- title: When cards are played
-- asks: In which trick is a card played?
-- unit: trick of the deal, mean
-- grain: play
-- kind: mean
-- where: plays.card IS NOT NULL
-- caveat: Only cards that the record shows.
plays.trick + 1
