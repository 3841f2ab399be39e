-- Version 11: brisques that count to settle a deal belong to its points (C15), and to all that follows from them; and seats
-- have the points of their partners. The rows of such deals are written anew: a change of many rows in their place
-- would need more memory than the database may use.

ALTER TABLE seats ADD COLUMN points_of_partners INTEGER DEFAULT 0;
ALTER TABLE seats ALTER COLUMN points_of_partners DROP DEFAULT;
ALTER TABLE sampled_seats ADD COLUMN points_of_partners INTEGER;

UPDATE seats
SET points_of_partners = deals.scores[seats.side + 1] - seats.points
FROM deals
WHERE
    deals.game = seats.game
    AND deals.deal = seats.deal
    AND deals.scores[seats.side + 1] IS DISTINCT FROM seats.points;

-- Brisques count in a deal that was played out if the points are level without them, or if they take the side behind to
-- the rubicon.
CREATE TEMP TABLE counted AS
WITH ended AS (
    SELECT tricks.game, tricks.deal, max(tricks.event) AS event, count(*)::SMALLINT AS trick
    FROM tricks
    JOIN deals ON deals.game = tricks.game AND deals.deal = tricks.deal
    WHERE
        tricks.sheet IN ('rubicon-bezique', 'rubicon-bezique-recommended', 'rubicon-bezique-club', 'chinese-bezique')
        AND deals.complete
        AND deals.scores[1] IS NOT NULL
    GROUP BY tricks.game, tricks.deal
),
taken AS (
    SELECT
        seats.game,
        seats.deal,
        seats.sheet,
        seats.clean,
        ended.event,
        ended.trick,
        seats.seat,
        seats.side,
        seats.role,
        10 * seats.brisques::INTEGER AS brisques,
        seats.points AS plain,
        if(seats.sheet = 'chinese-bezique', 3000, 1000) AS rubicon
    FROM seats
    JOIN ended ON ended.game = seats.game AND ended.deal = seats.deal
)
SELECT game, deal, sheet, clean, event, trick, seat, side, role, brisques
FROM taken
WINDOW of_deal AS (PARTITION BY game, deal)
QUALIFY
    min(plain) OVER of_deal = max(plain) OVER of_deal
    OR (min(plain) OVER of_deal < rubicon AND arg_min(plain + brisques, plain) OVER of_deal >= rubicon);

INSERT INTO scores
SELECT game, deal, sheet, clean, event, trick, seat, 'brisques', NULL, NULL, brisques, side, role
FROM counted
WHERE brisques > 0
ORDER BY game, deal, seat;

CREATE TEMP TABLE new_deals AS
SELECT
    deals.* REPLACE (
        totals AS scores,
        if(totals[1] = totals[2], NULL, if(totals[1] > totals[2], 0, 1))::UTINYINT AS winner,
        abs(totals[1] - totals[2]) AS margin
    )
FROM deals
JOIN (
    SELECT
        counted.game,
        counted.deal,
        list(deals.scores[counted.side + 1] + counted.brisques ORDER BY counted.side) AS totals
    FROM counted
    JOIN deals ON deals.game = counted.game AND deals.deal = counted.deal
    GROUP BY counted.game, counted.deal
) AS settled ON settled.game = deals.game AND settled.deal = deals.deal;

CREATE TEMP TABLE new_tricks AS
SELECT
    tricks.* REPLACE (
        new_deals.winner AS deal_winner,
        tricks.points_ahead + if(tricks.event = settled.event, settled.ahead, 0) AS points_ahead
    )
FROM tricks
JOIN new_deals ON new_deals.game = tricks.game AND new_deals.deal = tricks.deal
JOIN (
    SELECT game, deal, event, sum(if(side = 0, brisques, -brisques))::INTEGER AS ahead
    FROM counted
    GROUP BY game, deal, event
) AS settled ON settled.game = tricks.game AND settled.deal = tricks.deal;

CREATE TEMP TABLE new_seats AS
SELECT
    seats.* REPLACE (
        seats.points + counted.brisques AS points,
        CASE WHEN new_deals.winner IS NULL THEN 0.5 ELSE (new_deals.winner = seats.side)::INTEGER END::DOUBLE AS outcome,
        counted.brisques AS brisques_points,
        new_deals.scores[2 - seats.side] AS points_against,
        coalesce(led.points_ahead_led, 0) AS points_ahead_led,
        coalesce(led.leads, 0)::SMALLINT AS leads,
        coalesce(led.leads_held, 0)::SMALLINT AS leads_held,
        if(seats.side = 0, 1, -1) * whole.points_ahead AS own_leads,
        seats.scorings + if(counted.brisques > 0, 1, 0)::SMALLINT AS scorings
    )
FROM seats
JOIN counted ON counted.game = seats.game AND counted.deal = seats.deal AND counted.seat = seats.seat
JOIN new_deals ON new_deals.game = seats.game AND new_deals.deal = seats.deal
LEFT JOIN (
    SELECT
        game,
        deal,
        leader AS seat,
        sum(abs(points_ahead))::BIGINT AS points_ahead_led,
        count(*) FILTER (points_ahead <> 0 AND deal_winner IS NOT NULL) AS leads,
        count(*) FILTER (points_ahead <> 0 AND if(points_ahead > 0, 0, 1) = deal_winner) AS leads_held
    FROM new_tricks
    GROUP BY ALL
) AS led ON led.game = seats.game AND led.deal = seats.deal AND led.seat = seats.seat
JOIN (
    SELECT game, deal, sum(points_ahead)::BIGINT AS points_ahead
    FROM new_tricks
    GROUP BY ALL
) AS whole ON whole.game = seats.game AND whole.deal = seats.deal;

DELETE FROM tricks
USING new_deals
WHERE new_deals.game = tricks.game AND new_deals.deal = tricks.deal;
INSERT INTO tricks BY NAME FROM new_tricks ORDER BY game, deal, trick;

DELETE FROM seats
USING new_deals
WHERE new_deals.game = seats.game AND new_deals.deal = seats.deal;
INSERT INTO seats BY NAME FROM new_seats ORDER BY game, deal, seat;

DELETE FROM deals
USING new_deals
WHERE new_deals.game = deals.game AND new_deals.deal = deals.deal;
INSERT INTO deals BY NAME FROM new_deals ORDER BY game, deal;

DROP TABLE counted;
DROP TABLE new_deals;
DROP TABLE new_tricks;
DROP TABLE new_seats;

-- All sums and the rows kept a second time, as today's loading makes them; a test compares what they find.

DELETE FROM seat_sums;
INSERT INTO seat_sums BY NAME
SELECT
    CASE WHEN grouping(player) = 0 THEN 'player' WHEN grouping(strength) = 0 THEN 'hand' ELSE 'rules' END AS kept_by,
    sheet,
    clean,
    variant,
    role,
    players,
    program,
    month,
    player,
    strength,
    count(*) AS deals,
    count(*) FILTER (deal_tricks > 0) AS trick_deals,
    coalesce(sum(points), 0)::BIGINT AS points,
    count(points) AS points_known,
    coalesce(sum(points + points_of_partners - points_against), 0)::BIGINT AS points_ahead,
    count(points + points_of_partners - points_against) AS points_ahead_known,
    coalesce(sum(2 * outcome), 0)::BIGINT AS half_deals_won,
    count(outcome) AS outcomes,
    coalesce(sum(2 * match_outcome), 0)::BIGINT AS half_matches_won,
    count(match_outcome) AS match_outcomes,
    coalesce(sum(strength), 0)::BIGINT AS strength_sum,
    count(strength) AS hands_known,
    coalesce(sum(brisques) FILTER (deal_tricks > 0), 0)::BIGINT AS brisques,
    count(brisques) FILTER (deal_tricks > 0) AS brisques_known,
    coalesce(sum(brisques_missed) FILTER (deal_tricks > 0), 0)::BIGINT AS brisques_missed,
    count(brisques_missed) FILTER (deal_tricks > 0) AS brisques_missed_known,
    coalesce(sum(tricks) FILTER (deal_tricks > 0), 0)::BIGINT AS tricks,
    count(tricks) FILTER (deal_tricks > 0) AS tricks_known,
    count(*) FILTER (deal_tricks > 0 AND won_last_trick) AS last_tricks_won,
    coalesce(sum(tricks_led), 0)::BIGINT AS tricks_led,
    coalesce(sum(led_tricks_won), 0)::BIGINT AS led_tricks_won,
    coalesce(sum(led_brisques), 0)::BIGINT AS led_brisques,
    coalesce(sum(let_go), 0)::BIGINT AS let_go,
    coalesce(sum(let_go_known), 0)::BIGINT AS let_go_known,
    coalesce(sum(points_ahead_led), 0)::BIGINT AS points_ahead_led,
    coalesce(sum(tricks_ahead_led), 0)::BIGINT AS tricks_ahead_led,
    coalesce(sum(leads), 0)::BIGINT AS leads,
    coalesce(sum(leads_held), 0)::BIGINT AS leads_held,
    coalesce(sum(own_leads) FILTER (side < 2), 0)::BIGINT AS own_leads,
    coalesce(sum(deal_tricks) FILTER (side < 2), 0)::BIGINT AS deal_tricks,
    coalesce(sum(scorings), 0)::BIGINT AS scorings,
    coalesce(sum(melds), 0)::BIGINT AS melds,
    count(melds) AS melds_known,
    coalesce(sum(meld_points), 0)::BIGINT AS meld_points,
    count(meld_points) AS meld_points_known,
    coalesce(sum(royal_melds), 0)::BIGINT AS royal_melds,
    coalesce(sum(timed_melds), 0)::BIGINT AS timed_melds,
    coalesce(sum(meld_tricks), 0)::BIGINT AS meld_tricks
FROM seats
GROUP BY GROUPING SETS (
    (sheet, clean, variant, role, players, program, month),
    (sheet, clean, player),
    (sheet, clean, strength)
);

DELETE FROM trick_sums;
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

DELETE FROM score_sums;
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

DELETE FROM sampled_seats;
INSERT INTO sampled_seats BY NAME SELECT * FROM seats WHERE game < 144115188075855872;

DELETE FROM sampled_tricks;
INSERT INTO sampled_tricks BY NAME SELECT * FROM tricks WHERE game < 36028797018963968;

DELETE FROM sampled_scores;
INSERT INTO sampled_scores BY NAME SELECT * FROM scores WHERE game < 36028797018963968;
