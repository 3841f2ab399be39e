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
sums AS (  -- of each part
    SELECT
        sheet,
        role,
        sum(points) AS total,
        count(points) AS units,
        sum(outcome) AS won,
        count(outcome) AS decided
    FROM rows
    GROUP BY ALL
),
groups AS (
    SELECT
        sheet,
        role,
        sum(total) / sum(units) AS value,
        sum(won) / sum(decided) AS won,
        sum(units)::BIGINT AS units
    FROM sums
    GROUP BY ALL
    HAVING sum(units) >= 1
),
{matches of points by sheet, role},
{matches of outcome by sheet, role},
{intervals of the mean of points by sheet, role},
won AS (
    WITH groups AS (
        SELECT
            sheet,
            role,
            sum(won) / sum(decided) AS value,
            sum(decided)::BIGINT AS units
        FROM sums
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
