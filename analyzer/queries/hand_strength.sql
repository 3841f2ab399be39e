-- title: What a good hand is worth
-- answers: How many points does a player score with a strong or a weak hand?
-- over: clean deals
-- chart: scatter x=strength y=points series=sheet error=plus_minus
-- unit: points per deal, mean
-- x: high cards in the hand dealt (ace 4, ten 3, king 2, queen 1)
-- caveat: Only hands that the record shows in full. Whiskers are 95 % confidence intervals of the means; groups of fewer than five are left out.
SELECT
    sheet,
    strength,
    round(avg(points), 1) AS points,
    round(1.96 * stddev_samp(points) / sqrt(count(*)), 1) AS plus_minus,
    round(100 * avg(outcome), 1) AS percent_of_deals_won,
    count(*) AS n
FROM seats
WHERE (clean OR $every) AND strength IS NOT NULL AND sheet = coalesce($sheet, sheet)
GROUP BY sheet, strength
HAVING count(*) >= 5
ORDER BY sheet, strength
