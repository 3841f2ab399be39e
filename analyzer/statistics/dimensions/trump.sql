-- title: Trump suit
-- axis: trump suit
-- kind: category
-- tables: deals
-- of: deal
-- caveat: Only deals with a trump suit.
CASE it.trump WHEN 'S' THEN 'spades' WHEN 'H' THEN 'hearts' WHEN 'D' THEN 'diamonds' WHEN 'C' THEN 'clubs' END
