-- title: What is led
-- answers: Which cards are led?
-- over: clean deals
-- chart: bar x=percent y=rank series=sheet across
-- unit: percent of tricks
-- x: rank of the card led
-- headline: metric=leads&by=led_rank
-- says: Led most often: {most.x}, to {most} % of the tricks; least often: {least.x}, to {least} %.
-- caveat: Only cards that the record shows.
SELECT
    sheet,
    if(led[1] = 'T', '10', led[1]) AS rank,
    round(100 * count(*) / sum(count(*)) OVER (PARTITION BY sheet), 1) AS percent,
    count(*) AS n
FROM tricks
WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet) AND led IS NOT NULL
GROUP BY sheet, rank
ORDER BY sheet, n DESC, rank
