-- noun: deal of a player
-- nouns: deals of players
-- tells: match deal
-- clean: seat_sums.clean
-- variant: seat_sums.variant
-- rows: seat_sums.deals
seat_sums
