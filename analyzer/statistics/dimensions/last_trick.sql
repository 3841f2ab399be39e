-- title: Last trick
-- axis: took the last trick
-- kind: flag
-- tables: seats
-- of: deal
-- caveat: Only games with tricks.
if(it.deal_tricks > 0, it.won_last_trick, NULL)
