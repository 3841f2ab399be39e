-- title: Points for melds
-- asks: How many points does a player score by melds in a deal?
-- unit: points, mean
-- grain: seat
-- kind: mean
-- caveat: The scores of one deal are not independent.
seats.meld_points
