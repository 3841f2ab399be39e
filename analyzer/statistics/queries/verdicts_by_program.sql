-- title: Verdicts by program
-- answers: Which programs write legal records?
-- over: games
-- chart: bar x=games y=program series=verdict across stacked
-- unit: games
-- x: program that wrote the record
-- headline: metric=legal_records&by=program
-- says: Of the records of {most.x}, {most} % are legal, the most; of those of {least.x} {least} %, the fewest.
-- caveat: All readable games, clean or not. The program is as stated in the record.
WITH counts AS (  -- of each part
    SELECT coalesce(program, 'not named') AS program, verdict, count(*) AS games, sum(findings)::BIGINT AS findings
    FROM games
    WHERE ($sheet IS NULL OR sheet = $sheet)
    GROUP BY ALL
)
SELECT
    program,
    verdict,
    sum(counts.games)::BIGINT AS games,
    round(100 * sum(counts.games) / sum(sum(counts.games)) OVER (PARTITION BY program), 1) AS percent,
    sum(counts.findings)::BIGINT AS findings,
    sum(counts.games)::BIGINT AS n
FROM counts
GROUP BY program, verdict
ORDER BY program, verdict
