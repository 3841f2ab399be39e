-- The matches that count, of those chosen: played to their end, and with a result that can be trusted; and those whose
-- play is not written down, as their records state their results.
SELECT game, scores, settlement, winner
FROM games
WHERE
    complete
    AND verdict IN ('legal', 'legal_with_mismatches', 'undetermined')
    AND event IS NOT DISTINCT FROM coalesce($event, event)
    AND ($season IS NULL OR year(started) = $season)
    AND sheet = coalesce($sheet, sheet)
UNION ALL
SELECT
    unnest($stated_games::BIGINT[]),
    unnest($stated_scores::INTEGER[][]),
    unnest($stated_settlements::INTEGER[][]),
    unnest($stated_winners::INTEGER[])
