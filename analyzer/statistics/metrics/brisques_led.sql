-- title: Brisques led
-- asks: How often is an ace or a ten led?
-- unit: percent of tricks
-- grain: trick
-- kind: share
-- where: tricks.led IS NOT NULL
-- caveat: Only cards that the record shows.
tricks.led[1] IN ('A', 'T')
