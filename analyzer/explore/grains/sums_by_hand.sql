-- noun: deal of a player
-- nouns: deals of players
-- tells: match deal
-- clean: sums_by_hand.clean
-- variant:
-- rows: sums_by_hand.deals
sums_by_hand
