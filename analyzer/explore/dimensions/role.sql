-- title: Dealer or leader
-- axis: role in the deal
-- kind: category
-- tables: scores seats sums_by_rules
-- of: deal
-- caveat: The leader leads to the first trick.
it.role
