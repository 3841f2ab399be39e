-- title: Tournament
-- axis: tournament or evening
-- kind: category
-- tables: games
-- of: match
-- caveat: Only games whose record names one.
it.event
