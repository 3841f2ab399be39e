-- title: Who takes the last trick
-- answers: How often does the dealer or the leader take the last trick, and do they then win the deal?
-- over: clean deals
-- chart: bar x=percent y=sheet series=role across
-- unit: percent of deals
-- x: rule sheet
-- headline: metric=last_tricks_won&by=role
-- says: The {most.x} takes the last trick in {most} % of the deals, the {least.x} in {least} %.
-- caveat: A deal in which both score the same counts as half won.
WITH counts AS (  -- of each part
    SELECT
        sheet,
        role,
        won_last_trick AS taken,
        count(*) AS n,
        sum(outcome) AS won,
        count(outcome) AS decided
    FROM seats
    WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet)
    GROUP BY ALL
)
SELECT
    sheet,
    role,
    round(100 * sum(if(taken, counts.n, 0)) / sum(counts.n), 1) AS percent,
    round(100 * (sum(won) FILTER (taken) / sum(decided) FILTER (taken)), 1) AS percent_won_with_it,
    round(100 * (sum(won) FILTER (NOT taken) / sum(decided) FILTER (NOT taken)), 1) AS percent_won_without_it,
    sum(counts.n)::BIGINT AS n
FROM counts
GROUP BY sheet, role
HAVING bool_or(taken)
ORDER BY sheet, role
