-- title: Brisques not taken
-- asks: How often does the second player not take an ace or ten that they could have taken?
-- unit: percent of tricks
-- grain: trick
-- kind: share
-- sum: seats.let_go
-- count: seats.let_go_known
-- rows: seats.tricks_led
-- caveat: Percent of all tricks, whatever was led; only where the second hand is fully known.
tricks.missed
