-- title: Points for melds
-- asks: How many points does a player score by melds in a deal?
-- unit: points, mean
-- grain: seat
-- kind: mean
-- caveat: A meld scored again with other cards counts again.
seats.meld_points
