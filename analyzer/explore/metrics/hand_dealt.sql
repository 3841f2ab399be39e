-- title: Hand dealt
-- asks: How strong a hand is a player dealt? Luck, not skill.
-- unit: honours (ace 4, ten 3, king 2, queen 1), mean
-- grain: seat
-- kind: mean
-- caveat: Only hands that the record gives in full.
seats.strength
