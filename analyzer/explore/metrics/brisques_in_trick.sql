-- title: Brisques in a trick
-- asks: How many aces and tens are in a trick?
-- unit: brisques, mean
-- grain: trick
-- kind: mean
-- caveat: Counted whether they score or not.
tricks.brisques
