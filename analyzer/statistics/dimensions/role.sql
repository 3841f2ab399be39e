-- title: Dealer or leader
-- axis: role in the deal
-- kind: category
-- tables: scores seats
-- of: deal
-- caveat: The leader leads to the first trick.
it.role
