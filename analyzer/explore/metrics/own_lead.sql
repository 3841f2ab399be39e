-- title: A player's lead
-- asks: How many points is a player ahead after so many tricks?
-- unit: points, mean
-- grain: view
-- kind: mean
-- where: seats.side < 2
-- caveat: Negative when behind; games of two. Ask by trick, or of certain tricks: tricks of one deal are not independent.
if(seats.side = 0, tricks.points_ahead, -tricks.points_ahead)
