-- title: Length of a match
-- asks: How many deals does a match last?
-- unit: deals, mean
-- grain: game
-- kind: mean
-- where: games.complete
-- caveat: Only matches played to the end. Where every deal is a match of its own, the length is 1.
games.deals
