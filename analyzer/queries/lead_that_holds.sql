-- title: Leads that hold
-- answers: How often does the player ahead in points after so many tricks win the deal?
-- over: clean deals
-- chart: line x=trick y=percent series=sheet
-- unit: percent of leads that win the deal
-- x: tricks completed
-- caveat: Two players; deals in which the scores are level at that trick, or at the end, are left out. Few deals have a lead after the first tricks.
WITH gains AS (
    SELECT sheet, game, deal, trick, sum(if(side = 0, points, -points)) AS points
    FROM scores
    WHERE (clean OR $every) AND sheet = coalesce($sheet, sheet)
    GROUP BY sheet, game, deal, trick
),
grid AS (
    SELECT sheet, game, deal, winner, unnest(range(tricks + 1)) AS trick
    FROM deals
    WHERE (clean OR $every) AND winner IS NOT NULL AND sheet = coalesce($sheet, sheet)
),
running AS (
    SELECT
        sheet,
        winner,
        trick,
        sum(coalesce(points, 0)) OVER (PARTITION BY game, deal ORDER BY trick) AS lead
    FROM grid
    LEFT JOIN gains USING (sheet, game, deal, trick)
)
SELECT
    sheet,
    trick,
    round(100 * avg((if(lead > 0, 0, 1) = winner)::INTEGER), 1) AS percent,
    round(avg(abs(lead)), 1) AS mean_lead,
    count(*) AS n
FROM running
WHERE lead <> 0
GROUP BY sheet, trick
ORDER BY sheet, trick
