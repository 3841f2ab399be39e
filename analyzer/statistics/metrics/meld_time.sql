-- title: Timing of melds
-- asks: After how many tricks is a meld scored?
-- unit: tricks completed, mean
-- grain: score
-- kind: mean
-- where: scores.meld IS NOT NULL AND scores.trick > 0
-- sum: seats.meld_tricks
-- count: seats.timed_melds
-- caveat: Games without tricks are left out.
scores.trick
