-- title: Last tricks won
-- asks: How often does a player take the last trick?
-- unit: percent of deals
-- grain: seat
-- kind: share
-- settled by: last_trick
-- where: seats.deal_tricks > 0
-- mixes: yes
-- caveat: With two players, chance alone gives each 50 percent.
seats.won_last_trick
