-- Version 8: what the tricks and scores of a deal come to for every seat, so that questions need not sum them. The
-- table is written anew: a change of so many rows in their place would need more memory than the database may use.

CREATE TABLE summed_seats (
    game BIGINT NOT NULL,
    deal SMALLINT NOT NULL,
    sheet VARCHAR NOT NULL,
    clean BOOLEAN NOT NULL,
    seat UTINYINT NOT NULL,
    side UTINYINT NOT NULL,
    player VARCHAR NOT NULL,
    player_id VARCHAR,
    kind VARCHAR,
    role VARCHAR NOT NULL,
    strength SMALLINT,
    points INTEGER,
    outcome DOUBLE,
    meld_points INTEGER,
    dix_points INTEGER,
    turned_seven_points INTEGER,
    tenth_trick_points INTEGER,
    last_trick_points INTEGER,
    all_last_tricks_points INTEGER,
    brisques_points INTEGER,
    carte_blanche_points INTEGER,
    cut_points INTEGER,
    guess_points INTEGER,
    zetema_points INTEGER,
    ruling_points INTEGER,
    melds SMALLINT,
    tricks SMALLINT,
    brisques SMALLINT,
    won_last_trick BOOLEAN NOT NULL,
    opponent VARCHAR,
    points_against INTEGER,
    deal_tricks SMALLINT,
    brisques_missed SMALLINT,
    match_score INTEGER,
    match_score_against INTEGER,
    match_outcome DOUBLE,
    variant BIGINT,
    month DATE,
    program VARCHAR,
    players UTINYINT,
    tricks_led SMALLINT,
    led_tricks_won SMALLINT,
    led_brisques SMALLINT,
    let_go SMALLINT,
    let_go_known SMALLINT,
    points_ahead_led BIGINT,
    tricks_ahead_led INTEGER,
    leads SMALLINT,
    leads_held SMALLINT,
    own_leads BIGINT,
    scorings SMALLINT,
    royal_melds SMALLINT,
    timed_melds SMALLINT,
    meld_tricks INTEGER
);

INSERT INTO summed_seats
SELECT
    seats.*,
    players,
    coalesce(tricks_led, 0),
    coalesce(led_tricks_won, 0),
    coalesce(led_brisques, 0),
    coalesce(let_go, 0),
    coalesce(let_go_known, 0),
    coalesce(points_ahead_led, 0),
    coalesce(tricks_ahead_led, 0),
    coalesce(leads, 0),
    coalesce(leads_held, 0),
    if(seats.side = 0, 1, -1) * coalesce(points_ahead, 0),
    coalesce(scorings, 0),
    coalesce(royal_melds, 0),
    coalesce(timed_melds, 0),
    coalesce(meld_tricks, 0)
FROM seats
JOIN games ON games.game = seats.game
LEFT JOIN (
    SELECT
        game,
        deal,
        leader AS seat,
        count(*)::SMALLINT AS tricks_led,
        count(*) FILTER (leader = winner)::SMALLINT AS led_tricks_won,
        sum(brisques)::SMALLINT AS led_brisques,
        count(*) FILTER (missed)::SMALLINT AS let_go,
        count(missed)::SMALLINT AS let_go_known,
        sum(abs(points_ahead))::BIGINT AS points_ahead_led,
        sum(abs(tricks_ahead))::INTEGER AS tricks_ahead_led,
        count(*) FILTER (points_ahead <> 0 AND deal_winner IS NOT NULL)::SMALLINT AS leads,
        count(*) FILTER (points_ahead <> 0 AND if(points_ahead > 0, 0, 1) = deal_winner)::SMALLINT AS leads_held
    FROM tricks
    GROUP BY ALL
) AS led ON led.game = seats.game AND led.deal = seats.deal AND led.seat = seats.seat
LEFT JOIN (
    SELECT game, deal, sum(points_ahead)::BIGINT AS points_ahead
    FROM tricks
    GROUP BY ALL
) AS whole ON whole.game = seats.game AND whole.deal = seats.deal
LEFT JOIN (
    SELECT
        game,
        deal,
        seat,
        count(*)::SMALLINT AS scorings,
        count(*) FILTER (royal)::SMALLINT AS royal_melds,
        count(*) FILTER (meld IS NOT NULL AND trick > 0)::SMALLINT AS timed_melds,
        sum(trick) FILTER (meld IS NOT NULL)::INTEGER AS meld_tricks
    FROM scores
    GROUP BY ALL
) AS scored ON scored.game = seats.game AND scored.deal = seats.deal AND scored.seat = seats.seat
ORDER BY seats.rowid;

DROP TABLE seats;
ALTER TABLE summed_seats RENAME TO seats;

DROP VIEW variants;
CREATE VIEW variants AS
SELECT variant, any_value(sheet) AS sheet, any_value(edition) AS edition, any_value(options) AS options
FROM games
GROUP BY variant;
