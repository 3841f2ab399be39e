-- title: Skill
-- asks: How many points do a player's decisions bring in a deal, compared with those of base players?
-- unit: points, mean
-- grain: luck
-- kind: mean
-- terminal: `bezique review --stored --again --luck 50` estimates luck and skill in all games.
-- caveat: Whoever plays like the players of the roll-outs has a skill of 0 by definition. Only deals whose luck and skill were estimated: on the page of a review, or in a terminal. The errors of the estimates are part of the interval.
luck.skill
