-- title: Cards thrown away
-- asks: What is played to tricks that are lost while the stock lasts?
-- unit: percent of cards thrown
-- grain: play
-- kind: spread
-- where: plays.card IS NOT NULL AND plays.place > 0 AND NOT plays.took AND NOT plays.closed
-- caveat: Cards that followed a lead and did not take the trick. Only cards that the record shows.
1
