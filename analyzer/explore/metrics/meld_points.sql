-- title: Points for melds
-- asks: How many points does a player score by melds in a deal?
-- unit: points, mean
-- grain: seat
-- kind: mean
-- sum of all: sums.meld_points
-- count of all: sums.meld_points_known
-- rows of all: sums.deals
-- caveat: A meld scored again with other cards counts again.
seats.meld_points
