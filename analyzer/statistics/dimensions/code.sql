-- title: Finding
-- axis: code of the finding
-- kind: category
-- tables: findings
-- of: finding
-- caveat: One slip may cause findings at several events.
it.code
