-- How deals go on, by stages of a deal: what the lead still changes on average, the square of that around the mean,
-- and the points that a side still makes. Brisques that count at the end of the deal are counted as they are taken.
SELECT
    least($stages, round($stages * tricks / $tricks))::INTEGER AS stage,
    count(DISTINCT (game, deal)) AS deals,
    avg(points - points_against - lead - $worth * brisques) AS drift,
    var_pop(points - points_against - lead - $worth * brisques) AS variance,
    avg(points + points_against - together) / 2 AS rest,
    (var_pop(points) + var_pop(points_against)) / 2 AS side_variance
FROM states
GROUP BY stage
ORDER BY stage
