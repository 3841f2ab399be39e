-- title: Player
-- axis: player
-- kind: category
-- tables: seats
-- of: match
-- caveat: Players are told apart by their names.
it.player
