-- title: Mistakes
-- asks: How often is a decision a mistake?
-- unit: percent of decisions
-- grain: decision
-- kind: share
-- terminal: `bezique review --worlds default --stored` weighs the choices of all games.
-- caveat: Only games of which every choice was weighed: on the page of a review, or in a terminal. A mistake, or blunder, is worse than the best choice by the limit of its review, 20 points if nobody said otherwise, and by two standard errors.
decisions.grade IN ('mistake', 'blunder')
