-- noun: deal of a player
-- nouns: deals of players
-- tells: match deal
-- clean: sums_by_rules.clean
-- variant: sums_by_rules.variant
-- rows: sums_by_rules.deals
sums_by_rules
