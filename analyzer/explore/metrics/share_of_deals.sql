-- title: Share of deals
-- asks: How are players' deals distributed?
-- unit: percent of players' deals
-- grain: seat
-- kind: spread
-- caveat: Shares are of the deals that pass the filters, within each series.
1
