-- title: How often each meld is made
-- answers: How often is each meld scored, and what is it worth on average?
-- over: clean deals
-- chart: bar x=per_100_deals y=meld series=sheet across
-- unit: times per 100 deals
-- x: meld
-- headline: metric=meld_rate&by=meld
-- says: The {most.x} is made most often, {most} times in 100 deals; the {least.x} least, {least} times.
-- caveat: A meld scored again with other cards counts again. Where royal and common melds share a name, mean points differ from the table of points.
WITH played AS (
    SELECT sheet, count(*) AS deals
    FROM deals
    WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet)
    GROUP BY sheet
)
SELECT
    melds.sheet,
    meld,
    round(100 * count(*) / any_value(deals), 1) AS per_100_deals,
    round(avg(points), 1) AS mean_points,
    round(100 * avg(royal::INTEGER), 1) AS percent_royal,
    count(*) AS n
FROM melds
JOIN played ON played.sheet = melds.sheet
WHERE clean OR $every
GROUP BY melds.sheet, meld
ORDER BY melds.sheet, n DESC, meld
