-- title: Lead in tricks
-- asks: By how many tricks is one player ahead after a trick?
-- unit: tricks, mean
-- grain: trick
-- kind: mean
-- caveat: Games for two.
abs(tricks.tricks_ahead)
