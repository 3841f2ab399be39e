-- title: Lead in tricks
-- answers: By how many tricks is one player ahead after a trick?
-- over: clean deals
-- chart: line x=trick y=lead series=sheet
-- unit: tricks ahead, mean
-- x: tricks completed
-- headline: metric=tricks_ahead&by=trick
-- says: After trick {first.x} one player is {first} tricks ahead, after trick {last.x} it is {last}.
-- caveat: Games for two. A level deal counts as a lead of 0.
SELECT
    sheet,
    trick + 1 AS trick,
    round(sum(tricks_ahead_led) / sum(tricks_led), 2) AS lead,
    round(sum(points_ahead_led) / sum(tricks_led), 1) AS lead_in_points,
    sum(tricks_led)::BIGINT AS n
FROM trick_sums
WHERE players = 2 AND (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet)
GROUP BY sheet, trick
HAVING n > 0
ORDER BY sheet, trick
