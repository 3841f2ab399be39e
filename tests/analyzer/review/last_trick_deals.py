"""Real deals whose last trick before the close is compared with the enumeration of all worlds."""

from collections.abc import Container, Mapping

from analyzer.review.last_stock_trick import LastStockDecision, LastStockTrickWatch
from records.events import Play
from records.record import Record
from records.replay import replay
from records.rules.vocabulary import RuleOptionValue
from records.selfplay import play_game
from tests.playouts.referee import judge
from tests.referee.last_trick_worlds import value_decision


def real_deal(sheet: str, seed: int, options: Mapping[str, RuleOptionValue]) -> Record:
    """A deal of self-play that says from where each card was played, so that copies stay told apart."""
    style = "greedy" if seed % 2 else "random"
    return play_game(sheet, seed=seed, options=options, deals=1, where=True, style=style)  # type: ignore[arg-type]


def valued(record: Record) -> list[LastStockDecision]:
    """The decisions as the analysis values them, without a limit."""
    watch = LastStockTrickWatch(None)
    for frame in replay(record):
        watch.read(frame)
    return watch.found


def compare_decisions(record: Record, kinds: Container[str]) -> tuple[int, list[str]]:
    """How many decisions of these kinds (`lead`, `reply`) were compared, and what differs.

    A decision is left out where the record leaves open which of several like cards have served.
    """
    judgement = judge(record)
    assert judgement.right, judgement.why
    found = {each.event: each for each in valued(record)}
    trail, compared, wrong = judgement.trails[0], 0, []
    for number, event in enumerate(trail.deal.events):
        worlds = trail.worlds[number]
        world = worlds[0]
        if not isinstance(event, Play) or world.down != 1 or not world.turn_up or len(worlds) > 1:
            continue
        if ("reply" if world.trick else "lead") not in kinds:
            continue
        compared += 1
        wanted = value_decision(trail.referee, world)
        decision = found.get(number)
        told = decision and ({way.card: way.value for way in decision.ways}, decision.cards)
        if told != wanted:
            wrong.append(f"event {number}: found {told}, enumerated {wanted}")
    return compared, wrong
