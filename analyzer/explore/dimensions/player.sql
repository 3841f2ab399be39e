-- title: Player
-- axis: player
-- kind: category
-- tables: seats sums_by_player
-- of: match
-- few matches: yes
-- caveat: Players are identified by their names.
it.player
