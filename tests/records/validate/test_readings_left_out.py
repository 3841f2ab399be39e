"""Where not all readings of the copies can be followed, those that were left out may save what is found wrong."""

from collections.abc import Sequence
from functools import partial
from random import Random

import pytest
from msgspec.structs import replace

from records.engine import table
from records.engine.copies import ReadingTracking
from records.events import AnyEvent, Dix
from records.record import Record
from records.replay import Match, replay
from records.rules.registry import get_sheet, resolve_rules, sheet_replaced
from records.rules.vocabulary import DixRule, RuleSheet, Window
from records.selfplay import play_game
from records.validate.report import Report
from records.validator import check_record

SIX_PACKS = get_sheet("chinese-bezique")


@pytest.mark.parametrize("seed", range(40))
def test_what_few_readings_find_wrong_all_find_wrong(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In rulebooks with six packs and a seven of trumps, a seven that was shown may have been played since.

    What is said of points is certain in the same way: a score is that of all readings, or left open.
    """
    random = Random(seed)
    compare(seed, random, _with_sevens(random), monkeypatch)


@pytest.mark.parametrize("seed", [1006, 1082, 1305, 1409])
def test_a_seven_in_doubt_is_held_for_sure(seed: int, monkeypatch: pytest.MonkeyPatch):
    """Which copy was shown is open where readings were left out; no card leaves its hand for that, and none is drawn twice.

    In these games a shown seven is played, and the next one is drawn.
    """
    random = Random(seed)
    sheet = _with_sevens(random)
    assert sheet.rules.dix is not None
    late, show = random.random() < 0.8, random.choice([Window.AFTER_TRICK_WON, Window.AT_ANY_TIME])
    dix = replace(sheet.rules.dix, played=True, in_last_tricks=late, show=show)
    compare(seed, random, replace(sheet, rules=replace(sheet.rules, dix=dix)), monkeypatch)


def compare(seed: int, random: Random, sheet: RuleSheet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge a game by this rulebook by all readings, and by few."""
    with sheet_replaced(sheet):
        record = _with_dixes(random, _played_at_random(seed))
        whole = check_record(record)
        assert whole.assignments is not None
        assert not whole.assignments.capped
        for most in (1, 2, 4):
            with monkeypatch.context() as patch:
                patch.setattr(table, "ReadingTracking", partial(ReadingTracking, limit=most))
                few = check_record(record)
            assert set(_wrong(few)) <= set(_wrong(whole))
            assert few.verdict != "legal" or whole.verdict == "legal"
            assert [one for one in few.scores or () if one is not None] in ([], whole.scores)


def _with_sevens(random: Random) -> RuleSheet:
    """The rulebook of six packs with some law of the seven of trumps."""
    dix = DixRule(
        points=10, exchange=Window.NEVER, show=Window.AFTER_TRICK_WON, played=random.random() < 0.3,
        in_last_tricks=random.random() < 0.5, once_per_card=True, exchange_is_the_meld=False,
        spent_exchanges=random.random() < 0.5,
    )  # fmt: skip
    return replace(SIX_PACKS, rules=replace(SIX_PACKS.rules, dix=dix))


def _played_at_random(seed: int) -> Record:
    """A deal in which many sevens are played, some of them perhaps after they were shown."""
    return play_game(SIX_PACKS.id, seed=seed, deals=1, style="random", where=bool(seed % 2))


def _with_dixes(random: Random, game: Record) -> Record:
    """The game with sevens of trumps shown, some of them once too often; nothing is claimed for the deal."""
    (deal,) = game.deals
    often = random.choice([0.1, 0.3, 0.6])
    events = list[AnyEvent]()
    for frame in replay(game, match=Match(game, resolve_rules(game.rules))):
        winner, seven = frame.table.melding.seat, frame.table.seven
        events += [frame.event] if frame.event is not None else []
        may_show = winner is not None and seven in frame.table.held[winner]
        if frame.event is not None and may_show and random.random() < often:
            events.append(Dix(seat=winner or 0, action="show", points=random.choice([None, 10])))
    return replace(game, deals=[replace(deal, events=events, claims=None)], result=None)


def _wrong(report: Report) -> Sequence[str]:
    """The events of which something is said to be wrong."""
    faults = [each for each in report.findings if each.severity in ("illegal", "mismatch")]
    return [each.at.pointer.removesuffix("/points") for each in faults]
