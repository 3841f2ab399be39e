-- title: Share of deals
-- asks: How are deals of players distributed?
-- unit: percent of deals of players
-- grain: seat
-- kind: spread
-- sum of all: sums.deals
-- count of all: sums.deals
-- caveat: Shares are of the deals that pass the filters, within each series.
1
