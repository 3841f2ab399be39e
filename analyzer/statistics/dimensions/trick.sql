-- title: Trick
-- axis: trick of the deal
-- kind: number
-- tables: tricks trick_sums plays play_sums
-- of: trick
-- caveat:
it.trick + 1
