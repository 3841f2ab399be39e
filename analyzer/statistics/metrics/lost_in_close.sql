-- title: Points lost after the close
-- asks: How many points does a player lose after the close, compared with best play?
-- unit: points, mean
-- grain: review
-- kind: mean
-- where: reviews.lost IS NOT NULL
-- terminal: `bezique review --stored` reviews all games.
-- caveat: Only games whose review was opened on this site or made in a terminal. Only deals whose close was solved completely. Points gained by breaking rules count too.
reviews.lost
