-- title: Share of records
-- asks: How are the records spread?
-- unit: percent of records
-- grain: record
-- kind: spread
-- caveat: All records that could be read, clean or not.
1
