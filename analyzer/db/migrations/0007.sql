-- Version 7: deep reviews, and every decision in them.

CREATE TABLE deep_reviews (
    game BIGINT NOT NULL,
    digest VARCHAR NOT NULL,
    version VARCHAR NOT NULL,
    terms JSON NOT NULL,
    data BLOB NOT NULL,
    made_at TIMESTAMP NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')
);

CREATE TABLE decisions (
    game BIGINT NOT NULL,
    deal SMALLINT NOT NULL,
    seat UTINYINT NOT NULL,
    clean BOOLEAN NOT NULL,
    event INTEGER NOT NULL,
    phase VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    choices SMALLINT NOT NULL,
    grade VARCHAR NOT NULL,
    certain BOOLEAN NOT NULL,
    lost DOUBLE NOT NULL,
    error DOUBLE NOT NULL
);
