-- title: Player
-- axis: player
-- kind: category
-- tables: seats
-- of: match
-- few matches: yes
-- caveat: Players are identified by their names.
it.player
