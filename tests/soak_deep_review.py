"""Does a deep review tell how sure it is, and does it find blunders? `python -m tests.soak --deep 200`.

It reviews so many decisions of casual games before the close twice: at the default width, and with thirty times as many
worlds. Of the intervals of 95 %, 92 to 98 in 100 must cover what the long run finds: that of the value of what was done,
and that of how far it is behind the best, where it is not the best itself.

Then half as many deals are played by experts, one of whom once makes its worst choice, at least sixty points behind the
best by a long run. In 95 of 100 the review must have it among the turning points of the deal.

`--worlds 64` sets another width, which takes less time.
"""

import multiprocessing
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from analyzer.deep_review.choice_worlds import ChoiceWorlds
from analyzer.deep_review.deep_review import DEFAULT_LEAST, DeepReviewTerms
from analyzer.deep_review.open_decisions import OpenDecision, OpenDecisionReader
from analyzer.deep_review.reviewer import review_deeply
from analyzer.expert.expert_player import ExpertPlayer
from records.engine.table import Table
from records.record import Deal, Record
from records.replay import replay
from records.selfplay import SeatPlayer, play_game

SHEETS = ("bezique", "zique", "marjolet", "polish-bezique", "rubicon-bezique")
BLUNDER_SHEETS = ("bezique", "zique")
TIMES_AS_LONG = 30
ERRORS_OF_INTERVAL = 1.96
COVERED, FOUND = (0.92, 0.98), 0.95
LEAST_BLUNDER, LONG_RUN = 60, 2_000
"""A blunder must be so many points behind in a run of so many worlds."""
POSITIONS_IN_A_DEAL = 4
DEALS_A_BLUNDER = 4
"""At most so many deals are played for every blunder: in many no choice is bad enough."""


class Coverage(NamedTuple):
    """Whether the intervals of a decision covered the long run: of the value, and of the loss if there was any."""

    value: bool
    lost: bool | None


def open_decisions(record: Record) -> list[OpenDecision]:
    """The decisions of a record's deal before its close."""
    reader = OpenDecisionReader(record.deals[0].events)
    for frame in replay(record):
        reader.read(frame)
    return reader.decisions


def cover(task: tuple[str, int], worlds: int) -> list[Coverage]:
    """Review some decisions of one deal in few worlds and in many."""
    sheet, seed = task
    decisions = open_decisions(play_game(sheet, seed=seed, style="casual", deals=1))
    chosen = Random(f"{sheet} {seed}").sample(decisions, min(POSITIONS_IN_A_DEAL, len(decisions)))
    return [_cover(decision, worlds) for decision in chosen]


def _cover(decision: OpenDecision, most: int) -> Coverage:
    short, long = ChoiceWorlds(decision, "short"), ChoiceWorlds(decision, "long")
    short.widen_until_settled(most, DEFAULT_LEAST)
    long.widen(TIMES_AS_LONG * short.number)
    done, best = decision.chosen, long.best()
    value, lost = short.mean_of(done), short.behind(done)
    far = abs(value.points - long.mean_of(done).points)
    true_loss = long.mean_of(best).points - long.mean_of(done).points
    width = ERRORS_OF_INTERVAL * lost.error
    return Coverage(
        far <= ERRORS_OF_INTERVAL * value.error,
        None if short.best() == done else abs(max(lost.points, 0.0) - true_loss) <= width,
    )


class BlunderingExpert(ExpertPlayer):
    """Makes its worst choice of a card once, as soon as it is bad enough, from a trick on that the seed tells."""

    first = 0
    blundered = False

    def choose_card(self, table: Table, cards: Sequence[str]) -> str:
        """The card to play, of these."""
        best = super().choose_card(table, cards)
        if self.blundered or table.tricks < self.first or len(cards) < 2 or not table.phase.draws:
            return best
        _, values = self._weigh(table)
        if values[-1].behind < LEAST_BLUNDER + 2 * values[-1].behind_error:
            return best
        self.blundered = True
        (name,) = self._weigh(table)[0].view.cards.names_of(values[-1].choice.cards)
        return next(card for card in cards if card[:2] == name[:2])


def find_blunder(task: tuple[str, int], worlds: int) -> bool | None:
    """Whether the review of a deal has the blunder among its turning points; None if there was none to find."""
    sheet, seed = task
    tricks = Random(f"{sheet} {seed}").randrange(16)

    def blunderer(seat: int, deal: Deal, player_seed: int) -> SeatPlayer:
        player = BlunderingExpert(seat, deal, player_seed)
        player.first = tricks
        return player

    players = {0: blunderer, 1: ExpertPlayer}
    record = play_game(sheet, seed=seed, deals=1, seat_players=players)
    planted = max(
        (each for each in open_decisions(record) if each.seat == 0),
        key=_loss,
        default=None,
    )
    if planted is None or _long_loss(planted) < LEAST_BLUNDER:
        return None
    (deal,) = review_deeply(record, terms=DeepReviewTerms(worlds=worlds)).deals
    return planted.event in [deal.decisions[place].event for place in deal.turning_points]


def _loss(decision: OpenDecision) -> float:
    worlds = ChoiceWorlds(decision, "planted")
    worlds.widen(64)
    return worlds.behind(decision.chosen).points


def _long_loss(decision: OpenDecision) -> float:
    worlds = ChoiceWorlds(decision, "planted long")
    worlds.widen(LONG_RUN)
    return worlds.mean_of(worlds.best()).points - worlds.mean_of(decision.chosen).points


def tasks(sheets: Sequence[str], number: int) -> list[tuple[str, int]]:
    """So many deals of these sheets in turn."""
    return [(sheets[place % len(sheets)], place // len(sheets)) for place in range(number)]


def main(positions: int, worlds: int, workers: int) -> int:
    """Review so many decisions, and half as many deals with a blunder; 1 if either is not as it must be."""
    values, losses, found = list[bool](), list[bool](), list[bool]()
    with multiprocessing.Pool(workers) as pool:
        deals = tasks(SHEETS, -(-positions // POSITIONS_IN_A_DEAL))
        for covered in pool.imap_unordered(partial(cover, worlds=worlds), deals):
            values += [each.value for each in covered]
            losses += [each.lost for each in covered if each.lost is not None]
    print(f"{_share(values)} values and {_share(losses)} losses covered", flush=True)
    with multiprocessing.Pool(workers) as pool:
        deals = tasks(BLUNDER_SHEETS, DEALS_A_BLUNDER * positions)
        for was_found in pool.imap(partial(find_blunder, worlds=worlds), deals):
            found += [] if was_found is None else [was_found]
            if len(found) >= positions // 2:
                break
        pool.terminate()
    print(f"{_share(found)} blunders among the turning points")
    honest = all(COVERED[0] <= sum(each) / len(each) <= COVERED[1] for each in (values, losses))
    return 0 if honest and sum(found) >= FOUND * len(found) else 1


def _share(answers: Sequence[bool]) -> str:
    return f"{sum(answers)} of {len(answers)} ({sum(answers) / max(len(answers), 1):.1%})"
