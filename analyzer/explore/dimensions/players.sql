-- title: Number of players
-- axis: players
-- kind: number
-- tables: games
-- of: match
-- caveat:
it.players
