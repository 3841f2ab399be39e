-- title: What is thrown away
-- answers: Which cards are played to tricks that are lost, while the stock lasts?
-- over: clean deals
-- chart: bar x=percent y=rank series=sheet across
-- unit: percent of cards thrown
-- x: rank of the card
-- headline: metric=throws&by=card_rank
-- says: Thrown most often: {most.x}, {most} % of the cards; least often: {least.x}, {least} %.
-- caveat: Cards that followed a lead and did not take the trick. Only cards that the record shows.
SELECT
    sheet,
    if(card = 'T', '10', card) AS rank,
    round(100 * sum(cards) / sum(sum(cards)) OVER (PARTITION BY sheet), 1) AS percent,
    sum(cards)::BIGINT AS n
FROM play_sums
WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet) AND card IS NOT NULL AND place > 0 AND NOT took AND NOT closed
GROUP BY sheet, rank
HAVING n > 0
ORDER BY sheet, n DESC, rank
