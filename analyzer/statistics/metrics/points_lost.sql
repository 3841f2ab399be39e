-- title: Points lost by a decision
-- asks: How many points does a decision lose, compared with the best choice?
-- unit: points, mean
-- grain: decision
-- kind: mean
-- terminal: `bezique review --worlds default --stored` weighs the choices of all games.
-- caveat: Only games of which every choice was weighed: on the page of a review, or in a terminal. Before the close the best choice is estimated from possible deals, played on by simple players; the errors of the estimates are part of the interval.
decisions.lost
