-- title: Rank
-- axis: rank of the card
-- kind: category
-- tables: plays cards play_sums card_sums
-- of: card
-- column: card
-- caveat:
if(it.card[1] = 'T', '10', it.card[1])
