SELECT
    sheet,
    clean,
    source,
    meld,
    count(*) AS scorings,
    sum(points)::BIGINT AS points,
    count(meld) AS melds,
    coalesce(sum(points) FILTER (meld IS NOT NULL), 0)::BIGINT AS meld_points,
    count(*) FILTER (royal) AS royal_melds,
    count(*) FILTER (meld IS NOT NULL AND trick > 0) AS timed_melds,
    coalesce(sum(trick) FILTER (meld IS NOT NULL), 0)::BIGINT AS meld_tricks
FROM {rows}
GROUP BY ALL
