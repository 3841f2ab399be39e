-- title: Points ahead at the end
-- asks: By how many points does a player end a deal ahead of the best other side?
-- unit: points, mean
-- grain: seat
-- kind: mean
-- caveat: Negative when behind.
seats.points - seats.points_against
