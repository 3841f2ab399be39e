-- title: Source
-- axis: source of the points
-- kind: category
-- tables: scores score_sums
-- of: scoring
-- caveat:
it.source
