-- title: Program
-- axis: program that wrote the record
-- kind: category
-- tables: seats games
-- of: match
-- caveat: A record names its program itself.
coalesce(it.program, 'not named')
