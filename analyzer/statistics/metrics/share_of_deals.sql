-- title: Share of deals
-- asks: How are deals of players distributed?
-- unit: percent of deals of players
-- grain: seat
-- kind: spread
-- caveat: Shares are of the deals that pass the filters, within each series.
1
