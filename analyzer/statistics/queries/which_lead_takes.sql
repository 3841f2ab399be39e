-- title: Which lead takes the trick
-- answers: How often does each rank take the trick that it leads?
-- over: clean deals
-- chart: bar x=percent y=rank series=sheet across
-- unit: percent of tricks led by this rank
-- x: rank of the card led
-- headline: metric=cards_taking&by=card_rank&place=led
-- says: Of the ranks led, {most.x} takes the trick most often, in {most} % of the cases; {least.x} least often, in {least} %.
-- caveat: In the drawing phase nobody has to follow suit. Only cards that the record shows.
SELECT
    sheet,
    if(card = 'T', '10', card) AS rank,
    round(100 * sum(if(took, cards, 0)) / sum(cards), 1) AS percent,
    sum(cards)::BIGINT AS n
FROM play_sums
WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet) AND card IS NOT NULL AND place = 0
GROUP BY ALL
HAVING n > 0
ORDER BY sheet, percent DESC, rank
