-- title: Brisques taken
-- asks: How many aces and tens does a player take in a deal?
-- unit: brisques, mean
-- grain: seat
-- kind: mean
-- where: seats.deal_tricks > 0
-- caveat: Counted whether they score or not.
seats.brisques
