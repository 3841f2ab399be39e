-- What every player made of the matches in `chosen_matches`: a match won is a point, a draw half of one.
SELECT
    player AS name,
    count(*) AS matches,
    count_if(match_outcome = 1) AS won,
    count_if(match_outcome = 0.5) AS drawn,
    count_if(match_outcome = 0) AS lost,
    sum(match_outcome) AS points,
    sum(chosen_matches.scores[side + 1])::BIGINT AS made,
    sum(chosen_matches.settlement[side + 1])::BIGINT AS received
FROM seats
JOIN chosen_matches USING (game)
WHERE deal = 0 AND match_outcome IS NOT NULL
GROUP BY player
ORDER BY points DESC, won DESC, made DESC, name
LIMIT $most
