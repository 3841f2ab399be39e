-- title: Scores of a deal
-- answers: How many points does a player score in one deal?
-- over: clean deals
-- chart: line x=points y=percent series=sheet
-- unit: percent of scores
-- x: points of a player in a deal
-- headline: metric=points
-- says: A player scores {only} points in a deal.
-- caveat: Scores are grouped in steps of a fortieth of the highest usual score, at least 10 points; a step is named by its lower end.
WITH counts AS (  -- of each part
    SELECT sheet, points, count(*) AS n
    FROM seats
    WHERE (clean OR ($every AND points IS NOT NULL)) AND ($sheet IS NULL OR sheet = $sheet)
    GROUP BY ALL
),
in_order AS (
    SELECT
        sheet,
        points,
        sum(sum(n)) OVER (PARTITION BY sheet ORDER BY points)::BIGINT AS until,
        0.99::DOUBLE * (sum(sum(n)) OVER (PARTITION BY sheet)::BIGINT - 1) AS place
    FROM counts
    WHERE points IS NOT NULL
    GROUP BY sheet, points
),
highest AS (
    SELECT
        sheet,
        place,
        min(points) FILTER (until > floor(place)) AS before,
        min(points) FILTER (until > ceil(place)) AS after
    FROM in_order
    GROUP BY sheet, place
),
steps AS (
    SELECT sheet, greatest(10, round((before + (after - before) * (place - floor(place))) / 400) * 10) AS step
    FROM highest
)
SELECT
    sheet,
    (floor(points / step) * step)::INTEGER AS points,
    round(100 * sum(n) / sum(sum(n)) OVER (PARTITION BY sheet), 2) AS percent,
    sum(n)::BIGINT AS n
FROM counts
JOIN steps USING (sheet)
GROUP BY sheet, floor(points / step) * step
ORDER BY sheet, 2
