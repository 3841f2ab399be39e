-- title: Legal records
-- asks: How many records are legal?
-- unit: percent of records
-- grain: record
-- kind: share
-- settled by: verdict
-- mixes: yes
-- caveat: All readable records, clean or not.
games.verdict = 'legal'
