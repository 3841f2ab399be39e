-- title: Player
-- axis: player
-- kind: category
-- tables: seats
-- of: match
-- caveat: Players are identified by their names.
it.player
