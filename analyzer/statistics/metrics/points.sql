-- title: Points per deal
-- asks: How many points does a player score in a deal?
-- unit: points, mean
-- grain: seat
-- kind: mean
-- caveat: Points from all sources.
seats.points
