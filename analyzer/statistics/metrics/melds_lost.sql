-- title: Melds never made
-- asks: How many possible melds does a player never make?
-- unit: melds, mean
-- grain: review
-- kind: mean
-- caveat: Only annotated games: open the review of a game to annotate it, or run bezique annotate --stored to annotate all. Keeping cards for a better meld that never comes counts too; passing up a meld for a better one does not.
reviews.melds_lost
