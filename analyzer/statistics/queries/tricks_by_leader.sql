-- title: Tricks taken by their leader
-- answers: Does the leader take the trick?
-- over: clean deals
-- chart: line x=trick y=percent series=sheet
-- unit: percent of tricks won by their leader
-- x: trick of the deal
-- headline: metric=leader_takes&by=phase
-- says: The leader takes {most} % of the tricks {most.x}, {least} % of those {least.x}.
-- caveat: In the drawing phase nobody has to follow suit; after the close players must, and the line jumps there.
SELECT
    sheet,
    trick + 1 AS trick,
    round(100 * sum(led_tricks_won) / sum(tricks_led), 1) AS percent,
    round(sum(led_brisques) / sum(tricks_led), 2) AS brisques,
    sum(tricks_led)::BIGINT AS n
FROM trick_sums
WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet)
GROUP BY sheet, trick
HAVING n > 0
ORDER BY sheet, trick
