-- title: Cards kept for the close
-- asks: How many cards does a player hold at the close?
-- unit: cards per deal of a player, mean
-- grain: play
-- kind: rate
-- where: plays.closed AND plays.card IS NOT NULL
-- per: seat
-- scale: 1
-- caveat: Cards played after the close. Only cards that the record shows.
1
