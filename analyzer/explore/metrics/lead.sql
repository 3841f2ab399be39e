-- title: Lead after a trick
-- asks: By how many points is one player ahead after so many tricks?
-- unit: points, mean
-- grain: trick
-- kind: mean
-- caveat: Games of two; a level score counts as a lead of 0. Ask by trick, or of certain tricks: tricks of one deal are not independent.
abs(tricks.points_ahead)
