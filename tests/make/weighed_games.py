"""Deep reviews written by hand: a game whose decisions have values that tests can follow."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from analyzer.review.deep_review import (
    GameReview,
    ReviewedChoice,
    ReviewedDeal,
    ReviewedDecision,
    ReviewTerms,
    find_turning_points,
    grade_decision,
)
from records.cards import FACE_OF
from records.engine.choices import legal_plays
from records.events import Meld, Play
from records.format import codec
from records.record import Record
from records.replay import replay

LEAST = 20
WORLDS = 64
UNREAD = "What is exact here is left out."


def written_review(record: Record, losses: Sequence[tuple[float, float]]) -> GameReview:
    """A deep review of the first deal: the cards played where there was a choice lost these points, with these errors.

    The first loss belongs to the first such card, and so on; others lost nothing. Every value is an estimate.
    """
    decisions = []
    for number, (event, seat, played, others) in enumerate(_plays(record)):
        lost, error = losses[number] if number < len(losses) else (0.0, 0.0)
        decisions.append(_decision(event, seat, played, others, lost, error))
    return GameReview(
        digest=codec.digest(record),
        sheet=record.rules.id,
        options={},
        terms=ReviewTerms(worlds=WORLDS, least=LEAST),
        names=[player.name for player in record.players],
        deals=[
            ReviewedDeal(0, decisions, find_turning_points(decisions, LEAST), why_no_close=UNREAD)
        ],
    )


def unread_review(record: Record) -> GameReview:
    """A review that knows nothing of the first deal, and is taken for whole: nobody reads the record for it."""
    return replace(
        written_review(record, []), stage="exact", deals=[ReviewedDeal(0, [], why_no_close=UNREAD)]
    )


def first_meld(record: Record) -> ReviewedDecision:
    """A decision of the first deal to meld, which was the best: melding nothing would have lost 30 points."""
    events = record.deals[0].events
    event, meld = next((place, each) for place, each in enumerate(events) if isinstance(each, Meld))
    cards = [FACE_OF[card] for card in meld.cards]
    made = ReviewedChoice("meld", cards, 50.0, 4.0, worlds=WORLDS, meld=meld.meld)
    nothing = ReviewedChoice("hold_back", [], 20.0, 4.0, 30.0, 3.0, WORLDS)
    return ReviewedDecision(event, meld.seat, "stock", [made, nothing], 0, "best")


def _plays(record: Record) -> Iterator[tuple[int, int, str, list[str]]]:
    """The cards played in the first deal where others could have been: event, seat, the card, the others."""
    events = record.deals[0].events
    for frame in replay(record):
        after = frame.index + 1
        if frame.deal or after >= len(events):
            return
        event = events[after]
        if not isinstance(event, Play) or frame.table.draws_due or frame.table.seat != event.seat:
            continue
        faces = {FACE_OF[card] for card in legal_plays(frame.table)} - {FACE_OF[event.card]}
        if faces:
            yield after, event.seat, FACE_OF[event.card], sorted(faces)


def weighed_choice(cards: list[str], value: float, lost: float, error: float) -> ReviewedChoice:
    """A card to play that loses so many points, with this error, whoever goes on."""
    both = {"behind_base": lost, "behind_simple": lost}
    errors = {"behind_base_error": error, "behind_simple_error": error}
    return ReviewedChoice("play", cards, value, 4.0, lost, error, WORLDS, **both, **errors)


def _decision(
    event: int, seat: int, played: str, others: Sequence[str], lost: float, error: float
) -> ReviewedDecision:
    """A decision whose best choice leads to 30 points, and all choices but what was played to 1 point less each."""
    did = weighed_choice([played], 30.0 - lost, lost, error)
    rest = [
        weighed_choice([card], 30.0 - place, float(place), 0.5)
        for place, card in enumerate(others, start=0 if lost else 1)
    ]
    choices = [*rest, did] if lost else [did, *rest]
    decision = ReviewedDecision(
        event=event,
        seat=seat,
        phase="stock",
        choices=choices,
        chosen=len(rest) if lost else 0,
        grade="best",
        lost=lost,
        error=error,
        why=f"In 41 of {WORLDS} possible deals the card is needed later." if lost else "",
    )
    decision.grade = grade_decision(decision, LEAST)
    return decision
