-- title: Share of deals
-- asks: How are the players' deals spread?
-- unit: percent of players' deals
-- grain: seat
-- kind: spread
-- caveat: Shares are of what the filters leave, within each series.
1
