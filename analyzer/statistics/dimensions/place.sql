-- title: Led or played to a lead
-- axis: how the card was played
-- kind: category
-- tables: plays play_sums
-- of: card
-- column: place
-- caveat:
if(it.place = 0, 'led', 'played to a lead')
