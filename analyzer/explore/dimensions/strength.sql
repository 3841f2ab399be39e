-- title: Hand dealt
-- axis: honours in the hand dealt (ace 4, ten 3, king 2, queen 1)
-- kind: number
-- tables: seats
-- of: deal
-- caveat: Only hands that the record gives in full.
it.strength
