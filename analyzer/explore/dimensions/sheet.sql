-- title: Rulebook
-- axis: rulebook
-- kind: category
-- tables: seats deals tricks scores games findings trick_sums score_sums sums_by_rules sums_by_player sums_by_hand
-- of: match
-- caveat:
it.sheet
