-- How often a match is won from a state, judged by the results of other matches in similar states. A state is the
-- lead of the dealer's side after so many tricks of a deal, and the points both sides had before the deal. Only
-- states after the same number of tricks count, each with a weight that falls with its distance in points along a
-- bell curve. One match won and one lost are added to them.
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
-- Distances are measured in shares of the points that winners end with.
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
