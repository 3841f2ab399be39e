-- title: Trick
-- axis: trick of the deal
-- kind: number
-- tables: tricks
-- of: trick
-- caveat:
it.trick + 1
