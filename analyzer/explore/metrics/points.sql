-- title: Points a deal
-- asks: How many points does a player make in a deal?
-- unit: points, mean
-- grain: seat
-- kind: mean
-- caveat: The scores of one deal are not independent of each other.
seats.points
