-- title: Dealer or leader
-- answers: Is it better to deal or to lead to the first trick?
-- over: clean deals
-- chart: bar x=points y=sheet series=role error=plus_minus across
-- unit: points per deal
-- x: rule sheet
-- caveat: Whiskers are 95 % confidence intervals of the means. The two scores of one deal are not independent.
SELECT
    sheet,
    role,
    round(avg(points), 1) AS points,
    round(1.96 * stddev_samp(points) / sqrt(count(*)), 1) AS plus_minus,
    round(100 * avg(outcome), 1) AS percent_of_deals_won,
    count(*) AS n
FROM seats
WHERE (clean OR $every) AND sheet = coalesce($sheet, sheet)
GROUP BY sheet, role
ORDER BY sheet, role
