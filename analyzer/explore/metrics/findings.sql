-- title: Findings
-- asks: How much is found in records?
-- unit: findings in 100 records
-- grain: finding
-- kind: rate
-- per: record
-- scale: 100
-- caveat: All records that could be read. One slip may be found at several events.
1
