-- title: Deal of the match
-- axis: deal of the match
-- kind: number
-- tables: seats deals tricks scores
-- of: deal
-- caveat: Later deals are of matches that lasted so long.
it.deal + 1
