-- title: Lead in tricks
-- asks: By how many tricks is one player ahead after a trick?
-- unit: tricks, mean
-- grain: trick
-- kind: mean
-- sum: seats.tricks_ahead_led
-- count: seats.tricks_led
-- caveat: Games for two.
abs(tricks.tricks_ahead)
