"""The review of a deal as the pages show it, sorted by step, with the chart of luck."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from analyzer.review.deep_review import (
    WORSE,
    GameReview,
    ReviewedDeal,
    find_turning_points,
    grade_decision,
)
from analyzer.review.exact_deals import close_decisions, lead_of_seat
from analyzer.review.last_stock_trick import gap_sentences
from analyzer.review.luck import (
    LuckBreakdown,
    SwingText,
    describe_greatest_choices,
    describe_greatest_draws,
    parts_of_result,
)
from analyzer.review.missed import MissedChance
from analyzer.review.review_sums import CostlyChoice, is_worth_telling, list_costly_choices
from analyzer.review.review_words import describe_missed_chance, result_breakdown
from records.events import AnyEvent, Play
from records.phrases import signed_points, signed_tenths
from webui.display.markup import json_in_page
from webui.replay.drills import BestChoices, graded_loss, weighed_choices
from webui.replay.mistakes import MistakeHeadline, describe_mistake
from webui.replay.steps import DealSteps
from webui.replay.weighed_deals import CostlyLine, LeadChart, build_lead_chart, costly_lines

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
    luck: LuckBreakdown, events: Sequence[AnyEvent], review: GameReview
) -> LuckChart:
    """The luck chart of a deal with these events."""
    names, least = review.names, review.terms.least
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


# The review by steps.
#
# Step n of a deal follows event n, counted from 1; a decision is shown one step before its event.


class ReviewSteps(msgspec.Struct):
    """A deal's review for the script: steps to stop at, the choices at each decision, and the outlook by step.

    `mistakes` and `misses` are the steps to stop at, and `headlines` tell the mistakes there; `outlook` is the
    lead of `who` at the end of the deal if both play their best from that step on.
    """

    who: str
    mistakes: list[int]
    misses: list[int]
    headlines: dict[int, MistakeHeadline]
    best: dict[int, BestChoices]
    outlook: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class ReviewSentence:
    """What the review tells of an event: in a sentence, and `more`; it leads to a `step`, and cost so many points."""

    step: int
    says: str
    more: str
    tone: str
    cost: float


@dataclass(frozen=True, slots=True)
class DealReview:
    """A deal's review as the page shows it; `graded_at`, `missed_at` and `sentences_at` belong to steps of the event list.

    What loses `least_loss` points or more is a mistake. `costly` are the choices that cost most, `missed` the other chances
    missed. `gaps` say what is not known. `is_whole` says that every choice was weighed. `headlines` tell the mistakes by the step
    before each, and `decided` has the choices by the step before each decision.
    """

    least_loss: int
    costly: list[CostlyLine]
    chart: LeadChart | None
    result_lines: list[str]
    gaps: list[str]
    tainted: bool
    luck: LuckChart | None
    missed: list[ReviewLine]
    missed_at: dict[int, int]
    graded_at: dict[int, str]
    sentences_at: dict[int, list[ReviewSentence]]
    headlines: dict[int, MistakeHeadline]
    decided: Mapping[int, BestChoices]
    is_whole: bool
    json: str


def review_deal(review: GameReview, number: int, events: Sequence[AnyEvent]) -> DealReview | None:
    """The review of a deal with these events; None if the review has no such deal."""
    deal = next((deal for deal in review.deals if deal.deal == number), None)
    if deal is None:
        return None
    least, names = review.terms.least, review.names
    alone = msgspec.structs.replace(review, deals=[deal])
    costly = list_costly_choices(alone, least)
    listed = [each.missed for each in costly if each.missed is not None]
    missed = [each for each in deal.missed if each.what != "brisque"]
    further = [_missed(each, names) for each in missed if each not in listed]
    lines = costly_lines(costly, names, least)
    steps = _steps(deal, review, events)
    lost_at: dict[int, int] = defaultdict(int)
    for each in missed:
        lost_at[each.last + 1] += each.became == "lost"
    return DealReview(
        least_loss=least,
        costly=lines,
        chart=_lead_chart(deal, least),
        result_lines=list(result_breakdown(deal, names)),
        gaps=gaps_of_deal(deal),
        tainted=deal.tainted,
        luck=build_luck_chart(deal.luck, events, review) if deal.luck else None,
        missed=further,
        missed_at={step: count for step, count in lost_at.items() if count},
        graded_at=_graded_losses(deal, least),
        sentences_at=_sentences_by_step(costly, lines, further),
        headlines=steps.headlines,
        decided=steps.best,
        is_whole=review.is_weighed,
        json=json_in_page(steps),
    )


def _lead_chart(deal: ReviewedDeal, least: int) -> LeadChart | None:
    """The lead through a deal, once decisions before the close have been weighed."""
    decisions = [each for each in deal.decisions if len(each.choices) > 1]
    if all(each.certain for each in decisions):
        return None
    return build_lead_chart(decisions, find_turning_points(decisions, least))


def gaps_of_deal(deal: ReviewedDeal) -> list[str]:
    """Why values are missing, in sentences."""
    why = [deal.why_not, *gap_sentences(deal.gaps), "" if deal.close else deal.why_no_close]
    return list(dict.fromkeys(filter(None, why)))


def _graded_losses(deal: ReviewedDeal, least: int) -> dict[int, str]:
    """What the decisions cost that were surely worse than the best, by the step after each."""
    return {
        each.event + 1: graded_loss(each, least)
        for each in (*deal.decisions, *deal.broken)
        if each.lost and (not each.lawful or grade_decision(each, least) in WORSE)
    }


def headline_at(
    deal: DealSteps, step: int, review: DealReview | None, *, best: bool
) -> MistakeHeadline | None:
    """The mistake that a step tells: the one just made, or, where the `best` is shown, the one that is made next.

    Must agree with `choiceAt` in static/js/replay/best_line.js: a trick taken is a step of its own, and is passed over.
    """
    if review is None:
        return None
    if not best:
        return review.headlines.get(step - 1)
    last = len(deal.steps) - 1
    while step not in review.decided and step < last and not deal.steps[step + 1].named:
        step += 1
    return review.headlines.get(step)


def _sentences_by_step(
    costly: Sequence[CostlyChoice], lines: Sequence[CostlyLine], missed: Sequence[ReviewLine]
) -> dict[int, list[ReviewSentence]]:
    """The sentences of the review by the step of the event that each is about."""
    told: dict[int, list[ReviewSentence]] = defaultdict(list)
    for choice, line in zip(costly, lines, strict=True):
        more = f"{line.why} Best: {line.line}." if line.line else line.why
        after = line.step + (choice.decision is not None)
        told[after].append(
            ReviewSentence(line.step, line.says, more.strip(), line.tone, choice.cost)
        )
    for each in missed:
        told[each.step].append(ReviewSentence(each.step, each.say, each.more, each.tone, 0))
    return dict(told)


def _missed(missed: MissedChance, names: list[str]) -> ReviewLine:
    tone = {"lost": "bad", "delayed": "fair", "given_up": "plain"}[missed.became]
    return ReviewLine(missed.last + 1, describe_missed_chance(missed, names), "", tone)


def _steps(deal: ReviewedDeal, review: GameReview, events: Sequence[AnyEvent]) -> ReviewSteps:
    least = review.terms.least
    decisions = [*deal.decisions, *deal.broken]
    mistakes = {each.event: each for each in decisions if is_worth_telling(each, least)}
    return ReviewSteps(
        who=review.names[0],
        mistakes=sorted(mistakes),
        headlines={
            event: describe_mistake(each, review.names, least, leads=_leads(events, event))
            for event, each in mistakes.items()
        },
        misses=sorted(
            {m.last + 1 for m in deal.missed if m.what != "brisque" and m.became == "lost"}
        ),
        best={each.event: weighed_choices(each, review.names, least) for each in decisions},
        outlook=list(_outlook(deal)),
    )


def _leads(events: Sequence[AnyEvent], event: int) -> bool:
    """Whether the trick before an event is complete: two play to each."""
    return sum(isinstance(each, Play) for each in events[:event]) % 2 == 0


def _outlook(deal: ReviewedDeal) -> Iterator[tuple[int, int]]:
    """Where the deal was heading, before every decision after the close and at its end."""
    if deal.close is None:
        return
    last = deal.close.event
    for each in close_decisions(deal):
        last = each.event
        yield last, round(lead_of_seat(1, each.seat) * each.choices[0].value)
    yield last + 1, deal.close.result
