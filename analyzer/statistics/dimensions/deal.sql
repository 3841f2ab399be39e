-- title: Deal of the match
-- axis: deal of the match
-- kind: number
-- tables: seats deals tricks scores
-- of: deal
-- caveat: Later deals come only from matches that lasted that long.
it.deal + 1
