-- Version 4: annotations, made when they are asked for.

CREATE TABLE annotations (
    game BIGINT NOT NULL,
    digest VARCHAR NOT NULL,
    version VARCHAR NOT NULL,
    terms JSON NOT NULL,
    data BLOB NOT NULL,
    made_at TIMESTAMP NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')
);

CREATE TABLE reviews (
    game BIGINT NOT NULL,
    deal SMALLINT NOT NULL,
    seat UTINYINT NOT NULL,
    clean BOOLEAN NOT NULL,
    lost INTEGER,
    choices SMALLINT NOT NULL,
    mistakes SMALLINT,
    melds_lost SMALLINT NOT NULL,
    melds_lost_points INTEGER NOT NULL,
    melds_delayed SMALLINT NOT NULL,
    melds_given_up SMALLINT NOT NULL,
    others_lost SMALLINT NOT NULL,
    brisques_let_go SMALLINT NOT NULL
);
