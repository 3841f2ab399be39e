-- title: Melds per 100 deals
-- asks: How often is a meld scored?
-- unit: times per 100 deals of a player
-- grain: score
-- kind: rate
-- where: scores.meld IS NOT NULL
-- per: seat
-- scale: 100
-- caveat: A meld scored again with other cards counts again.
1
