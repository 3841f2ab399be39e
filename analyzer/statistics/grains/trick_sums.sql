-- noun: trick
-- nouns: tricks
-- tells: match trick
-- clean: trick_sums.clean
-- variant:
trick_sums
