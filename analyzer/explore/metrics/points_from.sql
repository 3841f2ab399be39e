-- title: Points from each source
-- asks: Where do the points of a deal come from?
-- unit: points a player and deal, mean
-- grain: score
-- kind: rate
-- per: seat
-- caveat: Brisques are counted where the rules count them.
scores.points
