-- title: Score
-- axis: points of the player in the deal, in steps of 50
-- kind: steps
-- tables: seats
-- of: deal
-- caveat: A step is named by its lower end.
(floor(it.points / 50) * 50)::INTEGER
