-- title: Brisques in a trick
-- asks: How many aces and tens are in a trick?
-- unit: brisques, mean
-- grain: trick
-- kind: mean
-- caveat: Tricks of one deal are not independent.
tricks.brisques
