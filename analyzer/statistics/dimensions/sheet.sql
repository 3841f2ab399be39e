-- title: Rulebook
-- axis: rulebook
-- kind: category
-- tables: seats deals tricks scores games findings trick_sums score_sums plays cards play_sums card_sums
-- of: match
-- caveat:
it.sheet
