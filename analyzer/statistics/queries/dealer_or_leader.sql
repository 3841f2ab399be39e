-- title: Dealer or leader
-- answers: Is it better to deal or to lead to the first trick?
-- over: clean deals
-- chart: bar x=points y=sheet series=role low=low high=high across
-- unit: points per deal
-- x: rule sheet
-- headline: metric=points&by=role
-- says: The {most.x} scores {most} points a deal, the {least.x} {least}.
-- besides: metric=deals_won&by=role
-- adds: The {most.x} wins {most} % of the deals, the {least.x} {least}.
-- caveat: Whiskers are 95 % confidence intervals, by match.
WITH rows AS NOT MATERIALIZED (
    SELECT
        sheet,
        role,
        game,
        points,
        outcome
    FROM seats
    WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet)
),
groups AS (
    SELECT
        sheet,
        role,
        avg(points) AS value,
        avg(outcome) AS won,
        count(points) AS units
    FROM rows
    GROUP BY ALL
    HAVING units >= 1
),
{intervals of the mean of points by sheet, role},
won AS (
    WITH groups AS (
        SELECT
            sheet,
            role,
            avg(outcome) AS value,
            count(outcome) AS units
        FROM rows
        GROUP BY ALL
    ),
    {intervals of the share of outcome by sheet, role}
    SELECT
        sheet,
        role,
        100 * low AS low,
        100 * high AS high
    FROM intervals
)
SELECT
    sheet,
    role,
    round(groups.value, 1) AS points,
    round(intervals.low, 1) AS low,
    round(intervals.high, 1) AS high,
    round(100 * groups.won, 1) AS percent_of_deals_won,
    round(won.low, 1) AS percent_low,
    round(won.high, 1) AS percent_high,
    coalesce(matches, 0) AS matches,
    units AS n
FROM groups
LEFT JOIN intervals USING (sheet, role)
LEFT JOIN won USING (sheet, role)
ORDER BY sheet, role
