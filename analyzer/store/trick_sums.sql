SELECT
    sheet,
    clean,
    trick,
    closed,
    deal_winner IS NOT NULL AS decided,
    players,
    count(*) AS tricks_led,
    count(*) FILTER (leader = winner) AS led_tricks_won,
    sum(brisques)::BIGINT AS led_brisques,
    count(*) FILTER (missed) AS let_go,
    count(missed) AS let_go_known,
    sum(abs(points_ahead))::BIGINT AS points_ahead_led,
    sum(abs(tricks_ahead))::BIGINT AS tricks_ahead_led,
    count(*) FILTER (points_ahead <> 0 AND decided) AS leads,
    count(*) FILTER (points_ahead <> 0 AND if(points_ahead > 0, 0, 1) = deal_winner) AS leads_held
FROM {rows}
GROUP BY ALL
