-- title: Length of a deal
-- asks: How many tricks does a deal last?
-- unit: tricks, mean
-- grain: deal
-- kind: mean
-- where: deals.tricks > 0
-- caveat: Games without tricks are left out.
deals.tricks
