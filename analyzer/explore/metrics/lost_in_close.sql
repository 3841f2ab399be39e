-- title: Points lost after the close
-- asks: How many points does a player lose after the close, against best play?
-- unit: points, mean
-- grain: review
-- kind: mean
-- where: reviews.lost IS NOT NULL
-- caveat: Only games that were annotated, one by opening its review, all by bezique annotate --stored; and only deals whose close was solved as a whole. Where cards break rules, what that gained counts too.
reviews.lost
