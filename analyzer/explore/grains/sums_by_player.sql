-- noun: deal of a player
-- nouns: deals of players
-- tells: match deal
-- clean: sums_by_player.clean
-- variant:
-- rows: sums_by_player.deals
sums_by_player
