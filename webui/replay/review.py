"""An annotation as the pages show it, sorted by step, with the chart of luck."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from analyzer.review.annotation_words import (
    SeatSum,
    describe_decision,
    describe_last_stock_decision,
    describe_line,
    describe_missed_chance,
    describe_move,
    is_worth_telling,
    result_breakdown,
    seat_sums,
)
from analyzer.review.annotator import Annotation, DealAnnotation
from analyzer.review.close_review import CloseDecision
from analyzer.review.deep_review import (
    MISTAKES,
    WORSE,
    DeeplyReviewedDeal,
    DeepReview,
    grade_decision,
)
from analyzer.review.last_stock_trick import LastStockDecision, gap_sentences
from analyzer.review.luck import (
    LuckBreakdown,
    SwingText,
    describe_greatest_choices,
    describe_greatest_draws,
    parts_of_result,
)
from analyzer.review.missed import MissedChance
from analyzer.solver.moves import Move, ValuedMove
from records.cards import card_sign
from records.events import AnyEvent
from records.phrases import signed_points, signed_tenths
from webui.replay.drills import BestChoices, ValuedChoice, graded_loss, weighed_choices
from webui.replay.weighed_deals import WeighedDeal, weigh_deal

# The chart of luck and skill: every part begins where the one before ended, the last row is the result.

CHART_WIDTH = 1000
"""The width of the drawing, in its own units."""


@dataclass(frozen=True, slots=True)
class ReviewLine:
    """A line of a review: its step, its sentence, a second sentence below it, its tone."""

    step: int
    say: str
    more: str
    tone: str


@dataclass(frozen=True, slots=True)
class LuckBar:
    """A part of the result: in words, its start `x` and width, its standard error from `low` to `high`.

    `side` is the seat it favours, None for neither.
    """

    words: str
    points: str
    error: str
    x: float
    width: float
    low: float
    high: float
    side: int | None


@dataclass(frozen=True, slots=True)
class LuckChart:
    """The luck chart of a deal: bars on one scale with `zero` marked, and the events that mattered most."""

    rollouts: int
    bars: list[LuckBar]
    zero: float
    draws: list[ReviewLine]
    choices: list[ReviewLine]


def build_luck_chart(
    luck: LuckBreakdown, events: Sequence[AnyEvent], annotation: Annotation
) -> LuckChart:
    """The luck chart of a deal with these events."""
    names, least = annotation.names, annotation.terms.least
    parts = parts_of_result(luck, names)
    ends = [0.0]
    for part in parts:
        ends.append(ends[-1] + part.points)
    error_ends = [
        end + side * part.error
        for end, part in zip(ends[1:], parts, strict=True)
        for side in (-1, 1)
    ]
    # The scale holds the ends of the error bars too, which may reach beyond all bars.
    low, high = min(*ends, *error_ends), max(*ends, *error_ends)

    def position(points: float) -> float:
        return round((points - low) / max(high - low, 1) * CHART_WIDTH, 1)

    def bar(words: str, points: str, error: float | None, start: float, end: float) -> LuckBar:
        left, right = sorted((position(start), position(end)))
        side = None if start == end else int(end < start)
        error_text = f"± {error:.1f}" if error is not None else ""
        low_end, high_end = position(end - (error or 0)), position(end + (error or 0))
        return LuckBar(words, points, error_text, left, right - left, low_end, high_end, side)

    bars = [
        bar(part.words, signed_tenths(part.points), part.error, start, end)
        for part, start, end in zip(parts, ends, ends[1:], strict=False)
    ]
    return LuckChart(
        rollouts=luck.rollouts,
        bars=[*bars, bar("the result", signed_points(luck.result), None, 0, luck.result)],
        zero=position(0),
        draws=list(map(_review_line, describe_greatest_draws(luck, events, names, least))),
        choices=list(map(_review_line, describe_greatest_choices(luck, events, names, least))),
    )


def _review_line(swing: SwingText) -> ReviewLine:
    return ReviewLine(swing.event + swing.after, f"{swing.words}: {swing.worth}", "", "plain")


# The annotation by steps.
#
# Step n of a deal follows event n, counted from 1; a decision is shown one step before its event.

BEST_LINE_PLIES = 10
"""The most moves of a best line that are shown."""


class ReviewSteps(msgspec.Struct):
    """A deal's review for the script: steps to stop at, the choices at each decision, and the outlook by step.

    `mistakes` and `misses` are the steps to stop at; `outlook` is the lead of `who` at the end of the deal if both play
    their best from that step on.
    """

    who: str
    mistakes: list[int]
    misses: list[int]
    best: dict[int, BestChoices]
    outlook: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class DealReview:
    """A deal's review as the page shows it; `loss_at`, `missed_at` and `graded_at` belong to steps of the event list.

    What loses `least_loss` points or more is a mistake. `weighed` and `graded_at` are of a deal whose every choice was
    weighed.
    """

    least_loss: int
    sums: list[SeatSum]
    result_lines: list[str]
    why_not: str
    tainted: bool
    luck: LuckChart | None
    last_stock_trick: list[ReviewLine]
    last_stock_gaps: list[str]
    mistakes: list[ReviewLine]
    missed: list[ReviewLine]
    loss_at: dict[int, float]
    missed_at: dict[int, int]
    graded_at: dict[int, str]
    weighed: WeighedDeal | None
    json: str


def with_least_loss(notes: Annotation, least: int | None) -> Annotation:
    """The annotation with this loss as the limit for a mistake; unchanged for None."""
    if least is None:
        return notes
    terms = msgspec.structs.replace(notes.terms, least=least)
    return msgspec.structs.replace(notes, terms=terms)


def review_deal(
    notes: Annotation,
    number: int,
    events: Sequence[AnyEvent],
    deep_review: DeepReview | None = None,
) -> DealReview | None:
    """The review of a deal with these events, and the weighed choices; None if the annotation has no such deal."""
    deal = next((deal for deal in notes.deals if deal.deal == number), None)
    if deal is None:
        return None
    deep = (
        next((each for each in deep_review.deals if each.deal == number), None)
        if deep_review
        else None
    )
    choices, least = deal.close.decisions if deal.close else [], notes.terms.least
    mistakes = [choice for choice in choices if is_worth_telling(choice, least)]
    last_stock = [each for each in deal.brink if each.lost >= least]
    missed = [each for each in deal.missed if each.what != "brisque"]
    lost_at: dict[int, int] = defaultdict(int)
    for each in missed:
        lost_at[each.last + 1] += each.became == "lost"
    return DealReview(
        least_loss=least,
        sums=seat_sums(notes, [deal]),
        result_lines=list(result_breakdown(deal, notes.names)),
        why_not=deal.why_not,
        tainted=deal.tainted,
        luck=build_luck_chart(deal.luck, events, notes) if deal.luck else None,
        last_stock_trick=[_last_stock_line(each, notes.names) for each in last_stock],
        last_stock_gaps=gap_sentences(deal.brink_gaps),
        mistakes=[_mistake(choice, notes.names) for choice in mistakes],
        missed=[_missed(each, notes.names) for each in missed],
        loss_at={
            **{brink.event + 1: brink.lost for brink in last_stock},
            **{choice.event + 1: choice.lost for choice in mistakes},
        },
        missed_at={step: count for step, count in lost_at.items() if count},
        graded_at=_graded_losses(deep, least) if deep else {},
        weighed=weigh_deal(deep, notes.names, least) if deep else None,
        json=_json(_steps(deal, notes, deep)),
    )


def _graded_losses(deep: DeeplyReviewedDeal, least: int) -> dict[int, str]:
    """What the weighed decisions cost that were surely worse than the best, by the step after each."""
    return {
        each.event + 1: graded_loss(each, least)
        for each in deep.decisions
        if grade_decision(each, least) in WORSE
    }


def _mistake(choice: CloseDecision, names: list[str]) -> ReviewLine:
    line = f"Best: {describe_line(choice.line, names, BEST_LINE_PLIES)}."
    tone = "bad" if choice.lawful else "fair"
    return ReviewLine(choice.event, describe_decision(choice, names), line, tone)


def _last_stock_line(decision: LastStockDecision, names: list[str]) -> ReviewLine:
    return ReviewLine(
        decision.event,
        describe_last_stock_decision(decision, names),
        f"On average: {_means(decision)}.",
        "fair",
    )


def _means(decision: LastStockDecision) -> str:
    return ", ".join(
        [f"{card_sign(move.card)} {signed_points(move.value)}" for move in decision.ways]
    )


def _missed(missed: MissedChance, names: list[str]) -> ReviewLine:
    tone = {"lost": "bad", "delayed": "fair", "given_up": "plain"}[missed.became]
    return ReviewLine(missed.last + 1, describe_missed_chance(missed, names), "", tone)


def _steps(deal: DealAnnotation, notes: Annotation, deep: DeeplyReviewedDeal | None) -> ReviewSteps:
    choices = deal.close.decisions if deal.close else []
    least = notes.terms.least
    last_stock = [each.event for each in deal.brink if each.lost >= least]
    best = {
        choice.event: BestChoices(
            seat=choice.seat,
            offers=[_offer(choice, way) for way in choice.ways],
            line=describe_line(choice.line, notes.names, BEST_LINE_PLIES),
            lost=choice.lost,
            says=_loss_says(choice.lost, certain=choice.certain),
        )
        for choice in choices
    }
    for each in deal.brink:
        says = _loss_says(each.lost, " on average")
        best[each.event] = BestChoices(
            seat=each.seat, offers=_offers(each), line="", lost=each.lost, says=says
        )
    mistakes = {*last_stock, *(c.event for c in choices if is_worth_telling(c, least))}
    for decision in deep.decisions if deep else []:
        line = best[decision.event].line if decision.event in best else ""
        best[decision.event] = weighed_choices(decision, notes.names, least, line)
        if grade_decision(decision, least) in MISTAKES:
            mistakes.add(decision.event)
    return ReviewSteps(
        who=notes.names[0],
        mistakes=sorted(mistakes),
        misses=sorted(
            {m.last + 1 for m in deal.missed if m.what != "brisque" and m.became == "lost"}
        ),
        best=best,
        outlook=_outlook(deal),
    )


def _loss_says(lost: float, mean: str = "", *, certain: bool = True) -> str:
    told = "lost" if certain else "perhaps lost"
    return f"This decision {told} {lost:g}{mean}." if lost > 0 else "This was the best choice."


def _offer(choice: CloseDecision, move: ValuedMove) -> ValuedChoice:
    return ValuedChoice(
        says=_short_words(move.ply),
        worth=signed_points(move.value),
        card=move.ply.card,
        best=move.value == choice.ways[0].value,
        did=move.ply == choice.did,
    )


def _short_words(ply: Move) -> str:
    if ply.shows is not None:
        return f"show {card_sign(ply.shows)} ({ply.points})"
    return card_sign(ply.card) if ply.card else describe_move(ply)


def _offers(decision: LastStockDecision) -> list[ValuedChoice]:
    """The choices at a decision before the close; their values are means, rounded to whole points."""
    return [
        ValuedChoice(
            says=card_sign(move.card),
            worth=signed_points(round(move.value)),
            card=move.card,
            best=move.value == decision.ways[0].value,
            did=move.card == decision.did,
        )
        for move in decision.ways
    ]


def _outlook(deal: DealAnnotation) -> list[tuple[int, int]]:
    """Where the deal was heading, before every decision and at its end."""
    close = deal.close
    if close is None:
        return []
    points = [(choice.event, choice.outlook) for choice in close.decisions]
    return [*points, (close.decisions[-1].event + 1, close.result - close.apart)]


def _json(steps: ReviewSteps) -> str:
    return msgspec.json.encode(steps).decode().replace("<", "\\u003c")
