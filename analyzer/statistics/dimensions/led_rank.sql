-- title: Rank led
-- axis: rank of the card led
-- kind: category
-- tables: tricks plays
-- of: trick
-- column: led
-- caveat:
if(it.led[1] = 'T', '10', it.led[1])
