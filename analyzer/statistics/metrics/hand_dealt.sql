-- title: Hand dealt
-- asks: How strong are the hands a player is dealt? Luck, not skill.
-- unit: high cards (ace 4, ten 3, king 2, queen 1), mean
-- grain: seat
-- kind: mean
-- caveat: Only hands that the record shows in full.
seats.strength
