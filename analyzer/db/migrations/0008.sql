-- Version 8: what the tricks and scores of a deal come to for every seat, so that questions need not sum them.

ALTER TABLE seats ADD COLUMN tricks_led SMALLINT;
ALTER TABLE seats ADD COLUMN led_tricks_won SMALLINT;
ALTER TABLE seats ADD COLUMN led_brisques SMALLINT;
ALTER TABLE seats ADD COLUMN let_go SMALLINT;
ALTER TABLE seats ADD COLUMN let_go_known SMALLINT;
ALTER TABLE seats ADD COLUMN points_ahead_led BIGINT;
ALTER TABLE seats ADD COLUMN tricks_ahead_led INTEGER;
ALTER TABLE seats ADD COLUMN leads SMALLINT;
ALTER TABLE seats ADD COLUMN leads_held SMALLINT;
ALTER TABLE seats ADD COLUMN own_leads BIGINT;
ALTER TABLE seats ADD COLUMN scorings SMALLINT;
ALTER TABLE seats ADD COLUMN royal_melds SMALLINT;
ALTER TABLE seats ADD COLUMN timed_melds SMALLINT;
ALTER TABLE seats ADD COLUMN meld_tricks INTEGER;

UPDATE seats
SET
    tricks_led = coalesce(sums.tricks_led, 0),
    led_tricks_won = coalesce(sums.led_tricks_won, 0),
    led_brisques = coalesce(sums.led_brisques, 0),
    let_go = coalesce(sums.let_go, 0),
    let_go_known = coalesce(sums.let_go_known, 0),
    points_ahead_led = coalesce(sums.points_ahead_led, 0),
    tricks_ahead_led = coalesce(sums.tricks_ahead_led, 0),
    leads = coalesce(sums.leads, 0),
    leads_held = coalesce(sums.leads_held, 0),
    own_leads = if(seats.side = 0, 1, -1) * coalesce(sums.points_ahead, 0),
    scorings = coalesce(sums.scorings, 0),
    royal_melds = coalesce(sums.royal_melds, 0),
    timed_melds = coalesce(sums.timed_melds, 0),
    meld_tricks = coalesce(sums.meld_tricks, 0)
FROM (
    SELECT
        every_seat.game,
        every_seat.deal,
        every_seat.seat,
        sum(led.points_ahead) OVER (PARTITION BY every_seat.game, every_seat.deal) AS points_ahead,
        led.* EXCLUDE (game, deal, leader, points_ahead),
        scored.* EXCLUDE (game, deal, seat)
    FROM seats AS every_seat
    LEFT JOIN (
        SELECT
            game,
            deal,
            leader,
            count(*) AS tricks_led,
            count(*) FILTER (leader = winner) AS led_tricks_won,
            sum(brisques) AS led_brisques,
            count(*) FILTER (missed) AS let_go,
            count(missed) AS let_go_known,
            sum(abs(points_ahead)) AS points_ahead_led,
            sum(abs(tricks_ahead)) AS tricks_ahead_led,
            count(*) FILTER (points_ahead <> 0 AND deal_winner IS NOT NULL) AS leads,
            count(*) FILTER (points_ahead <> 0 AND if(points_ahead > 0, 0, 1) = deal_winner) AS leads_held,
            sum(points_ahead) AS points_ahead
        FROM tricks
        GROUP BY ALL
    ) AS led ON led.game = every_seat.game AND led.deal = every_seat.deal AND led.leader = every_seat.seat
    LEFT JOIN (
        SELECT
            game,
            deal,
            seat,
            count(*) AS scorings,
            count(*) FILTER (royal) AS royal_melds,
            count(*) FILTER (meld IS NOT NULL AND trick > 0) AS timed_melds,
            sum(trick) FILTER (meld IS NOT NULL) AS meld_tricks
        FROM scores
        GROUP BY ALL
    ) AS scored ON scored.game = every_seat.game AND scored.deal = every_seat.deal AND scored.seat = every_seat.seat
) AS sums
WHERE sums.game = seats.game AND sums.deal = seats.deal AND sums.seat = seats.seat;

DROP VIEW variants;
CREATE VIEW variants AS
SELECT variant, any_value(sheet) AS sheet, any_value(edition) AS edition, any_value(options) AS options
FROM games
GROUP BY variant;
