-- title: When each meld falls
-- answers: After how many tricks is each meld scored?
-- over: clean deals
-- chart: box x=meld y=median low=low q1=q1 q3=q3 high=high series=sheet
-- unit: tricks completed
-- x: meld
-- caveat: The box holds the middle half, the whiskers nine in ten.
SELECT
    sheet,
    meld,
    quantile_cont(trick, 0.05) AS low,
    quantile_cont(trick, 0.25) AS q1,
    quantile_cont(trick, 0.5) AS median,
    quantile_cont(trick, 0.75) AS q3,
    quantile_cont(trick, 0.95) AS high,
    count(*) AS n
FROM melds
WHERE (clean OR $every) AND sheet = coalesce($sheet, sheet)
GROUP BY sheet, meld
ORDER BY sheet, n DESC, meld
