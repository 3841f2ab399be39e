-- title: Points ahead at the end
-- asks: By how many points is a player's side ahead of the best other side at the end of a deal?
-- unit: points, mean
-- grain: seat
-- kind: mean
-- caveat: Negative when behind.
seats.points + seats.points_of_partners - seats.points_against
