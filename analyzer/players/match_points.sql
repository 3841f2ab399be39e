-- What each player made of each of the `chosen_matches`, and of those that were only typed: a match won is a point, a draw
-- half of one.
SELECT
    game,
    seats.side,
    player,
    CASE WHEN winner IS NULL THEN 0.5 WHEN winner = seats.side THEN 1.0 ELSE 0.0 END::DOUBLE AS points,
    chosen_matches.scores[seats.side + 1] AS made,
    chosen_matches.settlement[seats.side + 1] AS received,
    FALSE AS typed
FROM chosen_matches
JOIN seats USING (game)
WHERE seats.deal = 0
UNION ALL
SELECT
    unnest($typed_games::BIGINT[]),
    unnest($typed_sides::INTEGER[]),
    unnest($typed_players::VARCHAR[]),
    unnest($typed_points::DOUBLE[]),
    unnest($typed_made::INTEGER[]),
    NULL,
    TRUE
