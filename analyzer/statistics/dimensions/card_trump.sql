-- title: Trump played
-- axis: card played
-- kind: category
-- tables: plays play_sums
-- of: card
-- column: trump
-- caveat: Before trumps are made every suit is another one.
if(it.trump, 'a trump', 'another suit')
