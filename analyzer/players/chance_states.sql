-- States of decided matches for two, seen from the dealer's side: after so many tricks of a deal, the match points of
-- both before the deal, the lead and the points of both in it, and by how many brisques the side is ahead. Only
-- the matches with the smallest keys are taken: keys are made from digests, so that these are as good as drawn by
-- lot, and the same ones however the matches arrived.
WITH chosen AS (
    SELECT game
    FROM games
    WHERE clean AND complete AND players = 2 AND list_contains($variants, variant)
    ORDER BY game
    LIMIT $most
),
starts AS (
    SELECT
        seats.game, seats.deal, seats.seat, seats.side, seats.match_score AS own,
        seats.match_score_against AS other, seats.match_outcome AS won, seats.points, seats.points_against,
        seats.deal_tricks
    FROM seats
    JOIN chosen ON chosen.game = seats.game
    WHERE seats.role = 'dealer'
),
gains AS (
    SELECT scores.game, scores.deal, scores.trick, sum(scores.points) AS points
    FROM scores
    JOIN chosen ON chosen.game = scores.game
    GROUP BY ALL
),
trail AS (
    SELECT
        starts.*,
        tricks.trick + 1 AS tricks,
        if(starts.side = 0, tricks.points_ahead, -tricks.points_ahead) AS lead,
        coalesce(first.points, 0) + sum(coalesce(gains.points, 0)) OVER so_far AS together,
        sum(if(tricks.winner = starts.seat, tricks.brisques::INTEGER, -tricks.brisques::INTEGER)) OVER so_far AS brisques
    FROM tricks
    JOIN starts ON starts.game = tricks.game AND starts.deal = tricks.deal
    LEFT JOIN gains ON gains.game = tricks.game AND gains.deal = tricks.deal AND gains.trick = tricks.trick + 1
    LEFT JOIN gains AS first ON first.game = tricks.game AND first.deal = tricks.deal AND first.trick = 0
    WINDOW so_far AS (PARTITION BY tricks.game, tricks.deal ORDER BY tricks.trick)
),
states AS (
    SELECT *, 0 AS tricks, 0 AS lead, 0 AS together, 0 AS brisques FROM starts
    UNION ALL
    SELECT * FROM trail WHERE tricks < deal_tricks
)
