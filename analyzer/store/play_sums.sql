SELECT
    sheet,
    clean,
    trick,
    closed,
    place::UTINYINT AS place,
    left(CASE place WHEN 0 THEN led WHEN 1 THEN second WHEN 2 THEN third WHEN 3 THEN fourth WHEN 4 THEN fifth ELSE sixth END, 1) AS card,
    (trumps >> place::UTINYINT) % 2 = 1 AS trump,
    (leader + place) % players = winner AS took,
    CASE place WHEN 0 THEN lead_forced WHEN 1 THEN reply_forced END AS forced,
    count(*) AS cards
FROM (SELECT *, unnest(range(players)) AS place FROM {rows})
GROUP BY ALL
