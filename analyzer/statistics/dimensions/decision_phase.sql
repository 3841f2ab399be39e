-- title: Phase of the decision
-- axis: phase of the deal
-- kind: category
-- tables: decisions
-- of: decision
-- caveat:
CASE it.phase WHEN 'stock' THEN 'while the stock lasts' WHEN 'last_trick' THEN 'last trick before the close' ELSE 'after the close' END
