-- Version 2: what questions about matches, months, opponents and missed brisques need, and the log of imports.
-- Everything follows from what is stored but `missed` and `brisques_missed`, which only a replay can tell: they
-- stay empty for games loaded before.

ALTER TABLE games ADD COLUMN variant BIGINT;
ALTER TABLE games ADD COLUMN month DATE;

ALTER TABLE deals ADD COLUMN match_scores INTEGER[];

ALTER TABLE seats ADD COLUMN opponent VARCHAR;
ALTER TABLE seats ADD COLUMN points_against INTEGER;
ALTER TABLE seats ADD COLUMN deal_tricks SMALLINT;
ALTER TABLE seats ADD COLUMN brisques_missed SMALLINT;
ALTER TABLE seats ADD COLUMN match_score INTEGER;
ALTER TABLE seats ADD COLUMN match_score_against INTEGER;
ALTER TABLE seats ADD COLUMN match_outcome DOUBLE;
ALTER TABLE seats ADD COLUMN variant BIGINT;
ALTER TABLE seats ADD COLUMN month DATE;
ALTER TABLE seats ADD COLUMN program VARCHAR;

ALTER TABLE tricks ADD COLUMN missed BOOLEAN;

ALTER TABLE findings ADD COLUMN tainted BOOLEAN;

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

DROP VIEW clean_deals;
CREATE VIEW clean_deals AS SELECT * FROM deals WHERE clean;

CREATE VIEW variants AS
SELECT DISTINCT variant, sheet, edition, options FROM games;
