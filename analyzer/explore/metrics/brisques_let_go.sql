-- title: Brisques let go
-- asks: How often does the second player let an ace or ten go that he could have taken?
-- unit: percent of tricks
-- grain: trick
-- kind: share
-- caveat: Of all tricks, whatever was led; only where the second hand is fully known. Tricks of one deal are not independent.
tricks.missed
