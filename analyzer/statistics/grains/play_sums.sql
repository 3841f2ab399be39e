-- noun: card played
-- nouns: cards played
-- tells: match trick card
-- clean: play_sums.clean
-- variant:
play_sums
