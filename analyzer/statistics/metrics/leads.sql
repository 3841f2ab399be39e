-- title: Cards led
-- asks: How are the cards led distributed?
-- unit: percent of tricks
-- grain: trick
-- kind: spread
-- where: tricks.led IS NOT NULL
-- caveat: Only cards that the record shows.
1
