-- title: Leading trumps
-- answers: Does a trump take the trick that it leads?
-- over: clean deals
-- chart: bar x=percent y=sheet series=led across
-- unit: percent of tricks
-- x: rule sheet
-- headline: metric=cards_taking&by=card_trump&place=led
-- says: Led, {most.x} takes the trick in {most} % of the cases, {least.x} in {least} %.
-- caveat: Before trumps are made every suit is another one. Only cards that the record shows.
SELECT
    sheet,
    if(trump, 'a trump', 'another suit') AS led,
    round(100 * sum(if(took, cards, 0)) / sum(cards), 1) AS percent,
    sum(cards)::BIGINT AS n
FROM play_sums
WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet) AND card IS NOT NULL AND place = 0
GROUP BY ALL
HAVING n > 0
ORDER BY sheet, led
