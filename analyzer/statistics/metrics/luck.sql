-- title: Luck of the cards
-- asks: How many points do the cards dealt and drawn bring a player in a deal?
-- unit: points, mean
-- grain: luck
-- kind: mean
-- terminal: `bezique review --stored --again --luck 50` estimates luck and skill in all games.
-- caveat: Only deals whose luck and skill were estimated: on the page of a review, or in a terminal. The errors of the estimates are part of the interval.
luck.dealt + luck.drawn
