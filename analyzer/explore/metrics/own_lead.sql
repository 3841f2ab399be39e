-- title: A player's lead
-- asks: How many points is a player ahead after a trick?
-- unit: points, mean
-- grain: view
-- kind: mean
-- where: seats.side < 2
-- caveat: Negative when behind; games for two. Group by trick, or filter by trick: without, all tricks of a deal are averaged.
if(seats.side = 0, tricks.points_ahead, -tricks.points_ahead)
