-- title: Margin
-- asks: By how many points is a deal won?
-- unit: points, mean
-- grain: deal
-- kind: mean
-- caveat: A level deal counts as a margin of 0.
deals.margin
