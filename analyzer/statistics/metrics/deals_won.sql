-- title: Deals won
-- asks: How often does a player make the most points of a deal?
-- unit: percent of deals
-- grain: seat
-- kind: share
-- settled by: result
-- mixes: yes
-- caveat: A deal in which the best are level counts as half won.
seats.outcome
