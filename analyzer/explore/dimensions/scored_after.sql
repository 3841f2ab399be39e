-- title: Scored after trick
-- axis: tricks completed when the points were made
-- kind: number
-- tables: scores
-- of: scoring
-- caveat: Points that count at the end of the deal fall to its last trick.
it.trick
