-- title: Melds in trumps
-- asks: How often is a scored meld all trumps?
-- unit: percent of melds
-- grain: score
-- kind: share
-- where: scores.meld IS NOT NULL
-- caveat: Only melds; other points have no suit.
scores.royal
