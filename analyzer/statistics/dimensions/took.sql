-- title: Trick taken
-- axis: whether the card took the trick
-- kind: flag
-- tables: plays
-- of: card
-- caveat:
it.took
