-- title: Length of a match
-- asks: How many deals does a match last?
-- unit: deals, mean
-- grain: game
-- kind: mean
-- where: games.complete
-- caveat: Only matches played to their end; where a deal is a game of its own the length is 1.
games.deals
