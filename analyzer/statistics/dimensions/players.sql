-- title: Number of players
-- axis: players
-- kind: number
-- tables: seats games
-- of: match
-- caveat:
it.players
