-- title: When each meld is made
-- answers: After how many tricks is each meld scored?
-- over: clean deals
-- chart: box x=median y=meld low=low q1=q1 q3=q3 high=high series=sheet across
-- unit: tricks completed
-- x: meld
-- headline: metric=meld_time&by=meld
-- says: The {least.x} comes first, after {least} tricks; the {most.x} comes last, after {most}.
-- caveat: The box holds the middle half, the whiskers nine in ten.
WITH boxes AS (  -- of all parts at once: quantiles of parts do not add up
    SELECT
        sheet,
        meld,
        quantile_cont(trick, [0.05, 0.25, 0.5, 0.75, 0.95]) AS parts,
        count(*) AS n
    FROM melds
    WHERE (clean OR ($every AND (game, deal) IN (SELECT game, deal FROM deals WHERE list_count(scores) = len(scores)))) AND ($sheet IS NULL OR sheet = $sheet)
    GROUP BY sheet, meld
)
SELECT
    sheet,
    meld,
    parts[1] AS low,
    parts[2] AS q1,
    parts[3] AS median,
    parts[4] AS q3,
    parts[5] AS high,
    n
FROM boxes
ORDER BY sheet, n DESC, meld
