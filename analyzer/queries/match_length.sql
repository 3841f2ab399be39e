-- title: Length of a match
-- answers: How many deals does it take to win?
-- over: complete games
-- chart: bar x=deals y=percent series=sheet
-- unit: percent of games
-- x: deals
-- caveat: Only games played to their end; where a deal is a game of its own the length is 1.
SELECT
    sheet,
    deals,
    round(100 * count(*) / sum(count(*)) OVER (PARTITION BY sheet), 1) AS percent,
    count(*) AS n
FROM games
WHERE (clean OR $every) AND complete AND sheet = coalesce($sheet, sheet)
GROUP BY sheet, deals
ORDER BY sheet, deals
