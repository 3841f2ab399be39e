-- title: Leading trumps
-- answers: Does a trump take the trick that it leads?
-- over: clean deals
-- chart: bar x=percent y=sheet series=led across
-- unit: percent of tricks
-- x: rule sheet
-- headline: metric=leader_takes&by=led_trump
-- says: Led, {most.x} takes the trick in {most} % of the cases, {least.x} in {least} %.
-- caveat: Before trumps are made every suit is another one. Only cards that the record shows.
SELECT
    sheet,
    if((trumps & 1) > 0, 'a trump', 'another suit') AS led,
    round(100 * avg((leader = winner)::INTEGER), 1) AS percent,
    round(avg(brisques), 2) AS brisques,
    count(*) AS n
FROM tricks
WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet) AND tricks.led IS NOT NULL
GROUP BY ALL
ORDER BY sheet, led
