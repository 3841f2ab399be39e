-- title: Points by source
-- answers: Where do the points of a deal come from?
-- over: clean deals
-- chart: bar x=points y=source series=sheet across
-- unit: points per player and deal
-- x: source of the points
-- headline: metric=points_from&by=source
-- says: Most points come from one source, {most.x}: {most} for each player and deal.
-- caveat: Means over all players of all deals. Brisques count where they score or settle the deal.
WITH sums AS (  -- of each part
    SELECT
        sheet,
        count(*) AS n,
        sum(meld_points) AS meld,
        sum(dix_points) AS dix,
        sum(turned_seven_points) AS turned_seven,
        sum(tenth_trick_points) AS tenth_trick,
        sum(last_trick_points) AS last_trick,
        sum(all_last_tricks_points) AS all_last_tricks,
        sum(brisques_points) AS brisques,
        sum(carte_blanche_points) AS carte_blanche,
        sum(cut_points) AS cut,
        sum(guess_points) AS guess,
        sum(zetema_points) AS zetema,
        sum(ruling_points) AS ruling
    FROM seats
    WHERE (clean OR ($every AND points IS NOT NULL)) AND ($sheet IS NULL OR sheet = $sheet)
    GROUP BY sheet
),
sources AS (
    SELECT sheet, source, sum(total) AS total, sum(n)::BIGINT AS n
    FROM sums UNPIVOT INCLUDE NULLS (total FOR source IN (COLUMNS(* EXCLUDE (sheet, n))))
    GROUP BY ALL
)
SELECT
    sheet,
    source,
    round(total / n, 2) AS points,
    round(100 * total / sum(total) OVER (PARTITION BY sheet), 1) AS percent,
    n
FROM sources
WHERE total <> 0
ORDER BY sheet, total DESC, source
