-- title: Rulebook
-- axis: rulebook
-- kind: category
-- tables: seats deals tricks scores games findings
-- of: match
-- caveat:
it.sheet
