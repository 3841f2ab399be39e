-- title: Lead after a trick
-- asks: By how many points is one player ahead after a trick?
-- unit: points, mean
-- grain: trick
-- kind: mean
-- sum: seats.points_ahead_led
-- count: seats.tricks_led
-- of points: yes
-- caveat: Games for two; a level score counts as a lead of 0. Group by trick, or filter by trick: without, all tricks of a deal are averaged.
abs(tricks.points_ahead)
