-- title: Suit led
-- axis: suit of the card led
-- kind: category
-- tables: tricks plays
-- of: trick
-- column: led
-- caveat:
CASE it.led[2] WHEN 'S' THEN 'spades' WHEN 'H' THEN 'hearts' WHEN 'D' THEN 'diamonds' WHEN 'C' THEN 'clubs' END
