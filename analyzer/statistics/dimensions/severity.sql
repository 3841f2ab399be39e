-- title: Severity
-- axis: severity of the finding
-- kind: category
-- tables: findings
-- of: finding
-- caveat:
it.severity
