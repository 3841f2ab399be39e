-- title: Person or program
-- axis: who plays
-- kind: category
-- tables: seats
-- of: match
-- caveat: Only where the record says which.
it.kind
