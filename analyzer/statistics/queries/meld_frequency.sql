-- title: How often each meld is made
-- answers: How often is each meld scored, and what is it worth on average?
-- over: clean deals
-- chart: bar x=per_100_deals y=meld series=sheet across
-- unit: times per 100 deals, by both players
-- x: meld
-- headline: metric=meld_rate&by=meld
-- says: A player makes the {most.x} most often, {most} times in 100 deals; the {least.x} least, {least} times.
-- caveat: A meld scored again with other cards counts again. Where royal and common melds share a name, mean points differ from the table of points.
WITH played_in_parts AS (  -- of each part
    SELECT sheet, count(*) AS deals
    FROM deals
    WHERE (clean OR ($every AND list_count(scores) = len(scores))) AND ($sheet IS NULL OR sheet = $sheet)
    GROUP BY sheet
),
played AS (
    SELECT sheet, sum(deals) AS deals
    FROM played_in_parts
    GROUP BY sheet
),
unclean AS (  -- of each part
    SELECT sheet, meld, count(*) AS melds, sum(points)::BIGINT AS meld_points, count(*) FILTER (royal) AS royal_melds
    FROM melds
    WHERE NOT clean AND $every AND (game, deal) IN (SELECT game, deal FROM deals WHERE list_count(scores) = len(scores))
    GROUP BY ALL
),
counts AS (
    SELECT sheet, meld, melds, meld_points, royal_melds
    FROM score_sums
    WHERE clean AND meld IS NOT NULL
    UNION ALL BY NAME
    FROM unclean
)
SELECT
    sheet,
    meld,
    round(100 * sum(melds) / any_value(deals), 1) AS per_100_deals,
    round(sum(meld_points) / sum(melds), 1) AS mean_points,
    round(100 * sum(royal_melds) / sum(melds), 1) AS percent_royal,
    sum(melds)::BIGINT AS n
FROM counts
JOIN played USING (sheet)
GROUP BY sheet, meld
HAVING n > 0
ORDER BY sheet, n DESC, meld
