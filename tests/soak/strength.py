"""How strong are players against one another? `python -m tests.soak --strength 200` asks it of so many deals of every sheet.

Each deal is played twice, by the two players of a pair in either seat, so that both have the same cards. The mean lead of
the first over the second is printed in points a deal with its interval of 95 %; then how often the first played what no
player would believe (`tests/referee/implausible_play.py`), in a hundred deals and as a share of its occasions. Every pair
is printed as soon as it is known. `--sheet bezique` asks one sheet, `--pair expert` the pairs whose name begins so, and
`--first 5000` takes other deals, from this seed on.

`PAIRS` lists who meets whom, and by how much the first must lead; it fails where it surely does not.
"""

import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from statistics import mean
from types import MappingProxyType
from typing import NamedTuple

from analyzer.play.expert import expert_for
from analyzer.play.seat_players import base_player_for
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import RuleSheet
from tests.referee.careful_player import CarefulPlayer
from tests.referee.hoarder import Hoarder
from tests.referee.implausible_play import Pattern, count_patterns
from tests.referee.rule_players import RulePlayer
from tests.referee.rule_seats import seat_maker
from tests.referee.trick_taker import TrickTaker
from tests.soak.expert import Estimate, Rung, estimate, lead_of, paired_games

TRICK_SHEETS = {sheet.id: sheet for sheet in ALL_SHEETS if sheet.rules.tableau is None}

RungMaker = Callable[[RuleSheet], Rung]
"""Makes the player of a sheet: a style of self-play, or the maker of its seats."""


def greedy(sheet: RuleSheet) -> Rung:
    """The greedy player of self-play."""
    return "greedy"


def at_random(sheet: RuleSheet) -> Rung:
    """The player of self-play who chooses by chance."""
    return "random"


def by_rules(player: RulePlayer) -> RungMaker:
    """A rule player."""
    return lambda sheet: seat_maker(player)


class PlayerPair(NamedTuple):
    """Two players who meet, and the points a deal by which the first must lead, at least, by sheet: else 0."""

    name: str
    player: RungMaker
    other: RungMaker
    least: Mapping[str, float] = MappingProxyType({})


BASE_OVER_GREEDY = {"bezique": 90, "zique": 65, "rubicon-bezique": 250, "marjolet": 10}
EXPERT_OVER_BASE = dict.fromkeys(("bezique", "zique", "polish-bezique", "rubicon-bezique"), 25)
RULE_PLAYERS = (
    ("hoarder", by_rules(Hoarder())),
    ("trick taker", by_rules(TrickTaker())),
    ("careful player", by_rules(CarefulPlayer())),
)
PAIRS = (
    PlayerPair("greedy over random", greedy, at_random),
    *(PlayerPair(f"{name} over greedy", player, greedy) for name, player in RULE_PLAYERS),
    PlayerPair("base player over greedy", base_player_for, greedy, BASE_OVER_GREEDY),
    *(
        PlayerPair(f"base player over {name}", base_player_for, other)
        for name, other in RULE_PLAYERS
    ),
    PlayerPair("expert over base player", expert_for, base_player_for, EXPERT_OVER_BASE),
    *(PlayerPair(f"expert over {name}", expert_for, other) for name, other in RULE_PLAYERS),
)


class Meeting(NamedTuple):
    """What came of a pair in a sheet: the lead in points a deal, and the patterns of the first by deals played."""

    lead: Estimate
    times: Counter[Pattern]
    occasions: Counter[Pattern]
    deals: int

    @property
    def patterns(self) -> Iterator[str]:
        """Each pattern in words, with how often it was played."""
        for pattern in Pattern:
            times, occasions = self.times[pattern], self.occasions[pattern]
            often = 100 * times / self.deals
            yield f"{pattern.value} {often:.0f} ({times} of {occasions})"


def meet(sheet: RuleSheet, pair: PlayerPair, seeds: range) -> Meeting:
    """Let a pair play the deals of these seeds."""
    times, occasions, leads = Counter[Pattern](), Counter[Pattern](), []
    player, other = pair.player(sheet), pair.other(sheet)
    labels = sheet.rules.pack.packs > 1
    for seed in seeds:
        both = []
        for seat, game in paired_games(sheet.id, seed, player, other, deals=1, labels=labels):
            both.append(lead_of(game, seat))
            counts = count_patterns(game)
            times.update(_of_seat(counts.times, seat))
            occasions.update(_of_seat(counts.occasions, seat))
        leads.append(mean(both))
    return Meeting(estimate(leads), times, occasions, 2 * len(seeds))


def _of_seat(counts: Counter[tuple[int, Pattern]], seat: int) -> Counter[Pattern]:
    return Counter({pattern: number for (of, pattern), number in counts.items() if of == seat})


def is_as_strong(row: tuple[str, int], seeds: range) -> bool:
    """Let the pair of this number meet in a sheet, and print what comes of it: whether the first leads as it must."""
    sheet, pair = TRICK_SHEETS[row[0]], PAIRS[row[1]]
    found = meet(sheet, pair, seeds)
    lead = f"{found.lead.mean:+.1f} ± {found.lead.width:.1f} points a deal"
    print(f"{sheet.id}: {pair.name}: {lead}", flush=True)
    print(f"{sheet.id}: {pair.name}: in 100 deals {', '.join(found.patterns)}", flush=True)
    return found.lead.mean + found.lead.width >= pair.least.get(sheet.id, 0)


def main(deals: int, sheets: Sequence[str], pair: str, first: int, workers: int) -> int:
    """Let the pairs whose name begins so meet in these sheets, or in all; 1 if one is surely too weak anywhere."""
    numbers = [number for number, each in enumerate(PAIRS) if each.name.startswith(pair)]
    rows = [(sheet, number) for sheet in sheets or TRICK_SHEETS for number in numbers]
    ask = partial(is_as_strong, seeds=range(first, first + deals))
    with multiprocessing.Pool(workers) as pool:
        return 0 if all([*pool.imap(ask, rows, chunksize=1)]) else 1
