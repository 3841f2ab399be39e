-- title: Which lead takes the trick
-- answers: How often does each rank take the trick that it leads?
-- over: clean deals
-- chart: bar x=percent y=rank series=sheet across
-- unit: percent of tricks led by this rank
-- x: rank of the card led
-- headline: metric=leader_takes&by=led_rank
-- says: Of the ranks led, {most.x} takes the trick most often, in {most} % of the cases; {least.x} least often, in {least} %.
-- caveat: In the drawing phase nobody has to follow suit. Only cards that the record shows.
SELECT
    sheet,
    if(led[1] = 'T', '10', led[1]) AS rank,
    round(100 * avg((leader = winner)::INTEGER), 1) AS percent,
    count(*) AS n
FROM tricks
WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet) AND led IS NOT NULL
GROUP BY sheet, rank
ORDER BY sheet, percent DESC, rank
