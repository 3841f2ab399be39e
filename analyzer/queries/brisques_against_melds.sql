-- title: Brisques against melds
-- answers: Do players who take more aces and tens meld less?
-- over: clean deals
-- chart: scatter x=brisques y=meld_points series=sheet low=low high=high
-- unit: points for melds, mean
-- x: brisques taken by the player in the deal
-- caveat: Whiskers are 95 % confidence intervals, by match; groups of fewer than five are left out.
WITH groups AS (
    SELECT
        sheet,
        brisques,
        avg(meld_points) AS value,
        avg(outcome) AS won,
        count(meld_points) AS units
    FROM seats
    WHERE (clean OR $every) AND sheet = coalesce($sheet, sheet)
    GROUP BY ALL
    HAVING units >= 5
),
matches AS (
    SELECT
        sheet,
        brisques,
        game,
        sum(meld_points)::DOUBLE AS total,
        count(meld_points) AS units
    FROM seats
    WHERE (clean OR $every) AND sheet = coalesce($sheet, sheet) AND game % $one_in = 0
    GROUP BY ALL
    HAVING units > 0
),
{intervals of a mean by sheet, brisques}
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
