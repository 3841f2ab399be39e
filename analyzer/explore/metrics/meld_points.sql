-- title: Points for melds
-- asks: How many points does a player score by melds in a deal?
-- unit: points, mean
-- grain: seat
-- kind: mean
-- sum of all: seat_sums.meld_points
-- count of all: seat_sums.meld_points_known
-- rows of all: seat_sums.deals
-- caveat: A meld scored again with other cards counts again.
seats.meld_points
