-- title: Lead in tricks
-- answers: By how many tricks is one player ahead after so many tricks?
-- over: clean deals
-- chart: line x=trick y=lead series=sheet
-- unit: tricks ahead, mean
-- x: tricks completed
-- caveat: Two players. A level deal counts as a lead of 0.
WITH running AS (
    SELECT
        sheet,
        trick,
        sum(if(winner = 0, 1, -1)) OVER (PARTITION BY game, deal ORDER BY trick) AS lead
    FROM tricks
    WHERE (clean OR $every) AND sheet = coalesce($sheet, sheet)
)
SELECT sheet, trick + 1 AS trick, round(avg(abs(lead)), 2) AS lead, count(*) AS n
FROM running
GROUP BY sheet, trick
ORDER BY sheet, trick
