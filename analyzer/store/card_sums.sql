SELECT
    sheet,
    clean,
    use,
    card,
    count(*) AS cards
FROM {rows}
GROUP BY ALL
