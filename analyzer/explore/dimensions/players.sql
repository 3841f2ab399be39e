-- title: Number of players
-- axis: players
-- kind: number
-- tables: seats games seat_sums
-- of: match
-- caveat:
it.players
