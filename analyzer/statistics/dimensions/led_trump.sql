-- title: Trump led
-- axis: card led
-- kind: category
-- tables: tricks
-- of: trick
-- column: trumps
-- caveat: Before trumps are made every suit is another one.
if((it.trumps & 1) > 0, 'a trump', 'another suit')
