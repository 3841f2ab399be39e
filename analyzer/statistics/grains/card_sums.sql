-- noun: card moved
-- nouns: cards moved
-- tells: match card
-- clean: card_sums.clean
-- variant:
card_sums
