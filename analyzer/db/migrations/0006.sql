-- Version 6: luck and skill of every deal that was rolled out. Estimates made before have no rows: their average deal
-- was one and the same for all deals.

CREATE TABLE luck (
    game BIGINT NOT NULL,
    deal SMALLINT NOT NULL,
    seat UTINYINT NOT NULL,
    clean BOOLEAN NOT NULL,
    rollouts INTEGER NOT NULL,
    result INTEGER NOT NULL,
    average_deal DOUBLE NOT NULL,
    dealt DOUBLE NOT NULL,
    drawn DOUBLE NOT NULL,
    skill DOUBLE NOT NULL,
    skill_against DOUBLE NOT NULL,
    rest DOUBLE NOT NULL
);
