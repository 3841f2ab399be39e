-- title: Matches won from here
-- asks: How often does a player win the match, seen from the start of a deal?
-- unit: percent of players' deals
-- grain: seat
-- kind: share
-- caveat: Only matches played to their end; a draw counts half. The deals of one match share its end, so the intervals are too narrow.
seats.match_outcome
