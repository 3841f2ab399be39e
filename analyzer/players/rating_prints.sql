-- Fingerprints of the rated matches between marks in the order of rating: each match belongs to the first mark that
-- does not come before it, and to none after the last mark.
WITH marks AS (
    SELECT
        unnest($numbers::INTEGER[]) AS number,
        unnest($times::TIMESTAMP[]) AS played,
        unnest($games::BIGINT[]) AS game
),
rated AS (
    SELECT game, stored_at, coalesce(started, $earliest) AS played FROM games WHERE clean AND complete
)
SELECT
    marks.number,
    count(*) AS matches,
    bit_xor(hash(rated.game, rated.played, rated.stored_at)) AS combined
FROM rated
ASOF LEFT JOIN marks ON (rated.played, rated.game) <= (marks.played, marks.game)
GROUP BY marks.number
