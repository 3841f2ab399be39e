-- What a player has played, by rule sheet, most deals first.
SELECT
    sheet,
    count_if(deal = 0) AS matches,
    count(*) AS deals,
    round(100 * avg(outcome), 1) AS deals_won,
    round(100 * avg(match_outcome) FILTER (deal = 0), 1) AS matches_won,
    round(avg(points), 1) AS points,
    coalesce(max(deal_tricks), 0) > 0 AS has_tricks,
    min(month) AS since,
    max(month) AS until
FROM seats
WHERE (clean OR $every) AND player = $player
GROUP BY sheet
ORDER BY deals DESC, sheet
