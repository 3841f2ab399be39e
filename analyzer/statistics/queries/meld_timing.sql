-- title: When each meld is made
-- answers: After how many tricks is each meld scored?
-- over: clean deals
-- chart: box x=median y=meld low=low q1=q1 q3=q3 high=high series=sheet across
-- unit: tricks completed
-- x: meld
-- headline: metric=meld_time&by=meld
-- says: The {least.x} comes first, after {least} tricks; the {most.x} comes last, after {most}.
-- caveat: The box holds the middle half, the whiskers nine in ten.
WITH counts AS (  -- of each part
    SELECT sheet, meld, trick, count(*) AS melds
    FROM (
        FROM melds
        WHERE clean
        UNION ALL
        FROM melds
        WHERE NOT clean AND $every AND (game, deal) IN (SELECT game, deal FROM deals WHERE NOT clean AND list_count(scores) = len(scores))
    )
    WHERE $sheet IS NULL OR sheet = $sheet
    GROUP BY ALL
),
in_order AS (
    SELECT
        sheet,
        meld,
        trick,
        sum(sum(melds)) OVER (PARTITION BY sheet, meld ORDER BY trick)::BIGINT AS until,
        sum(sum(melds)) OVER (PARTITION BY sheet, meld)::BIGINT AS n
    FROM counts
    GROUP BY sheet, meld, trick
),
places AS (
    SELECT
        sheet,
        meld,
        n,
        part,
        (n - 1) * part AS place,
        min(trick) FILTER (until > floor((n - 1) * part)) AS before,
        min(trick) FILTER (until > ceil((n - 1) * part)) AS after,
        before + (after - before) * (place - floor(place)) AS value
    FROM in_order
    CROSS JOIN (SELECT unnest([0.05::DOUBLE, 0.25, 0.5, 0.75, 0.95]) AS part)
    GROUP BY sheet, meld, n, part
)
SELECT
    sheet,
    meld,
    max(value) FILTER (part = 0.05) AS low,
    max(value) FILTER (part = 0.25) AS q1,
    max(value) FILTER (part = 0.5) AS median,
    max(value) FILTER (part = 0.75) AS q3,
    max(value) FILTER (part = 0.95) AS high,
    n
FROM places
GROUP BY sheet, meld, n
ORDER BY sheet, n DESC, meld
