"""Deals played on in thought, fast: a second writing of the rules of the games with tricks, for roll-outs.

The engine of `records.engine` reads records: it copes with cards that nobody can tell apart, with what is hidden and with
what breaks a rule. A roll-out has none of that: every card is known, every choice is lawful. Here a card is one bit of a
number, so a hand is a number, too, and a law is a mask. That is ten times as fast, and the only reason for it.

It stays pure Python. A compiler such as Numba would be faster still, but it knows neither these numbers, of up to 192
bits, nor these objects: the rules would have to be written a third time, for arrays, and be proven equal once more, for
an extra of 280 MB. What roll-outs are for does not need it: an expert's deal of two packs takes about a second.

It must agree with the engine. `tests/fast_table` proves it by whole games, event by event, by the melds allowed at
every table, and by perft with points.
"""
