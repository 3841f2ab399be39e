-- title: Last tricks won
-- asks: How often does a player take the last trick?
-- unit: percent of deals
-- grain: seat
-- kind: share
-- where: seats.deal_tricks > 0
-- caveat: Of two players each has 50 by chance alone.
seats.won_last_trick
