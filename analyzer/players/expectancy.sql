-- How often a match is won from a state of it, judged by what became of other matches in states like it.
-- A state is what the dealer's side has more than the other after so many tricks of a deal, and what both had
-- together before the deal. States as near as to have the same number of tricks behind them count, each with a
-- weight that falls as a bell curve with the distance in points; one match won and one lost are added to them.
WITH starts AS (
    SELECT game, deal, side, match_score AS own, match_score_against AS other, match_outcome AS won, points, points_against
    FROM seats
    WHERE
        clean
        AND variant = $variant
        AND role = 'dealer'
        AND opponent IS NOT NULL
        AND match_outcome IS NOT NULL
        AND game <> $game
),
-- What it takes to win is about the points that winners end with.
scale AS (
    SELECT
        count(DISTINCT game) AS matches,
        greatest(1, quantile_cont(greatest(own + points, other + points_against), 0.9)) AS points
    FROM starts
),
states AS (
    SELECT 0 AS trick, own - other AS lead, own + other AS before, won
    FROM starts
    UNION ALL
    SELECT
        tricks.trick + 1,
        own - other + if(starts.side = 0, tricks.points_ahead, -tricks.points_ahead),
        own + other,
        won
    FROM tricks
    JOIN starts ON starts.game = tricks.game AND starts.deal = tricks.deal
    WHERE tricks.clean
),
asked AS (
    SELECT unnest($tricks::INTEGER[]) AS trick, unnest($leads::DOUBLE[]) AS lead
),
weighted AS (
    SELECT
        asked.trick,
        states.won,
        exp(
            -0.5 * (
                ((states.lead - asked.lead) / (scale.points * $near)) ** 2
                + ((states.before - $before) / (scale.points * $far)) ** 2
            )
        ) AS weight
    FROM asked
    JOIN states ON states.trick = asked.trick
    CROSS JOIN scale
)
SELECT
    trick,
    (sum(weight * won) + 1) / (sum(weight) + 2) AS chance,
    sum(weight) AS weight,
    (SELECT matches FROM scale) AS matches
FROM weighted
GROUP BY trick
ORDER BY trick
