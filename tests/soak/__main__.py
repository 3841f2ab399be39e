"""Many games, and much damage: `python -m tests.soak` plays every sheet at every table.

Every game must be legal with every number in it true. Some are followed by the slow referee; of some every
prefix must be clean; some are damaged in every way there is.

A damaged game counts as wrong only where no assignment of the copies of the pack to its cards saves it.
That is not the validator's word: `tests.playouts.referee` plays the record with real cards, follows
every copy that a card of the record can mean, a world each, and never drops a world unless another
differs from it by the names of twins alone; it uses nothing of the replay and the checks. If a world
survives to the end with every number true, the mutant is another way to write a legal game, and the
validator must find nothing; if none does, it must find something. Either difference fails the run.

Then come the records that do not tell everything, as `tests.soak.knowledge` describes: views of legal deals, small
deals with hidden cards and all their completions, and damaged games that no completion saves.

The exit status is 1 if anything was not as it must be, or less was examined than was asked for; what is
printed says how to play that game again.
"""

import argparse
import multiprocessing
import sys
import time

from tests.fuzz import __main__ as fuzz
from tests.soak import (
    blunders,
    chances,
    choices,
    costs,
    deep_review,
    expert,
    gains,
    games,
    identified,
    interface,
    intervals,
    kills,
    kit,
    knowledge,
    last_tricks,
    laws,
    loading,
    luck,
    rewritten,
    sheets,
    strength,
    third_players,
    unshown,
)
from tests.soak.crowd import crowded_site
from tests.soak.tallies import Asked

FUZZ_MINUTES = 60.0
"""How long the fuzzer searches unless `--minutes` says otherwise."""


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    number = "{} of every sheet at every table (%(default)s)"
    add = parser.add_argument
    add("--games", type=int, default=2000, help=number.format("games"))
    add("--prefixes", type=int, default=50, help=number.format("games cut at every event,"))
    add("--referee", type=int, default=100, help=number.format("games for the referee,"))
    add("--mutants", type=int, default=300, help="mutants that are wrong, of every sheet (300)")
    add("--sheet", action="append", default=[], help="only this sheet; may be repeated")
    add("--minutes", type=float, default=0, help="stop after so many minutes")
    add("--views", type=int, default=400, help="deals of every sheet seen in every way (400)")
    add("--completions", type=int, default=5000, help="small deals with hidden cards (5000)")
    add("--knowledge", action="store_true", help="only the records that do not tell everything")
    add("--costs", type=int, default=0, help="only what so many games of every sheet cost")
    add("--choices", type=int, default=0, help="only whether the melds listed in so many deals of every sheet, with "
        "labels and without, are all there are: see tests/soak/choices.py")  # fmt: skip
    add("--loading", action="store_true", help="the loader instead: see tests/soak/loading.py")
    add("--fuzz", action="store_true", help="inputs that cost too much instead: see tests/fuzz")
    add("--seed", type=int, default=1, help="of the inputs that cost too much (%(default)s)")
    add(
        "--intervals", action="store_true", help="confidence intervals: see tests/soak/intervals.py"
    )
    add(
        "--crowd",
        action="store_true",
        help="the server instead: see tests/soak/crowd/crowded_site.py",
    )
    add("--greedy", action="store_true", help="with --crowd: five who ask for all that is slow")
    add("--interface", type=int, nargs="?", const=300, metavar="REQUESTS",
        help="ask every operation of the interface so often, rightly and wrongly, instead (300)")  # fmt: skip
    add("--kills", type=int, nargs="?", const=200, metavar="TIMES",
        help="kill a process at work so often instead (200): see tests/soak/kills.py")  # fmt: skip
    add("--chances", type=int, nargs="?", const=6000, metavar="MATCHES",
        help="calibrate the chance of winning on so many matches of four sheets instead (6000): see tests/soak/chances.py")  # fmt: skip
    add("--skill", type=int, nargs="?", const=200, metavar="DEALS",
        help="estimate the skill of base players and experts over simple players in so many deals of every sheet instead (200), in each seat")  # fmt: skip
    add("--luck", type=int, nargs="?", const=2000, metavar="DEALS",
        help="estimate luck in so many deals of every sheet instead (2000): see tests/soak/luck.py")  # fmt: skip
    add("--last-tricks", type=int, nargs="?", const=last_tricks.DECISIONS, metavar="DECISIONS",
        help="compare the trick before the close instead (%(const)s): see tests/soak/last_tricks.py")  # fmt: skip
    add("--expert", type=int, nargs="?", const=200, metavar="DEALS",
        help="measure the expert on so many deals of every sheet instead (200): see tests/soak/expert.py")  # fmt: skip
    add("--strength", type=int, nargs="?", const=200, metavar="DEALS",
        help="let players meet in pairs on so many deals of every sheet instead (200): see tests/soak/strength.py")  # fmt: skip
    add("--gains", type=int, nargs="?", const=100, metavar="DEALS",
        help="measure what the expert's choices gain over base players' on so many deals of every sheet instead (100): see "
        "tests/soak/gains.py")  # fmt: skip
    add("--pair", default="", metavar="NAME",
        help="let only the pairs meet whose name begins so, with --strength")  # fmt: skip
    add("--matches", type=int, default=expert.MATCHES,
        help="seeds of matches that the expert plays, each twice, with --expert (%(default)s)")  # fmt: skip
    add("--first", type=int, default=0, metavar="SEED",
        help="of the deals of --strength, --gains and --blunders, the deals and matches of --expert, and the games of --unshown "
        "(%(default)s)")  # fmt: skip
    add("--third", type=int, nargs="?", const=200, metavar="MISTAKES",
        help="play on after so many mistakes that reviews tell of, with players that had no part in them (200): see "
        "tests/soak/third_players.py")  # fmt: skip
    add("--deep", type=int, nargs="?", const=200, metavar="DECISIONS",
        help="review so many decisions in few worlds and in many instead (200): see tests/soak/deep_review.py")  # fmt: skip
    add("--blunders", type=int, nargs="?", const=100, metavar="BLUNDERS",
        help="plant so many blunders in deals of experts, and review these, instead (100): see tests/soak/blunders.py")  # fmt: skip
    add(
        "--worlds",
        type=int,
        help="with --deep and --blunders, how many worlds a review has, with --gains those of the expert (as many as the default of the sheet)",
    )
    add(
        "--kit",
        action="store_true",
        help="every case of the conformance kit and every planted error: see tests/soak/kit.py",
    )
    add("--unshown", type=int, nargs="?", const=100_000, metavar="GAMES",
        help="search so many games of every sheet for one that shows a planted error which none can show instead (100000): "
        "see tests/soak/unshown.py")  # fmt: skip
    add(
        "--laws",
        action="store_true",
        help="changes of what implements the laws: see tests/soak/laws.py",
    )
    add("--rewritten", type=int, nargs="?", const=10_000, metavar="PAIRS",
        help="whether so many pairs of records are of one match or of two instead (10000): see tests/soak/rewritten.py")  # fmt: skip
    add("--identified", type=int, nargs="?", const=600, metavar="RECORDS",
        help="look for the rules of so many records under random options instead (600), from --first on: see tests/soak/identified.py")  # fmt: skip
    add("--sheets", type=int, nargs="?", const=2000, metavar="FILES",
        help="play and judge by so many rulebooks changed at random instead (2000), from --first on: see tests/soak/sheets.py")  # fmt: skip
    add("--workers", type=int, default=multiprocessing.cpu_count())
    return parser.parse_args()


def main() -> int:
    """Run until all games are played or the time is up."""
    told = options()
    if told.sheets:
        return sheets.main(told.sheets, told.first)
    if told.crowd:
        return crowded_site.main(60 * told.minutes or 60, crowded_site.Size(greedy=told.greedy))
    if told.intervals:
        return intervals.main()
    if told.interface:
        return interface.main(told.interface)
    if told.identified:
        return identified.main(told.identified, told.first, told.workers)
    if told.rewritten:
        return rewritten.main(told.rewritten)
    if told.kit:
        return kit.main()
    if told.unshown:
        return unshown.main(
            told.unshown,
            tuple(told.sheet),
            told.first,
            workers=told.workers,
            minutes=told.minutes,
        )
    if told.laws:
        return laws.main()
    if told.loading:
        return loading.main(told.games)
    if told.fuzz:
        minutes = told.minutes or FUZZ_MINUTES
        return fuzz.main(list(map(str, ("--minutes", minutes, "--seed", told.seed, "--workers", told.workers))))  # fmt: skip
    if told.choices:
        return choices.main(told.choices, told.sheet, told.workers)
    if told.costs:
        return costs.main(told.costs, tuple(told.sheet))
    if told.chances:
        return chances.main(told.chances, tuple(told.sheet))
    if told.skill:
        return luck.measure_skill(told.skill, tuple(told.sheet), told.workers)
    if told.luck:
        return luck.main(told.luck, tuple(told.sheet), told.workers)
    if told.expert:
        return expert.main(told.expert, told.matches, tuple(told.sheet), told.first, told.workers)
    if told.strength:
        return strength.main(told.strength, tuple(told.sheet), told.pair, told.first, told.workers)
    if told.gains:
        return gains.main(told.gains, told.worlds, tuple(told.sheet), told.first, told.workers)
    if told.third:
        return third_players.main(told.third, tuple(told.sheet), told.workers)
    if told.blunders:
        return blunders.main(
            told.blunders, told.worlds, tuple(told.sheet), told.first, told.workers
        )
    if told.deep:
        return deep_review.main(told.deep, told.worlds, tuple(told.sheet), told.workers)
    if told.last_tricks:
        return last_tricks.main(told.last_tricks, told.workers)
    if told.kills:
        return kills.main(told.kills)
    partial = knowledge.Asked(told.views, told.completions, tuple(told.sheet))
    if told.knowledge:
        return knowledge.main(partial, workers=told.workers, minutes=told.minutes)
    asked = Asked(told.games, told.prefixes, told.referee, told.mutants, tuple(told.sheet))
    started = time.monotonic()
    failed = bool(games.main(asked, workers=told.workers, minutes=told.minutes))
    left = told.minutes - (time.monotonic() - started) / 60
    if not told.minutes or left > 0:
        failed |= bool(knowledge.main(partial, workers=told.workers, minutes=max(0, left)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
