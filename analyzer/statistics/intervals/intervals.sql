-- What comes before: `groups`, with the value and the units of every group; `matches`, with the units of every match
-- in it; and what these matches count, in the same rows or in `counts`. A match is what chance draws, whole.
-- Matches of equal size weigh the same, and are summed first.
totals AS (
    SELECT{keys}
        units,
        count(*) AS matches,
        sum(total) AS total,
        min(total) AS least,
        sum(total * total) AS squared
    FROM {counted}
    GROUP BY ALL
),
sizes AS ({sizes}
),
wholes AS (
    SELECT{unit_keys}
        sum(matches * units) AS whole
    FROM sizes
    GROUP BY ALL
),
-- A match pulls its group's value towards itself, the more the larger its share of the units is: McCaffrey and Bell
-- divide the square of its deviation by what the other matches leave of it.
weights AS (
    SELECT
        *,
        units / whole AS weight,
        nullif(1 - weight, 0) AS rest
    FROM sizes
    JOIN wholes{using_units}
),
weight_sums AS (
    SELECT{unit_keys}
        sum(matches) AS matches,
        any_value(whole) AS units,
        sum(matches * weight ** 2) AS squared,
        sum(matches * weight ** 2 / rest) AS left_over,
        sum(matches * (weight ** 2 / rest) ** 2) AS left_over_squared
    FROM weights
    GROUP BY ALL
),
count_sums AS (
    SELECT{keys}
        sum(total) AS total,
        min(least) AS least,
        sum(squared / rest) AS squared_totals,
        sum(total * units / rest) AS products
    FROM totals
    JOIN weights{using_sizes}
    GROUP BY ALL
),
errors AS (
    SELECT{keys}
        matches,
        units,
        least,
        -- One divided by the degrees of freedom, as many as matches less one if all are of equal size.
        squared + left_over ** 2 - left_over_squared AS inverse_freedom,
        (total / units) ** 2 * left_over AS of_units,
        of_units + (squared_totals - 2 * total / units * products) / units ** 2 AS variance_found,
        -- Where all matches agree, arithmetic leaves a rest far below one in a million millions.
        if(variance_found > 1e-12 * of_units, variance_found, 0) AS variance
    FROM weight_sums
    {joined} count_sums{using_units}
),
{sheets}spreads AS (
    SELECT{keys}
        errors.matches,
        least,
        value,
        -- Where only some matches are looked at, all of them vary that much less.
        errors.variance * errors.units / groups.units AS variance,
        1 / inverse_freedom AS freedom,
        if({told}, {t}, NULL) AS t
    FROM groups
    JOIN errors{using}{join_sheets}
),
{bounds}
