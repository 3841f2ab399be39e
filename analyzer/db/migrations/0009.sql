-- Version 9: records are packed in another way, which earlier programs cannot unpack. Those that are stored stay as they
-- are: their bytes tell how they were packed.

COMMENT ON COLUMN records.data IS 'The record as it was read, packed.';

-- What all tricks and scores come to, so that questions without players need not sum them. The statements are those of
-- today's loading, in the folder `sums`; a test compares what they find.

CREATE TABLE trick_sums (
    sheet VARCHAR NOT NULL,
    clean BOOLEAN NOT NULL,
    trick SMALLINT NOT NULL,
    closed BOOLEAN NOT NULL,
    decided BOOLEAN NOT NULL,
    tricks_led BIGINT NOT NULL,
    led_tricks_won BIGINT NOT NULL,
    led_brisques BIGINT NOT NULL,
    let_go BIGINT NOT NULL,
    let_go_known BIGINT NOT NULL,
    points_ahead_led BIGINT NOT NULL,
    tricks_ahead_led BIGINT NOT NULL,
    leads BIGINT NOT NULL,
    leads_held BIGINT NOT NULL
);

INSERT INTO trick_sums BY NAME
SELECT
    sheet,
    clean,
    trick,
    closed,
    deal_winner IS NOT NULL AS decided,
    count(*) AS tricks_led,
    count(*) FILTER (leader = winner) AS led_tricks_won,
    sum(brisques)::BIGINT AS led_brisques,
    count(*) FILTER (missed) AS let_go,
    count(missed) AS let_go_known,
    sum(abs(points_ahead))::BIGINT AS points_ahead_led,
    sum(abs(tricks_ahead))::BIGINT AS tricks_ahead_led,
    count(*) FILTER (points_ahead <> 0 AND decided) AS leads,
    count(*) FILTER (points_ahead <> 0 AND if(points_ahead > 0, 0, 1) = deal_winner) AS leads_held
FROM tricks
GROUP BY ALL;

CREATE TABLE score_sums (
    sheet VARCHAR NOT NULL,
    clean BOOLEAN NOT NULL,
    source VARCHAR NOT NULL,
    meld VARCHAR,
    scorings BIGINT NOT NULL,
    points BIGINT NOT NULL,
    melds BIGINT NOT NULL,
    meld_points BIGINT NOT NULL,
    royal_melds BIGINT NOT NULL,
    timed_melds BIGINT NOT NULL,
    meld_tricks BIGINT NOT NULL
);

INSERT INTO score_sums BY NAME
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
FROM scores
GROUP BY ALL;
