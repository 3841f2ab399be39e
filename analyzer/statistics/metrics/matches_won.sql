-- title: Matches won
-- asks: How often does a player win the match?
-- unit: percent of matches
-- grain: match
-- kind: share
-- mixes: yes
-- caveat: Only matches played to the end; a draw counts half.
seats.match_outcome
