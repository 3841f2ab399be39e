-- title: Month
-- axis: month in which the game started
-- kind: month
-- tables: seats games sums_by_rules
-- of: match
-- caveat: Only games whose record gives a date.
it.month
