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
    round(100 * count(*) / sum(count(*)) OVER (PARTITION BY sheet), 1) AS percent,
    count(*) AS n
FROM cards
WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet) AND use = 'meld' AND card IS NOT NULL
GROUP BY sheet, rank
ORDER BY sheet, n DESC, rank
