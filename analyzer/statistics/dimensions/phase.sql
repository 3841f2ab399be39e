-- title: Before or after the close
-- axis: phase of the deal
-- kind: category
-- tables: tricks trick_sums plays play_sums
-- of: trick
-- column: closed
-- caveat:
if(it.closed, 'after the close', 'while the stock lasts')
