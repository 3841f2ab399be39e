-- title: Month
-- axis: month in which the game started
-- kind: month
-- tables: seats games
-- of: match
-- caveat: Only games whose record gives a date.
it.month
