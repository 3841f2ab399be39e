-- title: Who takes the last trick
-- answers: How often does the dealer or the leader take the last trick, and do they then win the deal?
-- over: clean deals
-- chart: bar x=percent y=sheet series=role across
-- unit: percent of deals
-- x: rule sheet
-- headline: metric=last_tricks_won&by=role
-- says: The {most.x} takes the last trick in {most} % of the deals, the {least.x} in {least} %.
-- caveat: A deal in which both score the same counts as half won.
SELECT
    sheet,
    role,
    round(100 * avg(won_last_trick::INTEGER), 1) AS percent,
    round(100 * avg(outcome) FILTER (won_last_trick), 1) AS percent_won_with_it,
    round(100 * avg(outcome) FILTER (NOT won_last_trick), 1) AS percent_won_without_it,
    count(*) AS n
FROM seats
WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet)
GROUP BY sheet, role
HAVING bool_or(won_last_trick)
ORDER BY sheet, role
