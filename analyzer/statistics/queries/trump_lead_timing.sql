-- title: When trumps are led
-- answers: In which tricks are trumps led?
-- over: clean deals
-- chart: line x=trick y=percent series=sheet
-- unit: percent of tricks led with a trump
-- x: trick of the deal
-- headline: metric=trumps_led&by=phase
-- says: Trumps are led to {most} % of the tricks {most.x}, to {least} % of those {least.x}.
-- caveat: Before trumps are made no card is one. Only cards that the record shows.
SELECT
    sheet,
    trick + 1 AS trick,
    round(100 * sum(if(trump, cards, 0)) / sum(cards), 1) AS percent,
    sum(cards)::BIGINT AS n
FROM play_sums
WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet) AND card IS NOT NULL AND place = 0
GROUP BY sheet, play_sums.trick
HAVING n > 0
ORDER BY sheet, trick
