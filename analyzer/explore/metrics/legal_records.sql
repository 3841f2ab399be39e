-- title: Legal records
-- asks: How many records are without a fault?
-- unit: percent of records
-- grain: record
-- kind: share
-- caveat: All records that could be read, clean or not.
games.verdict = 'legal'
