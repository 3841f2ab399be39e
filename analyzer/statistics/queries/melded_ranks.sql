-- title: What melds are made of
-- answers: Which cards are melded?
-- over: clean deals
-- chart: bar x=percent y=rank series=sheet across
-- unit: percent of cards melded
-- x: rank of the card
-- headline: metric=melded&by=card_rank
-- says: Melded most often: {most.x}, {most} % of the cards melded; least often: {least.x}, {least} %.
-- caveat: A card counts with each meld that it is in. Only cards that the record shows.
SELECT
    sheet,
    if(card[1] = 'T', '10', card[1]) AS rank,
    round(100 * sum(cards) / sum(sum(cards)) OVER (PARTITION BY sheet), 1) AS percent,
    sum(cards)::BIGINT AS n
FROM card_sums
WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet) AND card IS NOT NULL AND use = 'meld'
GROUP BY sheet, rank
HAVING n > 0
ORDER BY sheet, n DESC, rank
