"""The expert: a player who weighs every choice in worlds that its seat must hold possible.

The method is sampling of perfect information, as computer bridge and Skat use it (Levy 1989, Ginsberg 2001): cards that
the seat has not seen are dealt at random, each choice is made in the same worlds, and each world is played on by simple
players, whose result counts. Differences between choices have little noise since the worlds and the players are the same.
What it cannot see it cannot use: the worlds depend on nothing but what the seat knows.

The worlds are those that what the other did lets expect: who could have scored a meld and did not had none, nine times
in ten. They are played for some tricks only, because later ones differ by chance and not by the choice: in Rubicon Bezique,
with 16 worlds, the lead over greedy players rose from 0.42 (± 0.45) to 0.95 (± 0.41) deviations of a deal by it. After the
close both hands are known: the exact solver decides, and roll-outs between choices that it values alike. The solver alone
lost 9 points a deal (± 4) to them against greedy players in Bezique, since it expects the best play of others.

More worlds help little once there are eight, and do not hurt as far as measured: on 185 paired deals of Bezique, whose
deviation is 148 points, 16 worlds led 8 by 10 points (± 14), 32 led 16 by 3 (± 15), and 64 led 32 by −1 (± 16). On
seeds that had no part in any choice, the expert won 26 of 34 matches of Chinese Bezique against greedy players (76 %, ± 15).

A game without tricks has an expert of its own, `tableau_expert`, by the same method: there the engine plays the worlds on.
"""
