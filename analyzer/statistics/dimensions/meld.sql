-- title: Meld
-- axis: meld
-- kind: category
-- tables: scores score_sums
-- of: scoring
-- caveat: Royal and common melds that share a name count together.
it.meld
