-- title: Points per meld
-- asks: How many points does a scored meld bring?
-- unit: points, mean
-- grain: score
-- kind: mean
-- where: scores.meld IS NOT NULL
-- caveat: Royal and common melds that share a name count together.
scores.points
