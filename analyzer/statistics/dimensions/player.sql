-- title: Player
-- axis: player
-- kind: category
-- tables: seats
-- of: match
-- few matches: yes
-- caveat: A player is an id where records give one, otherwise a name.
it.player
