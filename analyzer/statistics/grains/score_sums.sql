-- noun: scoring
-- nouns: scorings
-- tells: match scoring
-- clean: score_sums.clean
-- variant:
score_sums
