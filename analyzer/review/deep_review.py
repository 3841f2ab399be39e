"""The review of a game: its decisions on one scale, what was missed, grades, turning points, sums by seat, habits.

A document beside the record and never in it. Its members are part of stored and published JSON, so their names stay. The
same record, terms and version give the same review; chances of winning also depend on the matches that the database had
then. `analyzer.review.reviewer` makes it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from analyzer.review import Width
from analyzer.review.close_review import MatchScores
from analyzer.review.last_stock_trick import LastStockGap
from analyzer.review.luck import LuckBreakdown
from analyzer.review.missed import MissedChance, PossibleScore, WonTrick
from analyzer.solver.moves import Move
from records.documents.schemas import make_schema
from records.record import Record
from records.rules.compiled import compile_sheet
from records.rules.registry import resolve_rules
from records.rules.vocabulary import RuleSheet

REVIEW_VERSION = "3.2"
"""Raised when the review of the same record would differ; the first number where a member changes its meaning."""

METHOD = (
    "Possible deals with paired draws before the close, each played on twice: by base players and by simple players; a "
    "search after it."
)
"""How the values of a review were found."""

DEFAULT_WORLDS = 512
"""Each choice is tried in at most so many worlds; a width four times as large halves the standard errors."""

DEFAULT_LEAST = 20
"""The limit in points, where the reader sets no other: a choice so far behind the best is a mistake."""

Phase: TypeAlias = Literal["stock", "last_trick", "close"]
"""Before the close, in the last trick before it, or after it."""
ChoiceKind: TypeAlias = Literal["play", "meld", "exchange", "show", "hold_back"]
"""To play a card, to make a meld, to exchange or show a seven, or to do none of the last three after a trick."""
Grade: TypeAlias = Literal[
    "only", "best", "good", "inaccuracy", "mistake", "blunder", "too_close", "style"
]
"""`only`: nothing else was allowed. `too_close`: it may be worse than the best, and the worlds do not tell. `style`: it is
worse if one kind of player goes on, and not if the other does."""


class ReviewTerms(msgspec.Struct, frozen=True):
    """The terms of a review, chosen by whoever asks for it.

    `worlds` is in how many worlds each choice is tried at most before the close, 0 if only what is exact is told, and
    `seed` what they are drawn from. `positions` limits the search of a close. `least` is how many points behind the best a
    mistake is: the grades and the turning points depend on it, and where the grade is settled early, or could hardly be,
    fewer worlds are tried. `last_trick` says whether the last trick before the close is valued. `rollouts` is the number of
    roll-outs of every position for luck and skill; 0 leaves them out.
    """

    worlds: int = DEFAULT_WORLDS
    seed: int = 0
    positions: int = 8_000
    least: int = DEFAULT_LEAST
    last_trick: bool = True
    rollouts: int = 0


class ReviewedChoice(msgspec.Struct):
    """One choice: what is done, with which cards, and what comes of it.

    `value` is the lead of its seat at the end of the deal in points, before settlement: exact where `error` is 0, and
    otherwise the mean over `worlds` with its standard error, if base players go on. `behind` is by how much the best choice
    is better: where values are means, the smaller of `behind_base` and `behind_simple`, which are measured in the same worlds
    if base players go on and if simple players do, each with its standard error. `behind_error` is the error of the smaller
    one, with half the difference between the two. `chance` is the mean chance of winning the match, from 0 to 1, None where
    nothing tells it, and `chance_behind` by how much that of the best choice is higher: below 0 where fewer points win more
    matches. Both have standard errors, which hold what the model of winning does not know of itself.

    `points` are those that an exact choice scores at once. In the last trick before the close, `may_meld` is the highest
    meld that taking the trick with the card could bring, and `may_allow` the highest that the other seat could make then.
    After the close the best choice has the highest meld that its seat scores with best play only after it, and what was done
    the highest that the other seat scores only after that.
    """

    kind: ChoiceKind
    cards: list[str]
    value: float
    error: float = 0.0
    behind: float = 0.0
    behind_error: float = 0.0
    worlds: int = 0
    meld: str = ""
    chance: float | None = None
    chance_error: float = 0.0
    chance_behind: float = 0.0
    chance_behind_error: float = 0.0
    behind_base: float = 0.0
    behind_base_error: float = 0.0
    behind_simple: float = 0.0
    behind_simple_error: float = 0.0
    points: int = 0
    may_meld: PossibleScore | None = None
    may_allow: PossibleScore | None = None


class ReviewedDecision(msgspec.Struct):
    """A decision: `choices` has the best first, `chosen` is the place of what was done there.

    `event` is its event in the deal, counted from 0; who held back did so at the event that ended the turn to meld.
    `certain` says that the values are exact. `lost` is how far the choice is behind the best, in points, and `error` the
    error of that. `why` says in sentences what the worlds show of the best choice, empty where nothing speaks for one. `trump` is the
    letter of the trump suit, empty where there is none yet.

    Of an exact decision, `ahead` is the lead of seat 0 in the deal before it, `line` the best line of play after the close,
    and `match` has both scores of the match where its seat would have won it with the best choice, and did not. It is
    `doubtful` if its values may depend on which of like cards have scored, which the record does not tell. If it is not
    `lawful`, what was done is the last of its choices, and may have gained: `lost` is then negative.
    """

    event: int
    seat: int
    phase: Phase
    choices: list[ReviewedChoice]
    chosen: int
    grade: Grade
    certain: bool = False
    lost: float = 0.0
    error: float = 0.0
    why: str = ""
    trump: str = ""
    ahead: int = 0
    line: list[Move] = []
    match: MatchScores | None = None
    doubtful: bool = False
    lawful: bool = True

    @property
    def best(self) -> ReviewedChoice:
        """The best choice."""
        return self.choices[0]

    @property
    def made(self) -> ReviewedChoice:
        """What was done."""
        return self.choices[self.chosen]


def is_played(decision: ReviewedDecision) -> bool:
    """Whether what was done is that a card was played, not melded, exchanged, shown, or nothing of these."""
    return decision.made.kind == "play"


class CloseSums(msgspec.Struct):
    """How a deal went from the close to its result: `result` = `ahead` + `value` - `lost[0]` + `lost[1]` + `apart`.

    All are points of seat 0 less those of seat 1. The review of the close begins at `event`, with the lead `ahead` and best
    play worth `value`. `lost` is what each seat lost, and `apart` what dixes and rulings brought. `unsolved` decisions before
    that could not be solved: they would have exceeded the search limit, the cards had too many readings to list, or a meld
    only shown could still have made trumps.
    """

    event: int
    ahead: int
    value: int
    lost: list[int]
    apart: int
    result: int
    unsolved: int = 0


class ReviewedDeal(msgspec.Struct, omit_defaults=True):
    """The decisions of a deal in their order, and what was missed; `why_not` says why decisions before the close are missing.

    `turning_points` are the places in `decisions` of at most three by which the chance of winning changed most. `to_weigh`
    decisions before the close have not been weighed. `close` has the sums of the close, and `why_no_close` says why there are
    none; `broken` are decisions after the close against the rules. `gaps` say why cards
    of the last trick before the close have no value. `won` are the tricks after which a meld was possible. `tainted` deals
    break a rule; what is exact goes on from the position that resulted.
    """

    deal: int
    decisions: list[ReviewedDecision]
    turning_points: list[int] = []
    why_not: str = ""
    to_weigh: int = 0
    close: CloseSums | None = None
    why_no_close: str = ""
    broken: list[ReviewedDecision] = []
    gaps: list[LastStockGap] = []
    won: list[WonTrick] = []
    missed: list[MissedChance] = []
    tainted: bool = False
    luck: LuckBreakdown | None = None


class ChanceSource(msgspec.Struct, frozen=True):
    """What chances of winning rest on: so many stored and so many simulated matches; 0 and 0 where the rules alone tell."""

    matches: int
    simulated: int


Stage: TypeAlias = Literal["reading", "exact", "weighing", "weighed"]
"""How far a review has got: some deals are read, all are, some decisions before the close are weighed, all are."""


class GameReview(msgspec.Struct, kw_only=True):
    """The review of one record; `why_not` says why its deals are not reviewed.

    `stage` says how far it has got. `chances` says what the chances of winning the match rest on, None where there are none.
    `maximises` says in words what the players are assumed to play for. `file` and `line` say where the record was read: only
    the command knows, and they are stored nowhere.
    """

    format: Literal["bezique-review", "bezique-deep-review"] = "bezique-review"
    version: str = REVIEW_VERSION
    method: str = METHOD
    digest: str
    sheet: str
    options: dict[str, bool | int | str]
    terms: ReviewTerms
    names: list[str]
    stage: Stage = "weighed"
    file: str | msgspec.UnsetType = msgspec.UNSET
    line: int | msgspec.UnsetType = msgspec.UNSET
    maximises: str = ""
    why_not: str = ""
    chances: ChanceSource | None = None
    deals: list[ReviewedDeal]

    @property
    def is_weighed(self) -> bool:
        """Whether every decision has been weighed that can be."""
        return self.stage == "weighed"

    @property
    def is_read(self) -> bool:
        """Whether every deal has been read for what is exact: only then is it known why there are no values."""
        return self.stage != "reading" and all(
            deal.close or deal.why_no_close for deal in self.deals
        )


DEEP_REVIEW_VERSION = "2.2"
"""The version of a review in the form of a deep review, which was a document of its own before version 3.0."""


def deep_review_of(review: GameReview) -> GameReview:
    """A review in the form of a deep review: it has all members of one, and more."""
    return msgspec.structs.replace(
        review, format="bezique-deep-review", version=DEEP_REVIEW_VERSION
    )


def review_schema() -> dict[str, Any]:
    """The JSON Schema of a review of this version, made from its types."""
    return make_schema(GameReview, "review", f"Review of a Bezique game, version {REVIEW_VERSION}")


def deep_review_schema() -> dict[str, Any]:
    """The JSON Schema of a review in the form of a deep review."""
    title = f"Deep review of a Bezique game, version {DEEP_REVIEW_VERSION}"
    return make_schema(GameReview, "deep-review", title)


# Grades: how much a choice must be behind the best to be called a mistake, and how sure that must be.
#
# They are computed from what a review holds: whoever sets another limit needs no world played again.

BLUNDER_FACTOR, INACCURACY_FACTOR = 3.0, 0.5
"""A blunder is behind by so many times the limit, an inaccuracy by this part of it."""
ERRORS_TO_TELL = 2.0
"""A choice is called worse only if it is behind by so many standard errors."""
NEARLY = 3.0
"""A choice less than so many points behind the best is named beside it."""
MOST_TURNING_POINTS = 3
"""Turning points in a deal, and in a match."""
LEAST_CHANCE = 0.01
"""What changes the chance of winning by less turns nothing."""
MISTAKES: frozenset[Grade] = frozenset({"mistake", "blunder"})


def grade_choice(choice: ReviewedChoice, least: float) -> Grade:
    """The grade of a choice that was not the only one, with a limit of `least` points.

    It is worse than the best only if it is so whoever goes on, base players or simple players.
    """
    if is_matter_of_style(choice, least):
        return "style"
    return grade_loss(choice.behind, least, sure=is_surely_behind(choice))


def grade_loss(behind: float, least: float, *, sure: bool) -> Grade:
    """The grade of what is so many points behind the best; `sure` says that it is surely behind at all."""
    if behind <= 0:
        return "best"
    if behind < INACCURACY_FACTOR * least:
        return "good"
    if not sure:
        return "too_close"
    if behind >= BLUNDER_FACTOR * least:
        return "blunder"
    return "mistake" if behind >= least else "inaccuracy"


def is_surely_behind(choice: ReviewedChoice) -> bool:
    """Whether a choice is behind the best by two standard errors, whoever goes on; exact values are sure."""
    return (
        choice.behind_base >= ERRORS_TO_TELL * choice.behind_base_error
        and choice.behind_simple >= ERRORS_TO_TELL * choice.behind_simple_error
    )


def is_costly_with_base(choice: ReviewedChoice, least: float) -> bool:
    """Whether a choice surely costs as much as a mistake if base players go on, whatever it costs if simple players do."""
    return 0 < choice.behind_base >= max(least, ERRORS_TO_TELL * choice.behind_base_error)


def near_best(decision: ReviewedDecision) -> list[ReviewedChoice]:
    """The choices that are as good as the best, or nearly, the best first: less than `NEARLY` points behind whoever goes on."""
    best, *others = decision.choices
    return [
        best,
        *(
            choice
            for choice in others
            if choice is not decision.made
            and max(choice.behind, choice.behind_base, choice.behind_simple) < NEARLY
        ),
    ]


def is_matter_of_style(choice: ReviewedChoice, least: float) -> bool:
    """Whether a choice is clearly behind the best if one kind of player goes on, and not if the other does.

    What is best if base players go on is the best.
    """
    edge = INACCURACY_FACTOR * least
    if choice.behind >= edge or choice.behind_base <= 0:
        return False
    opinions = (
        (choice.behind_base, choice.behind_base_error),
        (choice.behind_simple, choice.behind_simple_error),
    )
    return any(behind >= max(edge, ERRORS_TO_TELL * error) for behind, error in opinions)


def grade_decision(decision: ReviewedDecision, least: float = DEFAULT_LEAST) -> Grade:
    """The grade of what was done."""
    if len(decision.choices) < 2:
        return "only"
    return grade_choice(decision.made, least)


def find_turning_points(
    decisions: Sequence[ReviewedDecision], least: float = DEFAULT_LEAST
) -> list[int]:
    """The places of at most three of these decisions by which the chance of winning the match changed most.

    Each surely lowered it, by a percentage point or more, and before the close surely cost points, too: only what seems to
    cost points is tried in worlds enough. The decision that changed it most comes first, and of equal ones that which cost
    more points. Where no chance is known of any of them, the points lost stand in: then these are what lost
    the match, and the costliest mistakes. Where these are fewer than three, other choices that cost as much if base
    players go on come after them: matters of style, and what costs less if simple players do.
    """
    has_chances = any(decision.best.chance is not None for decision in decisions)
    grades = [grade_decision(decision, least) for decision in decisions]

    def turns(place: int) -> bool:
        decision, grade = decisions[place], grades[place]
        if decision.match is not None:
            return True
        if has_chances:
            is_worse = decision.certain or grade in WORSE or grade == "style"
            return is_worse and chance_lost(decision) >= LEAST_CHANCE
        return grade in MISTAKES or is_costly_with_base(decision.made, least)

    def change(place: int) -> tuple[bool, float, bool, float]:
        decision, grade = decisions[place], grades[place]
        is_sure = grade != "style" if has_chances or decision.match else grade in MISTAKES
        points = decision.lost if is_sure else decision.made.behind_base
        return not is_sure, -chance_lost(decision), decision.match is None, -points

    found = [place for place in range(len(decisions)) if turns(place)]
    return sorted(found, key=change)[:MOST_TURNING_POINTS]


def chance_lost(decision: ReviewedDecision) -> float:
    """By how much what was done surely lowered the chance of winning the match, from 0 to 1; 0 where that is not sure."""
    made = decision.made
    is_sure = made.chance_behind >= ERRORS_TO_TELL * made.chance_behind_error
    return max(0.0, made.chance_behind) if is_sure else 0.0


def count_grades(decisions: Iterable[ReviewedDecision], least: float) -> dict[Grade, int]:
    """How many decisions have each grade; those that occur."""
    found: dict[Grade, int] = {}
    for decision in decisions:
        grade = grade_decision(decision, least)
        found[grade] = found.get(grade, 0) + 1
    return found


# Habits that cost points: what each of them is, by one definition for the pages, the terminal and the statistics.

Habit: TypeAlias = Literal["meld_rushed", "meld_held", "seven_kept", "trump_wasted"]

HABITS: Mapping[Habit, tuple[str, str]] = {
    "meld_rushed": ("meld rushed", "melds rushed"),
    "meld_held": ("meld held too long", "melds held too long"),
    "seven_kept": ("seven kept", "sevens kept"),
    "trump_wasted": ("trump wasted", "trumps wasted"),
}
"""Every habit in words, for one and for several."""
DEFINITIONS: Mapping[Habit, str] = {
    "meld_rushed": "A meld was made where melding nothing was better.",
    "meld_held": "A meld was not made where one was the best choice.",
    "seven_kept": "A seven was neither exchanged nor shown where that was the best choice.",
    "trump_wasted": "A trump was played where a card of another suit was better.",
}
"""What counts as each. Better means: by at least half the limit of a mistake, and by two standard errors."""
WORSE: frozenset[Grade] = frozenset({"inaccuracy", "mistake", "blunder"})


def habit_of(decision: ReviewedDecision, least: float = DEFAULT_LEAST) -> Habit | None:
    """The habit that a decision shows, if any, with a limit of `least` points."""
    if grade_decision(decision, least) not in WORSE:
        return None
    best, made = decision.best, decision.made
    passes = ("hold_back", "play")
    match made.kind, best.kind:
        case "meld", "hold_back" | "play":
            return "meld_rushed"
        case _, "meld" if made.kind in passes:
            return "meld_held"
        case _, "exchange" | "show" if made.kind in passes:
            return "seven_kept"
        case "play", "play" if decision.trump and made.cards[0][1] == decision.trump:
            return None if best.cards[0][1] == decision.trump else "trump_wasted"
    return None


# Summaries: for each seat its grades, its accuracy, the points it lost, its habits.

ACCURACY_WORDS = (
    "Accuracy is the share of what a decision put at stake that the choice kept: all of it with the best choice, nothing "
    "with the worst. It is the mean over the decisions that mattered: those whose choices were at least {least} points apart."
)


class PhaseSummary(msgspec.Struct):
    """What a seat decided in one phase.

    `mattered` of its `decisions` had choices at least as far apart as a mistake is behind; `accuracy` is the mean share
    kept in these, from 0 to 1, None without any. `lost` is what all decisions lost, in points.
    """

    decisions: int = 0
    mattered: int = 0
    accuracy: float | None = None
    lost: float = 0.0


class SeatSummary(msgspec.Struct):
    """What a seat decided, in one deal or several: its grades and habits with their numbers, and every phase it met."""

    seat: int
    decisions: int
    mattered: int
    accuracy: float | None
    lost: float
    grades: dict[Grade, int]
    habits: dict[Habit, int]
    phases: dict[Phase, PhaseSummary]


def summarize_seats(review: GameReview, least: float) -> list[SeatSummary]:
    """The summary of every seat, with a limit of `least` points for a mistake."""
    decisions = [
        decision
        for deal in review.deals
        for decision in deal.decisions
        if len(decision.choices) > 1
    ]
    return [
        _seat_summary(seat, [each for each in decisions if each.seat == seat], least)
        for seat in range(len(review.names))
    ]


def _seat_summary(seat: int, decisions: list[ReviewedDecision], least: float) -> SeatSummary:
    habits: dict[Habit, int] = {}
    by_phase: dict[Phase, list[ReviewedDecision]] = {}
    for decision in decisions:
        habit = habit_of(decision, least)
        if habit is not None:
            habits[habit] = habits.get(habit, 0) + 1
        by_phase.setdefault(decision.phase, []).append(decision)
    whole = _phase_summary(decisions, least)
    phases = {phase: _phase_summary(some, least) for phase, some in by_phase.items()}
    return SeatSummary(
        seat,
        whole.decisions,
        whole.mattered,
        whole.accuracy,
        whole.lost,
        count_grades(decisions, least),
        habits,
        phases,
    )


def _phase_summary(decisions: list[ReviewedDecision], least: float) -> PhaseSummary:
    kept = [
        1 - decision.lost / stake
        for decision in decisions
        if (stake := at_stake(decision)) >= max(least, 1)
    ]
    return PhaseSummary(
        len(decisions),
        len(kept),
        round(sum(kept) / len(kept), 4) if kept else None,
        round(sum(decision.lost for decision in decisions), 2),
    )


def at_stake(decision: ReviewedDecision) -> float:
    """By how many points the worst choice of a decision is behind the best."""
    return max(choice.behind for choice in decision.choices)


# How many worlds a review tries: few for a quick look, more for a longer one, fewer in longer deals.

QUICK_WORLDS, DEEP_WORLDS = 64, 4 * DEFAULT_WORLDS
"""In two packs of 32 cards, as DEFAULT_WORLDS is."""
CARDS_OF_TWO_PACKS = 64
LEAST_WORLDS = 32


def worlds_of_width(width: Width, sheet: RuleSheet) -> int:
    """In how many worlds a choice is tried at most at this width.

    With more packs a deal has more decisions, and each world takes longer: the number falls with the square of the cards.
    """
    worlds = {"quick": QUICK_WORLDS, "default": DEFAULT_WORLDS, "deep": DEEP_WORLDS}[width]
    cards = max(compile_sheet(sheet).pack_size, CARDS_OF_TWO_PACKS)
    return max(LEAST_WORLDS, worlds * CARDS_OF_TWO_PACKS**2 // cards**2)


def default_terms(record: Record) -> ReviewTerms:
    """The terms on which a record is reviewed if nobody says otherwise; raises RulesError if its rules are unknown."""
    return ReviewTerms(worlds_of_width("default", resolve_rules(record.rules).sheet))
