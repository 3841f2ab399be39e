"""Whole games from which the kit is chosen, and what is damaged in them or put into them."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from records.events import Dix, Meld
from records.record import Claims, Record, Result
from records.rules.vocabulary import RaceTo, RuleSheet
from records.selfplay import play_game
from records.validator import check_record
from tests.playouts.hoarding import play_hoarding_game
from tests.playouts.mutants import KINDS
from tests.playouts.referee import judge
from tests.records.conformance.candidates import Candidate

GAMES: dict[str, list[dict[str, Any]]] = {
    "zetema": [
        {"seed": 31, "deals": 1},
        {"seed": 2, "deals": 1, "players": 3, "style": "random"},
        {"seed": 3, "deals": 1, "players": 4, "sides": [[0, 2], [1, 3]]},
        {"seed": 27, "deals": 1, "players": 6},
        {"seed": 5, "deals": 1, "style": "random"},
    ]
}
LABELLED = {"labels": True}


def games(sheet: RuleSheet) -> Iterator[tuple[str, Record]]:
    """A few deals of a sheet, with every number claimed."""
    plain: list[dict[str, Any]] = [
        {"seed": 1, "deals": 1},
        {"seed": 2, "deals": 1, "style": "random", "where": True},
        {"seed": 3, "deals": 1, "style": "random", "labels": sheet.rules.pack.packs > 1},
    ]
    if sheet.rules.pack.packs > 2:
        plain = [{**way, "labels": True} for way in plain]
    for way in GAMES.get(sheet.id, plain):
        record = play_game(sheet.id, **way)
        record.meta, record.provenance, record.result = None, None, record.result
        name = "-".join(str(value) for value in way.values() if isinstance(value, int | str))
        yield f"game-{name}", record


FORGED_EACH = 2
"""So many forged events are taken of those that are wrong for the same reason at the same time of a trick."""


def forged(name: str, record: Record) -> Iterator[Candidate]:
    """A deal cut after an event that is put in: a meld or a dix whose cards are held, but which is not due."""
    known = judge(record)
    (trail,), (deal,) = known.trails, record.deals
    seen = Counter[Any]()
    for index, worlds in enumerate(trail.worlds[: len(deal.events)]):
        world = worlds[0]
        for event in _conceivable(world):
            if world.labelled and isinstance(event, Meld):
                # A record that labels some cards labels all.
                event = replace(event, cards=_held_copies(world, event))
            cut = replace(deal, events=[*deal.events[:index], event], claims=None)
            changed = replace(record, deals=[cut], result=None)
            judged = judge(changed, like=known)
            times = (
                world.window,
                bool(world.due),
                world.closed,
                bool(world.trick),
                event.seat == world.to_act,
            )
            reason = (judged.why, *times, getattr(event, "action", None))  # fmt: skip
            seen[reason] += 1
            if not judged.right and seen[reason] <= FORGED_EACH:
                about = "A game with an event put in: a meld or a seven that is not due."
                yield Candidate(f"{name}-forged-{index}-{len(seen)}-{seen[reason]}", "mutants", about, changed)  # fmt: skip


def _held_copies(world: Any, meld: Meld) -> list[str]:
    """The copies that a seat holds of the cards of a meld, the lowest first."""
    held = sorted(world.hands[meld.seat])
    found: list[str] = []
    for card in meld.cards:
        found.append(next(copy for copy in held if copy[:2] == card and copy not in found))
    return found


def _conceivable(world: Any) -> Iterator[Meld | Dix]:
    """Melds of the commonest kinds and sevens of trumps that a seat has the cards for."""
    for seat, hand in enumerate(world.hands):
        faces = Counter(card[:2] for card in hand)
        pairs = [("bezique", ["QS", "JD"]), *(("marriage", [f"K{s}", f"Q{s}"]) for s in "SHDC")]
        for meld, cards in pairs:
            if all(faces[card] for card in cards):
                yield Meld(seat=seat, meld=meld, cards=cards)
        for rank, meld in (("A", "four_aces"), ("K", "four_kings"), ("Q", "four_queens"), ("J", "four_jacks")):  # fmt: skip
            some = sorted(card for card in faces.elements() if card[0] == rank)[:4]
            if len(some) == 4:
                yield Meld(seat=seat, meld=meld, cards=some)
        if world.trump and faces[f"7{world.trump}"]:
            yield Dix(seat=seat, action="exchange")
            yield Dix(seat=seat, action="show")


HOARDED = 5


def whole_match(sheet: RuleSheet) -> Iterator[tuple[str, Record]]:
    """A match to its end, where that takes several deals."""
    if isinstance(sheet.rules.match, RaceTo):
        record = play_game(sheet.id, seed=1, style="greedy")
        yield "match-1", replace(record, meta=None, provenance=None)


def rich_games(sheet: RuleSheet) -> Iterator[tuple[str, Record]]:
    """Deals in which like cards are hoarded, so that rare melds come up; of Zetema, deals at every table."""
    for seed in range(HOARDED):
        if sheet.rules.tableau is not None:
            record = play_game(sheet.id, seed=50 + seed, deals=1, players=2 + seed)
            record = replace(record, meta=None, provenance=None)
        else:
            record = play_hoarding_game(sheet.id, seed, labels=sheet.rules.pack.packs > 2)
        yield f"rich-{seed}", with_claims(record)


def with_claims(record: Record) -> Record:
    """A right record that also claims what its deals and its match come to."""
    report = check_record(record)
    scores = {c.pointer: c.computed for c in report.reconciliation if c.what == "deal scores"}
    deals = [
        replace(deal, claims=deal.claims or Claims(scores=scores.get(f"/deals/{number}")))
        for number, deal in enumerate(record.deals)
    ]
    result = record.result
    if report.finished and report.scores is not None and None not in report.scores:
        result = Result(status="complete", scores=[*map(int, report.scores)],  # type: ignore[arg-type]
                        settlement=report.settlement, winner=report.winner)  # fmt: skip
    return replace(record, deals=deals, result=result)


def mutants(name: str, record: Record, *, each: int) -> Iterator[tuple[str, Candidate]]:
    """Damaged games, cut after the first event that cannot be."""
    known = judge(record)
    for kind, damage in KINDS.items():
        if kind == "change an option":
            continue
        for attempt in range(each):
            mutant = damage(record, Random(f"{name} {kind} {attempt}"))
            if mutant is None:
                continue
            judged = judge(mutant.record, like=known)
            if judged.right:
                continue
            cut = _cut(mutant.record, judged.deal, judged.event)
            about = f"A game with one change: {kind}."
            yield (
                kind,
                Candidate(f"{name}-{kind.replace(' ', '-')}-{attempt}", "mutants", about, cut),
            )


def _cut(record: Record, number: int | None, event: int | None) -> Record:
    """The record as far as what is wrong in it; whole if that is a number at the end."""
    if number is None or event is None or event >= len(record.deals[number].events):
        return record
    deal = record.deals[number]
    short = replace(deal, events=deal.events[: event + 1], claims=None)
    return replace(record, deals=[*record.deals[:number], short], result=None)
