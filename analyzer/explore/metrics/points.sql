-- title: Points per deal
-- asks: How many points does a player score in a deal?
-- unit: points, mean
-- grain: seat
-- kind: mean
-- caveat: The scores of one deal are not independent.
seats.points
