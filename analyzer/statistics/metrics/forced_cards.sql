-- title: Forced cards
-- asks: How often has a player no choice of what to play after the close?
-- unit: percent of cards played after the close
-- grain: play
-- kind: share
-- where: plays.closed
-- caveat: Like cards are no choice. Told of error-free deals for two.
plays.forced
