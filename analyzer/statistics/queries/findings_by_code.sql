-- title: Findings by code
-- answers: What do records get wrong most often?
-- over: games
-- chart: bar x=findings y=code series=severity across stacked
-- unit: findings
-- x: code of the finding
-- headline: metric=findings&by=code
-- says: Most often it is “{most.x}”: {most} in 100 records.
-- caveat: All readable games. One slip may cause findings at several events.
WITH counts AS (  -- of each part
    SELECT
        code,
        severity,
        count(*) AS findings,
        count(DISTINCT game) AS games
    FROM findings
    WHERE ($sheet IS NULL OR sheet = $sheet)
    GROUP BY ALL
)
SELECT
    code,
    severity,
    sum(counts.findings)::BIGINT AS findings,
    sum(counts.games)::BIGINT AS games,
    sum(counts.findings)::BIGINT AS n
FROM counts
GROUP BY code, severity
ORDER BY findings DESC, code, severity
