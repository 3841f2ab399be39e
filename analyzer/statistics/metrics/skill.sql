-- title: Skill
-- asks: How many points do a player's decisions bring in a deal, compared with those of simple players?
-- unit: points, mean
-- grain: luck
-- kind: mean
-- caveat: Whoever plays like the players of the roll-outs has a skill of 0 by definition. Only deals whose luck and skill were estimated: on the page of a review, or by bezique annotate --luck. The errors of the estimates are part of the interval.
luck.skill
