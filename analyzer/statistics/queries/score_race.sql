-- title: The score race
-- answers: How do the scores of dealer and leader grow from trick to trick?
-- over: clean deals
-- chart: line x=trick y=points series=sheet,role
-- unit: points, mean
-- x: tricks completed
-- headline: metric=points&by=role
-- says: At the end of a deal the {most.x} has {most} points and the {least.x} {least}.
-- caveat: Points counted at the end of the deal, such as brisques, fall into the last trick.
WITH players AS (  -- of each part
    SELECT sheet, role, count(*) AS n
    FROM seats
    WHERE (clean OR ($every AND points IS NOT NULL)) AND ($sheet IS NULL OR sheet = $sheet)
    GROUP BY sheet, role
),
lengths AS (  -- of each part
    SELECT sheet, max(tricks) AS tricks
    FROM deals
    WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet)
    GROUP BY sheet
),
grid AS (
    SELECT sheet, role, n, numbers.trick
    FROM (SELECT sheet, role, sum(n)::BIGINT AS n FROM players GROUP BY ALL)
    JOIN (SELECT sheet, max(tricks) AS tricks FROM lengths GROUP BY ALL) AS lengths USING (sheet)
    JOIN range(1000) AS numbers (trick) ON numbers.trick <= lengths.tricks
),
gains AS (  -- of each part
    SELECT sheet, role, trick, sum(points) AS points
    FROM (
        FROM scores
        WHERE clean
        UNION ALL
        FROM scores
        WHERE NOT clean AND $every AND (game, deal) IN (SELECT game, deal FROM deals WHERE NOT clean AND list_count(scores) = len(scores))
    )
    WHERE $sheet IS NULL OR sheet = $sheet
    GROUP BY sheet, role, trick
)
SELECT
    sheet,
    role,
    trick,
    round(sum(coalesce(points, 0)) OVER (PARTITION BY sheet, role ORDER BY trick) / n, 1) AS points,
    n
FROM grid
LEFT JOIN (SELECT sheet, role, trick, sum(points) AS points FROM gains GROUP BY ALL) USING (sheet, role, trick)
ORDER BY sheet, role, trick
