-- title: What is led
-- answers: Which cards are led?
-- over: clean deals
-- chart: bar x=percent y=rank series=sheet across
-- unit: percent of tricks
-- x: rank of the card led
-- headline: metric=leads&by=card_rank
-- says: Led most often: {most.x}, to {most} % of the tricks; least often: {least.x}, to {least} %.
-- caveat: Only cards that the record shows.
SELECT
    sheet,
    if(card = 'T', '10', card) AS rank,
    round(100 * sum(cards) / sum(sum(cards)) OVER (PARTITION BY sheet), 1) AS percent,
    sum(cards)::BIGINT AS n
FROM play_sums
WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet) AND card IS NOT NULL AND place = 0
GROUP BY sheet, rank
HAVING n > 0
ORDER BY sheet, n DESC, rank
