-- title: What a good hand is worth
-- answers: How many points does a player score with a strong or a weak hand?
-- over: clean deals
-- chart: scatter x=strength y=points series=sheet low=low high=high
-- unit: points per deal, mean
-- x: high cards in the hand dealt (ace 4, ten 3, king 2, queen 1)
-- headline: metric=points&by=strength
-- says: A hand of strength {first.x} scores {first} points, one of {last.x} scores {last}.
-- caveat: Only hands that the record shows in full. Whiskers are 95 % confidence intervals, by match; groups of fewer than five are left out.
WITH rows AS NOT MATERIALIZED (
    SELECT
        sheet,
        strength,
        game,
        points,
        outcome
    FROM seats
    WHERE (clean OR $every) AND strength IS NOT NULL AND ($sheet IS NULL OR sheet = $sheet)
),
sums AS (  -- of each part
    SELECT
        sheet,
        strength,
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
        strength,
        sum(total) / sum(units) AS value,
        sum(won) / sum(decided) AS won,
        sum(units)::BIGINT AS units
    FROM sums
    GROUP BY ALL
    HAVING sum(units) >= 5
),
{matches of points by sheet, strength},
{intervals of the mean of points by sheet, strength}
SELECT
    sheet,
    strength,
    round(groups.value, 1) AS points,
    round(low, 1) AS low,
    round(high, 1) AS high,
    round(100 * won, 1) AS percent_of_deals_won,
    coalesce(matches, 0) AS matches,
    units AS n
FROM groups
LEFT JOIN intervals USING (sheet, strength)
ORDER BY sheet, strength
