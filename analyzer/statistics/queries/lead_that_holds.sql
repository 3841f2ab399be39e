-- title: How safe is a lead?
-- answers: How often does the player ahead in points after a trick win the deal?
-- over: clean deals
-- chart: line x=trick y=percent series=sheet
-- unit: percent of leads that win the deal
-- x: tricks completed
-- headline: metric=leads_held&by=trick
-- says: Who leads after trick {first.x} wins {first} % of the deals, who leads after trick {last.x} wins {last} %.
-- caveat: Games for two. Deals level at that trick or at the end are left out. Few deals have a lead after the first tricks.
SELECT
    sheet,
    trick + 1 AS trick,
    round(100 * sum(leads_held) / sum(leads), 1) AS percent,
    round(sum(points_ahead_led) / sum(leads), 1) AS mean_lead,
    sum(leads)::BIGINT AS n
FROM trick_sums
WHERE players = 2 AND (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet) AND decided
GROUP BY sheet, trick
HAVING n > 0
ORDER BY sheet, trick
