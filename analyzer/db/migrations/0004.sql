-- Version 4: annotations, made when they are asked for.

CREATE TABLE annotations (
    game BIGINT NOT NULL,
    digest VARCHAR NOT NULL,
    version VARCHAR NOT NULL,
    terms JSON NOT NULL,
    data BLOB NOT NULL,
    made_at TIMESTAMP NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')
);
COMMENT ON TABLE annotations IS 'One row a game that was annotated: what should have been played, beside the record and never in it.';
COMMENT ON COLUMN annotations.game IS 'Key of the game.';
COMMENT ON COLUMN annotations.digest IS 'SHA-256 of what was played, in hexadecimal: the record it speaks of.';
COMMENT ON COLUMN annotations.version IS 'Version of the analysis.';
COMMENT ON COLUMN annotations.terms IS 'What it was asked for, as JSON.';
COMMENT ON COLUMN annotations.data IS 'The annotation as JSON, compressed with zstd.';
COMMENT ON COLUMN annotations.made_at IS 'When it was made, in UTC.';

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
COMMENT ON TABLE reviews IS 'One row a player''s deal in a game that was annotated: what was lost in it.';
COMMENT ON COLUMN reviews.game IS 'Key of the game.';
COMMENT ON COLUMN reviews.deal IS 'Number of the deal in its game.';
COMMENT ON COLUMN reviews.seat IS 'Seat of the player.';
COMMENT ON COLUMN reviews.clean IS 'Whether the deal enters the statistics.';
COMMENT ON COLUMN reviews.lost IS 'Points lost after the close against best play; empty where the close was not solved as a whole.';
COMMENT ON COLUMN reviews.choices IS 'Choices after the close that were reviewed, where there was more than one way.';
COMMENT ON COLUMN reviews.mistakes IS 'Choices that lost enough to be called mistakes; empty where the close was not solved as a whole.';
COMMENT ON COLUMN reviews.melds_lost IS 'Melds that were possible and never made.';
COMMENT ON COLUMN reviews.melds_lost_points IS 'What these melds would have scored, in points.';
COMMENT ON COLUMN reviews.melds_delayed IS 'Melds that were made later than they could have been.';
COMMENT ON COLUMN reviews.melds_given_up IS 'Melds never made because something at least as good was.';
COMMENT ON COLUMN reviews.others_lost IS 'Dixes and cartes blanches that could have scored and never did.';
COMMENT ON COLUMN reviews.brisques_let_go IS 'Aces and tens led against the player that could lawfully have been taken and were not.';
