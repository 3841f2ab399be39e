-- title: Opponent
-- axis: opponent
-- kind: category
-- tables: seats
-- of: match
-- few matches: yes
-- caveat: Only games for two.
it.opponent
