-- title: Source
-- axis: source of the points
-- kind: category
-- tables: scores
-- of: scoring
-- caveat:
it.source
