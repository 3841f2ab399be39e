-- title: Brisques against melds
-- answers: Do players who take more aces and tens meld less?
-- over: clean deals
-- chart: scatter x=brisques y=meld_points series=sheet error=plus_minus
-- unit: points for melds, mean
-- x: brisques taken by the player in the deal
-- caveat: Whiskers are 95 % confidence intervals of the means; groups of fewer than five are left out.
SELECT
    sheet,
    brisques,
    round(avg(meld_points), 1) AS meld_points,
    round(1.96 * stddev_samp(meld_points) / sqrt(count(*)), 1) AS plus_minus,
    round(100 * avg(outcome), 1) AS percent_of_deals_won,
    count(*) AS n
FROM seats
WHERE (clean OR $every) AND sheet = coalesce($sheet, sheet)
GROUP BY sheet, brisques
HAVING count(*) >= 5
ORDER BY sheet, brisques
