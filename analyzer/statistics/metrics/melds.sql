-- title: Melds per deal
-- asks: How many melds does a player score in a deal?
-- unit: melds, mean
-- grain: seat
-- kind: mean
-- caveat: A meld scored again with other cards counts again.
seats.melds
