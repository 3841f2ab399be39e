-- title: Brisques in a trick
-- asks: How many aces and tens are in a trick?
-- unit: brisques, mean
-- grain: trick
-- kind: mean
-- sum: seats.led_brisques
-- count: seats.tricks_led
-- caveat: Counted whether they score or not.
tricks.brisques
