-- title: Tricks taken by their leader
-- asks: How often does the player who leads to a trick take it?
-- unit: percent of tricks
-- grain: trick
-- kind: share
-- sum: seats.led_tricks_won
-- count: seats.tricks_led
-- caveat: In the drawing phase nobody has to follow suit.
tricks.leader = tricks.winner
