-- noun: finding
-- nouns: findings
-- tells: match finding
-- clean: true
-- variant: games.variant
-- join games: JOIN games ON games.game = findings.game
findings
