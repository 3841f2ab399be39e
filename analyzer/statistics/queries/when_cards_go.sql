-- title: When each rank goes
-- answers: In which trick is each rank played?
-- over: clean deals
-- chart: box x=median y=rank low=low q1=q1 q3=q3 high=high series=sheet across
-- unit: trick of the deal
-- x: rank of the card
-- headline: metric=card_timing&by=card_rank
-- says: First to go: {least.x}, in trick {least} on average; last: {most.x}, in trick {most}.
-- caveat: The box holds the middle half, the whiskers nine in ten. Only cards that the record shows.
WITH by_trick AS (
    SELECT
        sheet,
        if(card = 'T', '10', card) AS rank,
        trick + 1 AS trick,
        sum(cards)::BIGINT AS cards
    FROM play_sums
    WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet) AND card IS NOT NULL
    GROUP BY sheet, rank, play_sums.trick
    HAVING sum(cards) > 0
),
up_to AS (
    SELECT
        *,
        sum(cards) OVER (PARTITION BY sheet, rank) AS n,
        sum(cards) OVER (PARTITION BY sheet, rank ORDER BY trick) / n AS part
    FROM by_trick
)
SELECT
    sheet,
    rank,
    min(trick) FILTER (part >= 0.05) AS low,
    min(trick) FILTER (part >= 0.25) AS q1,
    min(trick) FILTER (part >= 0.5) AS median,
    min(trick) FILTER (part >= 0.75) AS q3,
    min(trick) FILTER (part >= 0.95) AS high,
    any_value(n)::BIGINT AS n
FROM up_to
GROUP BY sheet, rank
ORDER BY sheet, median, rank
