-- title: Number of players
-- axis: players
-- kind: number
-- tables: seats games sums_by_rules
-- of: match
-- caveat:
it.players
