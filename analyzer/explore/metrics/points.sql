-- title: Points per deal
-- asks: How many points does a player score in a deal?
-- unit: points, mean
-- grain: seat
-- kind: mean
-- sum of all: seat_sums.points
-- count of all: seat_sums.points_known
-- rows of all: seat_sums.deals
-- caveat: Points from all sources.
seats.points
