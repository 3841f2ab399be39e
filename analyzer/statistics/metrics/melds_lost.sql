-- title: Melds never made
-- asks: How many possible melds does a player never make?
-- unit: melds, mean
-- grain: review
-- kind: mean
-- terminal: `bezique review --stored` reviews all games.
-- caveat: Only games whose review was opened on this site or made in a terminal. Keeping cards for a better meld that never comes counts too; passing up a meld for a better one does not.
reviews.melds_lost
