-- title: When each rank goes
-- answers: In which trick is each rank played?
-- over: clean deals
-- chart: box x=median y=rank low=low q1=q1 q3=q3 high=high series=sheet across
-- unit: trick of the deal
-- x: rank of the card
-- headline: metric=card_timing&by=card_rank
-- says: First to go: {least.x}, in trick {least} on average; last: {most.x}, in trick {most}.
-- caveat: The box holds the middle half, the whiskers nine in ten. Only cards that the record shows.
WITH boxes AS (
    SELECT
        sheet,
        if(card[1] = 'T', '10', card[1]) AS rank,
        quantile_cont(trick + 1, [0.05, 0.25, 0.5, 0.75, 0.95]) AS parts,
        count(*) AS n
    FROM plays
    WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet) AND card IS NOT NULL
    GROUP BY sheet, rank
)
SELECT
    sheet,
    rank,
    parts[1] AS low,
    parts[2] AS q1,
    parts[3] AS median,
    parts[4] AS q3,
    parts[5] AS high,
    n
FROM boxes
ORDER BY sheet, median, rank
