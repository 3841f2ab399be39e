-- Every player with what they have played and won.
SELECT
    player AS name,
    count_if(deal = 0) AS matches,
    count(*) AS deals,
    round(100 * avg(outcome), 1) AS deals_won,
    round(100 * avg(match_outcome) FILTER (deal = 0), 1) AS matches_won
FROM seats
WHERE (clean OR $every) AND contains(lower(replace(player, chr(160), ' ')), lower($part))
GROUP BY player
ORDER BY deals DESC, player
LIMIT $most
