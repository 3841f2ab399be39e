-- title: Points lost after the close
-- asks: How many points does a player lose after the close, compared with best play?
-- unit: points, mean
-- grain: review
-- kind: mean
-- where: reviews.lost IS NOT NULL
-- caveat: Only annotated games: open the review of a game to annotate it, or run bezique annotate --stored to annotate all. Only deals whose close was solved completely. Points gained by breaking rules count too.
reviews.lost
