-- title: How much is forced
-- answers: How often has a player no choice after the close?
-- over: clean deals
-- chart: line x=tricks_left y=percent series=sheet
-- unit: percent of cards played
-- x: tricks left
-- headline: metric=forced_cards&by=place
-- says: After the close {most} % of the cards {most.x} are forced, {least} % of those {least.x}.
-- caveat: Like cards are no choice. Told of error-free deals for two.
SELECT
    plays.sheet,
    deals.tricks - plays.trick AS tricks_left,
    round(100 * avg(forced::INTEGER), 1) AS percent,
    count(*) AS n
FROM plays
JOIN deals USING (game, deal)
WHERE (plays.clean OR $every) AND ($sheet IS NULL OR plays.sheet = $sheet) AND closed AND forced IS NOT NULL
GROUP BY ALL
ORDER BY plays.sheet, tricks_left DESC
