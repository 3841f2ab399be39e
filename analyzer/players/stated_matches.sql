-- Matches among those chosen that ended, and whose play is not written down so that the rules could say who won; nothing
-- in them contradicts what their records state. The latest first.
SELECT games.game, games.digest, records.data
FROM games
JOIN records USING (digest)
WHERE
    NOT games.complete
    AND games.status = 'complete'
    AND games.verdict = 'undetermined'
    AND games.event IS NOT DISTINCT FROM coalesce($event, games.event)
    AND ($season IS NULL OR year(games.started) = $season)
    AND games.sheet = coalesce($sheet, games.sheet)
ORDER BY games.started_at DESC NULLS LAST, games.digest
LIMIT $most
