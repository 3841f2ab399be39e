-- title: Trumps led
-- asks: How often is a trump led?
-- unit: percent of tricks
-- grain: trick
-- kind: share
-- where: tricks.led IS NOT NULL
-- caveat: Before trumps are made no card is one. Only cards that the record shows.
(tricks.trumps & 1) > 0
