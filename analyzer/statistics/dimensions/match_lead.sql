-- title: Lead in the match
-- axis: points ahead in the match before the deal, in steps of 100
-- kind: steps
-- tables: seats
-- of: deal
-- caveat: Negative when behind; a step is named by its lower end.
(floor((it.match_score - it.match_score_against) / 100) * 100)::INTEGER
