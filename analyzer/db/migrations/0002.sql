-- Version 2: what questions about matches, months, opponents and missed brisques need, and the log of imports.
-- Everything follows from what is stored but `missed` and `brisques_missed`, which only a replay can tell: they
-- stay empty for games loaded before.

ALTER TABLE games ADD COLUMN variant BIGINT;
COMMENT ON COLUMN games.variant IS 'Number that stands for the sheet, its edition and its options together; the view variants spells it out.';
ALTER TABLE games ADD COLUMN month DATE;
COMMENT ON COLUMN games.month IS 'First day of the month in which it was started; empty if the record does not say.';

ALTER TABLE deals ADD COLUMN match_scores INTEGER[];
COMMENT ON COLUMN deals.match_scores IS 'Points of the match by side before the deal; 0 where a deal is a game of its own.';

ALTER TABLE seats ADD COLUMN opponent VARCHAR;
COMMENT ON COLUMN seats.opponent IS 'Name of the other player; empty where there are more than two.';
ALTER TABLE seats ADD COLUMN points_against INTEGER;
COMMENT ON COLUMN seats.points_against IS 'Points of the deal of the best other side.';
ALTER TABLE seats ADD COLUMN deal_tricks SMALLINT;
COMMENT ON COLUMN seats.deal_tricks IS 'Tricks of the deal, whoever won them: its length.';
ALTER TABLE seats ADD COLUMN brisques_missed SMALLINT;
COMMENT ON COLUMN seats.brisques_missed IS 'Aces and tens led against the seat that it could lawfully have taken and did not; empty where its hand is not fully known.';
ALTER TABLE seats ADD COLUMN match_score INTEGER;
COMMENT ON COLUMN seats.match_score IS 'Points of the seat''s side in the match before the deal.';
ALTER TABLE seats ADD COLUMN match_score_against INTEGER;
COMMENT ON COLUMN seats.match_score_against IS 'Points of the best other side in the match before the deal.';
ALTER TABLE seats ADD COLUMN match_outcome DOUBLE;
COMMENT ON COLUMN seats.match_outcome IS '1 when the seat''s side wins the match, 0.5 for a draw, else 0; empty when the match is not complete.';
ALTER TABLE seats ADD COLUMN variant BIGINT;
COMMENT ON COLUMN seats.variant IS 'Number that stands for the sheet, its edition and its options together.';
ALTER TABLE seats ADD COLUMN month DATE;
COMMENT ON COLUMN seats.month IS 'First day of the month in which the game was started.';
ALTER TABLE seats ADD COLUMN program VARCHAR;
COMMENT ON COLUMN seats.program IS 'Program that wrote the record.';

ALTER TABLE tricks ADD COLUMN missed BOOLEAN;
COMMENT ON COLUMN tricks.missed IS 'Whether an ace or ten was led that the second player could lawfully have taken and did not; empty where his hand is not fully known.';

ALTER TABLE findings ADD COLUMN tainted BOOLEAN;
COMMENT ON COLUMN findings.tainted IS 'Whether something illegal happened in the deal, at the event of the finding or before it; anywhere in it for a finding on the deal itself.';

UPDATE games
SET
    variant = ('0x' || left(md5(concat_ws(' ', sheet, edition, options)), 15))::BIGINT,
    month = date_trunc('month', started)::DATE;

UPDATE deals
SET match_scores = before.scores
FROM (
    SELECT
        game,
        deal,
        list(
            coalesce(total, 0)::INTEGER
            ORDER BY side
        ) AS scores
    FROM (
        SELECT
            game,
            deal,
            side,
            sum(if(settled, 0, points)) OVER (
                PARTITION BY game, side
                ORDER BY deal
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ) AS total
        FROM (
            SELECT
                deals.game,
                deals.deal,
                unnest(range(len(deals.scores))) AS side,
                unnest(deals.scores) AS points,
                settlement IS NOT NULL AS settled
            FROM deals
            JOIN games ON games.game = deals.game
        )
    )
    GROUP BY game, deal
) AS before
WHERE before.game = deals.game AND before.deal = deals.deal;

UPDATE seats
SET
    opponent = if(games.players = 2, games.names[2 - seats.seat], NULL),
    points_against = list_max(list_filter(deals.scores, lambda points, side: side <> seats.side + 1)),
    deal_tricks = deals.tricks,
    match_score = deals.match_scores[seats.side + 1],
    match_score_against = list_max(
        list_filter(deals.match_scores, lambda points, side: side <> seats.side + 1)
    ),
    match_outcome = CASE
        WHEN NOT games.complete THEN NULL
        WHEN games.winner IS NULL THEN 0.5
        ELSE (games.winner = seats.side)::INTEGER
    END,
    variant = games.variant,
    month = games.month,
    program = games.program
FROM games, deals
WHERE games.game = seats.game AND deals.game = seats.game AND deals.deal = seats.deal;

UPDATE findings
SET tainted = deal IS NOT NULL AND EXISTS (
    SELECT 1
    FROM findings AS earlier
    WHERE
        earlier.game = findings.game
        AND earlier.deal = findings.deal
        AND earlier.severity = 'illegal'
        AND coalesce(earlier.event, -1) <= coalesce(findings.event, 32767)
);

CREATE TABLE imports (
    import BIGINT NOT NULL,
    name VARCHAR NOT NULL,
    path VARCHAR,
    size BIGINT,
    modified_ns BIGINT,
    job VARCHAR,
    started_at TIMESTAMP NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')
);
COMMENT ON TABLE imports IS 'One row a file that was imported, or is being imported: what the batches of it belong to.';
COMMENT ON COLUMN imports.import IS 'Key of the import, made from path, size and time of change: a file that changes is another import.';
COMMENT ON COLUMN imports.name IS 'Name of the file, without its folder.';
COMMENT ON COLUMN imports.path IS 'Path of the file; empty for standard input.';
COMMENT ON COLUMN imports.size IS 'Bytes of the file, as it lies there.';
COMMENT ON COLUMN imports.modified_ns IS 'When the file was last changed, in nanoseconds since 1970.';
COMMENT ON COLUMN imports.job IS 'The background import it belongs to; empty on the command line.';
COMMENT ON COLUMN imports.started_at IS 'When the import was first started, in UTC.';

CREATE TABLE import_batches (
    import BIGINT NOT NULL,
    start BIGINT NOT NULL,
    stop BIGINT NOT NULL,
    line INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    final BOOLEAN NOT NULL,
    records INTEGER NOT NULL,
    stored INTEGER NOT NULL,
    known INTEGER NOT NULL,
    rejected INTEGER NOT NULL,
    deals INTEGER NOT NULL,
    events INTEGER NOT NULL,
    findings INTEGER NOT NULL,
    committed_at TIMESTAMP NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')
);
COMMENT ON TABLE import_batches IS 'One row a batch, committed together with the games of the batch: an import that was interrupted goes on behind it.';
COMMENT ON COLUMN import_batches.import IS 'Key of the import.';
COMMENT ON COLUMN import_batches.start IS 'Offset of the batch''s first byte in the file, expanded where it is compressed.';
COMMENT ON COLUMN import_batches.stop IS 'Offset of the first byte after the batch.';
COMMENT ON COLUMN import_batches.line IS 'Line of the file at which the batch starts, from 1.';
COMMENT ON COLUMN import_batches.lines IS 'Line breaks in the batch.';
COMMENT ON COLUMN import_batches.final IS 'Whether the file ends with it.';
COMMENT ON COLUMN import_batches.records IS 'Records in the batch.';
COMMENT ON COLUMN import_batches.stored IS 'Records that were new and stored.';
COMMENT ON COLUMN import_batches.known IS 'Records that were stored before.';
COMMENT ON COLUMN import_batches.rejected IS 'Records that could not be read or stored.';
COMMENT ON COLUMN import_batches.deals IS 'Deals in the records that were read.';
COMMENT ON COLUMN import_batches.events IS 'Events in the records that were read.';
COMMENT ON COLUMN import_batches.findings IS 'Findings in the records that were read.';
COMMENT ON COLUMN import_batches.committed_at IS 'When it was committed, in UTC.';

DROP VIEW clean_deals;
CREATE VIEW clean_deals AS SELECT * FROM deals WHERE clean;
COMMENT ON VIEW clean_deals IS 'The deals that enter the statistics.';

CREATE VIEW variants AS
SELECT DISTINCT variant, sheet, edition, options FROM games;
COMMENT ON VIEW variants IS 'One row a set of rules that was played: a sheet, its edition, and every option with its value.';
