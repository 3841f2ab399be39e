-- title: Program
-- axis: program that wrote the record
-- kind: category
-- tables: seats games sums_by_rules
-- of: match
-- caveat: As stated in the record.
coalesce(it.program, 'not named')
