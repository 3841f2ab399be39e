-- title: Brisques that another takes
-- asks: How often does an ace or a ten that a player plays go to another player?
-- unit: percent of aces and tens played
-- grain: play
-- kind: share
-- where: plays.card[1] IN ('A', 'T')
-- caveat: A partner is another player, too. Only cards that the record shows.
NOT plays.took
