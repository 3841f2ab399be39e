-- title: Points from each source
-- asks: Where do the points of a deal come from?
-- unit: points per player and deal, mean
-- grain: score
-- kind: rate
-- per: seat
-- caveat: Brisques count where they score.
scores.points
