-- title: Deal won or lost
-- axis: result of the deal
-- kind: category
-- tables: seats
-- of: deal
-- caveat:
CASE it.outcome WHEN 1 THEN 'won' WHEN 0 THEN 'lost' WHEN 0.5 THEN 'level' END
