-- title: Matches won from here
-- asks: How often does a player win the match, seen from the start of a deal?
-- unit: percent of deals of players
-- grain: seat
-- kind: share
-- mixes: yes
-- caveat: Only matches played to the end; a draw counts half. All deals of a match share its result.
seats.match_outcome
