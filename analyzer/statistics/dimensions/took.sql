-- title: Trick taken
-- axis: whether the card took the trick
-- kind: flag
-- tables: plays play_sums
-- of: card
-- caveat:
it.took
