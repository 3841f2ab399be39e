-- title: Hand dealt
-- axis: high cards in the hand dealt (ace 4, ten 3, king 2, queen 1)
-- kind: number
-- tables: seats
-- of: deal
-- caveat: Only hands that the record shows in full.
it.strength
