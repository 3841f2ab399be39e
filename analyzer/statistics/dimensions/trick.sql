-- title: Trick
-- axis: trick of the deal
-- kind: number
-- tables: tricks trick_sums plays
-- of: trick
-- caveat:
it.trick + 1
