-- title: Points per deal
-- asks: How many points does a player score in a deal?
-- unit: points, mean
-- grain: seat
-- kind: mean
-- sum of all: sums.points
-- count of all: sums.points_known
-- rows of all: sums.deals
-- caveat: Points from all sources.
seats.points
