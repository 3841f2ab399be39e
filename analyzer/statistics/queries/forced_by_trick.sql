-- title: How much is forced
-- answers: How often has a player no choice after the close?
-- over: clean deals
-- chart: line x=trick y=percent series=sheet
-- unit: percent of cards played
-- x: trick of the deal
-- headline: metric=forced_cards&by=place
-- says: After the close {most} % of the cards {most.x} are forced, {least} % of those {least.x}.
-- caveat: Like cards are no choice. Told of error-free deals for two.
SELECT
    sheet,
    trick + 1 AS trick,
    round(100 * sum(if(forced, cards, 0)) / sum(cards), 1) AS percent,
    sum(cards)::BIGINT AS n
FROM play_sums
WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet) AND closed AND forced IS NOT NULL
GROUP BY sheet, play_sums.trick
HAVING n > 0
ORDER BY sheet, trick
