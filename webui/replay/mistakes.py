"""A mistake as it is told at its step: in a headline, with its card marked on the table and the better ones raised."""

from collections.abc import Sequence

import msgspec

from analyzer.review.deep_review import (
    Grade,
    ReviewedChoice,
    ReviewedDecision,
    grade_decision,
    near_best,
)
from analyzer.review.review_words import loss_words
from records.phrases import join_words
from webui.replay.layout import CardGroup
from webui.replay.steps import ReplayStep, SeatStep
from webui.replay.weighed_deals import choice_faces, name_choice

MARKS: dict[Grade, str] = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""What players of chess write behind a bad move."""
MOST_BETTER_NAMED = 3


class MistakeHeadline(msgspec.Struct, frozen=True):
    """A mistake of `seat`: `headline` says what was done and what was better, and `mark` how bad it was: `??`.

    Cards are faces: `bad` was played, and is None if none was; `better` would have lost nothing, and is empty if no card is
    so good.
    """

    seat: int
    headline: str
    mark: str
    bad: str | None
    better: list[str]


def describe_mistake(
    decision: ReviewedDecision, names: Sequence[str], least: float, *, leads: bool
) -> MistakeHeadline:
    """A decision that was a mistake by a limit of `least` points; `leads` says that its seat was on lead."""
    made = decision.made
    mark = _mark(decision, least)
    better = [each for each in decision.choices if each.kind == "play" and each.behind == 0]
    return MistakeHeadline(
        seat=decision.seat,
        headline=f"{names[decision.seat]} {_done(made, leads=leads)}{mark} {_what_was_better(decision)}",
        mark=mark,
        bad=choice_faces(made)[0] if made.kind == "play" else None,
        better=list(dict.fromkeys(face for each in better for face in choice_faces(each))),
    )


def _mark(decision: ReviewedDecision, least: float) -> str:
    if decision.match or not decision.lawful:
        return "??"
    return MARKS.get(grade_decision(decision, least), "?")


def _done(made: ReviewedChoice, *, leads: bool) -> str:
    match made.kind:
        case "play":
            return f"{'leads' if leads else 'plays'} {name_choice(made)}"
        case "meld":
            return f"melds {name_choice(made)}"
        case "hold_back":
            return "melds nothing"
        case _:
            does, _, cards = name_choice(made).partition(" ")
            return f"{does}s {cards}".strip()


def _what_was_better(decision: ReviewedDecision) -> str:
    if not decision.lawful:
        return "This breaks a rule."
    ways = list(dict.fromkeys(map(name_choice, near_best(decision))))
    named = ways[: MOST_BETTER_NAMED if len(ways) <= MOST_BETTER_NAMED else MOST_BETTER_NAMED - 1]
    more = ["another card"] if len(ways) > len(named) else []
    better = join_words([*named, *more], "or").replace("no meld", "melding nothing")
    better = better[0].upper() + better[1:]
    if decision.match:
        return f"{better} {'perhaps wins' if decision.doubtful else 'wins'} the match."
    sure = "" if decision.certain else " probably"
    return f"{better} is{sure} {loss_words(decision.lost, decision.error)} better."


def with_marks(step: ReplayStep, told: MistakeHeadline) -> ReplayStep:
    """A step whose cards carry the marks `bad` and `better`, as pictures draw them."""
    seats = [
        _marked_seat(view, told) if seat == told.seat else view
        for seat, view in enumerate(step.seats)
    ]
    centre = [
        (seat, _marked(item, told, kinds="bad") if seat == told.seat else item)
        for seat, item in step.centre
    ]
    return msgspec.structs.replace(step, seats=seats, centre=centre)


def _marked_seat(view: SeatStep, told: MistakeHeadline) -> SeatStep:
    def marked(items: list[str]) -> list[str]:
        return [_marked(item, told) for item in items]

    laid = [CardGroup(group.kind, group.words, marked(group.cards)) for group in view.laid]
    return msgspec.structs.replace(view, hand=marked(view.hand), laid=laid)


def _marked(item: str, told: MistakeHeadline, kinds: str = "bad better") -> str:
    face = item[:2]
    kind = "bad" if face == told.bad else "better" if face in told.better else ""
    return f"{item} {kind}" if kind and kind in kinds.split() else item
