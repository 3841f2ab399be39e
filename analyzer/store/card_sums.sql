SELECT
    sheet,
    clean,
    use,
    left(card, 1) AS card,
    count(*) AS cards
FROM {rows}
GROUP BY ALL
