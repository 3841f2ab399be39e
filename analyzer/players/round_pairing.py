"""Who meets whom in the next round of an evening: a round robin by Berger's tables, or a Swiss round by a matching.

Berger's tables let everybody meet everybody once. Where they fail, since people came or left, and in a Swiss, the round
is the matching that costs least (S. Ólafsson, "Weighted matching in chess tournaments", Journal of the Operational
Research Society 41, 1990), which Edmonds' blossom algorithm finds, in the package networkx. This is none of the
systems of the chess federation FIDE.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

MOST_PAIRED = 64
"""So many players are paired at most: a matching of them takes a tenth of a second."""

Pair = tuple[int, int]
"""Two players by their numbers; the first is named first."""


class PairedRound(msgspec.Struct, frozen=True):
    """A round: the pairs in the order of their tables, and who sits out."""

    pairs: list[Pair]
    bye: int | None = None

    @property
    def players(self) -> list[int]:
        """All players of the round, who sits out last."""
        seated = [player for pair in self.pairs for player in pair]
        return seated if self.bye is None else [*seated, self.bye]


def berger_round(players: Sequence[int], number: int) -> PairedRound:
    """Round `number`, from 1, of Berger's tables; with an odd number of players, each sits out once.

    After as many rounds as others are at the tables, everybody has met everybody once, and the rounds come again. Needs two players.
    """
    places = [*players, None] if len(players) % 2 else [*players]
    size = len(places)
    turned = [*places[:-1]]
    shift = (number - 1) * (size // 2) % (size - 1)
    turned = turned[shift:] + turned[:shift]
    ends = (turned[0], places[-1]) if number % 2 else (places[-1], turned[0])
    met = [ends, *((turned[low], turned[-low]) for low in range(1, size // 2))]
    pairs = [(one, other) for one, other in met if one is not None and other is not None]
    byes = [one if other is None else other for one, other in met if None in (one, other)]
    return PairedRound(pairs, byes[0] if byes else None)


def pair_round_robin(
    entered: Sequence[int], present: Iterable[int], past: Sequence[PairedRound]
) -> PairedRound:
    """The next round of a round robin: that of Berger's tables of all who `entered`, in their order.

    If in it somebody would meet somebody again, or two would sit out, it is the matching with the fewest of both. Needs
    two players who are present.
    """
    here = [player for player in entered if player in set(present)]
    row = berger_round(entered, len(past) + 1)
    pairs = [pair for pair in row.pairs if {*pair} <= {*here}]
    seated = {player for pair in pairs for player in pair}
    out = [player for player in here if player not in seated]
    met, sat_out = count_past(past)
    if len(out) > 1 or any(met[frozenset(pair)] for pair in pairs) or any(sat_out[p] for p in out):
        return pair_swiss(here, dict.fromkeys(here, 0.0), past)
    return PairedRound(pairs, out[0] if out else None)


def pair_swiss(
    ranked: Sequence[int], points: Mapping[int, float], past: Sequence[PairedRound]
) -> PairedRound:
    """The next round of a Swiss, for players in the order of the standing; points are halves. Needs two players.

    It has as few who meet again or sit out again as any round; among such rounds the squares of the differences in
    points add up to the least, where who sits out meets the fewest points; and then the upper half of those with equal
    points meets the lower half, and the last sits out. Table 1 has the most points.
    """
    import networkx  # takes a quarter of a second to load, and most pages pair nobody

    graph = networkx.Graph()
    for pair, cost in _costs(ranked, points, past).items():
        graph.add_edge(*pair, weight=cost)
    place = {player: number for number, player in enumerate(ranked)}
    found = [sorted(pair, key=lambda one: place.get(one, len(ranked))) for pair in networkx.min_weight_matching(graph)]  # fmt: skip
    byes = [one for one, other in found if other not in place]
    pairs = [(one, other) for one, other in found if other in place]
    pairs.sort(key=lambda pair: (-points[pair[0]] - points[pair[1]], place[pair[0]]))
    return PairedRound(pairs, byes[0] if byes else None)


def count_past(past: Iterable[PairedRound]) -> tuple[Counter[frozenset[int]], Counter[int]]:
    """How often each two have met in these rounds, and how often everybody sat out."""
    rounds = [*past]
    met = Counter(frozenset(pair) for each in rounds for pair in each.pairs)
    return met, Counter(each.bye for each in rounds if each.bye is not None)


def _costs(
    ranked: Sequence[int], points: Mapping[int, float], past: Sequence[PairedRound]
) -> dict[Pair, int]:
    """What every pair costs, as whole numbers, so that no sum is rounded; with an odd number one plays against nobody, -1."""
    met, sat_out = count_past(past)
    sizes = Counter(points[player] for player in ranked)
    lowest = min(sizes)
    again, apart, unevenness = {}, {}, {}
    for place, one in enumerate(ranked):
        for step, other in enumerate(ranked[place + 1 :], start=1):
            again[one, other] = met[frozenset((one, other))]
            apart[one, other] = int(2 * (points[one] - points[other])) ** 2
            same = points[one] == points[other]
            unevenness[one, other] = abs(step - sizes[points[one]] // 2) if same else 0
        if len(ranked) % 2:
            again[one, -1] = sat_out[one]
            apart[one, -1] = int(2 * (points[one] - lowest)) ** 2
            unevenness[one, -1] = len(ranked) - 1 - place
    small = len(ranked) * (len(ranked) + 1)
    large = small * (len(ranked) * max(apart.values()) + 1)
    return {pair: again[pair] * large + apart[pair] * small + unevenness[pair] for pair in again}
