-- title: Brisques against melds
-- answers: Do players who take more aces and tens meld less?
-- over: clean deals
-- chart: scatter x=brisques y=meld_points series=sheet low=low high=high
-- unit: points for melds, mean
-- x: brisques taken by the player in the deal
-- headline: metric=meld_points&by=brisques_taken
-- says: With {first.x} of the brisques in a deal, players score {first} points for melds, with {last.x} they score {last}.
-- caveat: Whiskers are 95 % confidence intervals, by match; groups of fewer than five are left out.
WITH rows AS NOT MATERIALIZED (
    SELECT
        sheet,
        brisques,
        game,
        meld_points,
        outcome
    FROM seats
    WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet)
),
sums AS (  -- of each part
    SELECT
        sheet,
        brisques,
        sum(meld_points) AS total,
        count(meld_points) AS units,
        sum(outcome) AS won,
        count(outcome) AS decided
    FROM rows
    GROUP BY ALL
),
groups AS (
    SELECT
        sheet,
        brisques,
        sum(total) / sum(units) AS value,
        sum(won) / sum(decided) AS won,
        sum(units)::BIGINT AS units
    FROM sums
    GROUP BY ALL
    HAVING sum(units) >= 5
),
{matches of meld_points by sheet, brisques},
{intervals of the mean of meld_points by sheet, brisques}
SELECT
    sheet,
    brisques,
    round(groups.value, 1) AS meld_points,
    round(low, 1) AS low,
    round(high, 1) AS high,
    round(100 * won, 1) AS percent_of_deals_won,
    coalesce(matches, 0) AS matches,
    units AS n
FROM groups
LEFT JOIN intervals USING (sheet, brisques)
ORDER BY sheet, brisques
