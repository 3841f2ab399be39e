-- title: Melds lost for good
-- asks: How many melds that he could have made does a player never make?
-- unit: melds, mean
-- grain: review
-- kind: mean
-- caveat: Only games that were annotated, one by opening its review, all by bezique annotate --stored. Keeping cards for a better meld that never came counts too; what gave way to a better one does not.
reviews.melds_lost
