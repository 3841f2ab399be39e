-- title: Where aces and tens go
-- answers: How often does an ace or a ten go to another player?
-- over: clean deals
-- chart: bar x=percent y=sheet series=played across
-- unit: percent of aces and tens played
-- x: rule sheet
-- headline: metric=brisques_given&by=place
-- says: Of the aces and tens {most.x}, {most} % go to another player; of those {least.x}, {least} %.
-- caveat: A partner is another player, too. Only cards that the record shows.
SELECT
    sheet,
    if(place = 0, 'led', 'played to a lead') AS played,
    round(100 * sum(if(NOT took, cards, 0)) / sum(cards), 1) AS percent,
    sum(cards)::BIGINT AS n
FROM play_sums
WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet) AND card IN ('A', 'T')
GROUP BY ALL
HAVING n > 0
ORDER BY sheet, played
