-- title: What is kept for the close
-- answers: Which cards do players still hold at the close?
-- over: clean deals
-- chart: bar x=cards y=rank series=sheet across
-- unit: cards per player and deal
-- x: rank of the card
-- headline: metric=cards_kept&by=card_rank
-- says: Of {most.x} a player holds most at the close, {most}; of {least.x} fewest, {least}.
-- caveat: Cards played after the close. Only cards that the record shows.
WITH played_in_parts AS (  -- of each part
    SELECT sheet, count(*) AS hands
    FROM seats
    WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet)
    GROUP BY sheet
),
played AS (
    SELECT sheet, sum(hands) AS hands
    FROM played_in_parts
    GROUP BY sheet
)
SELECT
    sheet,
    if(card = 'T', '10', card) AS rank,
    round(sum(play_sums.cards) / any_value(hands), 2) AS cards,
    sum(play_sums.cards)::BIGINT AS n
FROM play_sums
JOIN played USING (sheet)
WHERE (clean OR $every) AND ($sheet IS NULL OR sheet = $sheet) AND card IS NOT NULL AND closed
GROUP BY sheet, rank
HAVING n > 0
ORDER BY sheet, n DESC, rank
