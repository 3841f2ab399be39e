-- title: Scores of a deal
-- answers: How many points does a player score in one deal?
-- over: clean deals
-- chart: line x=points y=percent series=sheet
-- unit: percent of scores
-- x: points of a player in a deal
-- headline: metric=points
-- says: A player scores {only} points in a deal.
-- caveat: Scores are grouped in steps of a fortieth of the highest usual score, at least 10 points; a step is named by its lower end.
WITH steps AS (  -- of all parts at once: quantiles of parts do not add up
    SELECT sheet, greatest(10, round(quantile_cont(points, 0.99) / 400) * 10) AS step
    FROM seats
    WHERE (clean OR ($every AND points IS NOT NULL)) AND ($sheet IS NULL OR sheet = $sheet)
    GROUP BY sheet
)
SELECT
    seats.sheet,
    (floor(points / step) * step)::INTEGER AS points,
    round(100 * count(*) / sum(count(*)) OVER (PARTITION BY seats.sheet), 2) AS percent,
    count(*) AS n
FROM seats
JOIN steps ON steps.sheet = seats.sheet
WHERE clean OR ($every AND points IS NOT NULL)
GROUP BY seats.sheet, floor(points / step) * step
ORDER BY seats.sheet, 2
