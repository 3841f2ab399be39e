-- title: Suit
-- axis: suit of the card
-- kind: category
-- tables: plays cards card_sums
-- of: card
-- column: card
-- caveat:
CASE it.card[2] WHEN 'S' THEN 'spades' WHEN 'H' THEN 'hearts' WHEN 'D' THEN 'diamonds' WHEN 'C' THEN 'clubs' END
