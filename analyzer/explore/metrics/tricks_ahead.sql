-- title: Lead in tricks
-- asks: By how many tricks is one player ahead after so many tricks?
-- unit: tricks, mean
-- grain: trick
-- kind: mean
-- caveat: Games of two; tricks of one deal are not independent.
abs(tricks.tricks_ahead)
