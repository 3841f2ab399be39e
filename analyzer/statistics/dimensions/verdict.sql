-- title: Verdict
-- axis: verdict on the record
-- kind: category
-- tables: games
-- of: match
-- caveat:
it.verdict
