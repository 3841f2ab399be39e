-- title: Opponent
-- axis: opponent
-- kind: category
-- tables: seats
-- of: match
-- caveat: Only games for two.
it.opponent
