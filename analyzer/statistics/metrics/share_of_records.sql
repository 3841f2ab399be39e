-- title: Share of records
-- asks: How are records distributed?
-- unit: percent of records
-- grain: record
-- kind: spread
-- mixes: yes
-- caveat: All readable records, clean or not.
1
