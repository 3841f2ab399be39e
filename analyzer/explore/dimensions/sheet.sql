-- title: Rule sheet
-- axis: rule sheet
-- kind: category
-- tables: seats deals tricks scores games findings
-- of: match
-- caveat:
it.sheet
