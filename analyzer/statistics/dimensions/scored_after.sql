-- title: Scored after trick
-- axis: tricks completed when the points were scored
-- kind: number
-- tables: scores
-- of: scoring
-- caveat: Points counted at the end of the deal belong to its last trick.
it.trick
