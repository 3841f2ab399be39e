"""The expert: a player of the games with tricks who weighs every choice in worlds that its seat must hold possible.

The method is sampling of perfect information, as computer bridge and Skat use it (Levy 1989, Ginsberg 2001): cards that
the seat has not seen are dealt at random, each choice is made in the same worlds, and each world is played to its end by
simple players, whose result counts. Differences between choices have little noise since the worlds and the players are
the same. What it cannot see it cannot use: the worlds depend on nothing but what the seat knows.
"""
