-- The matches that count, of those chosen: played to their end, and with a result that can be trusted.
SELECT game, scores, settlement
FROM games
WHERE
    complete
    AND verdict IN ('legal', 'legal_with_mismatches', 'undetermined')
    AND event IS NOT DISTINCT FROM coalesce($event, event)
    AND ($season IS NULL OR year(started) = $season)
    AND sheet = coalesce($sheet, sheet)
