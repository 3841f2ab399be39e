-- title: Tricks won
-- asks: How many tricks does a player win in a deal?
-- unit: tricks, mean
-- grain: seat
-- kind: mean
-- where: seats.deal_tricks > 0
-- caveat: Games without tricks are left out.
seats.tricks
