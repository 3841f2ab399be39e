-- Some states of every match, drawn by lot and always the same: at most $states of each.
SELECT game, deal, tricks, own, other, lead, together::INTEGER AS together, brisques::INTEGER AS brisques, won
FROM states
QUALIFY row_number() OVER (PARTITION BY game ORDER BY hash(game, deal, tricks), deal, tricks) <= $states
ORDER BY game, deal, tricks
