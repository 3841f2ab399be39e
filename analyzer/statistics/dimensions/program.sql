-- title: Program
-- axis: program that wrote the record
-- kind: category
-- tables: seats games
-- of: match
-- caveat: As stated in the record.
coalesce(it.program, 'not named')
