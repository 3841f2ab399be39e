-- title: Findings
-- asks: How many findings do records have?
-- unit: findings per 100 records
-- grain: finding
-- kind: rate
-- per: record
-- scale: 100
-- mixes: yes
-- caveat: All readable records. One slip may cause findings at several events.
1
