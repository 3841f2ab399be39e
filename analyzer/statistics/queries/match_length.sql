-- title: Length of a match
-- answers: How many deals does a match last?
-- over: complete games
-- chart: bar x=deals y=percent series=sheet histogram
-- unit: percent of games
-- x: deals
-- headline: metric=deals_in_match
-- says: A match lasts {only} deals.
-- caveat: Only games played to the end. Where every deal is a match of its own, the length is 1.
WITH counts AS (  -- of each part
    SELECT sheet, deals, count(*) AS games
    FROM games
    WHERE (clean OR $every) AND complete AND ($sheet IS NULL OR sheet = $sheet)
    GROUP BY ALL
)
SELECT
    sheet,
    deals,
    round(100 * sum(games) / sum(sum(games)) OVER (PARTITION BY sheet), 1) AS percent,
    sum(games)::BIGINT AS n
FROM counts
GROUP BY sheet, deals
ORDER BY sheet, deals
