-- The records of an evening's event on its days, and of those that count among the `chosen_matches` the result; `again`
-- counts other records of the same match. Those without a date belong to it if `$undated` says so. The first stored first.
SELECT
    games.digest,
    games.names,
    games.people,
    games.written,
    games.complete,
    games.status,
    games.verdict,
    chosen_matches.game IS NOT NULL AS counts,
    chosen_matches.winner,
    chosen_matches.scores,
    (SELECT count(*) FROM other_games WHERE other_games.match = games.game) AS again
FROM games
LEFT JOIN chosen_matches USING (game)
WHERE
    games.event = $event
    AND CASE
        WHEN games.started IS NULL THEN $undated
        ELSE games.started::DATE >= $day AND games.started::DATE < coalesce($next, DATE '9999-12-31')
    END
ORDER BY games.stored_at, games.game
LIMIT $most
