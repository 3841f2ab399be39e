-- title: Option
-- axis: value of the option
-- kind: category
-- tables: option
-- of: match
-- caveat: Only matches whose rulebook has the option.
it.value
