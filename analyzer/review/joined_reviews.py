"""Reviews of one game made into one: exact and weighed ones, and the documents that held them apart before."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from analyzer.review.annotation import Annotation, DealAnnotation
from analyzer.review.deep_review import (
    REVIEW_VERSION,
    GameReview,
    ReviewedDeal,
    ReviewedDecision,
    ReviewTerms,
    find_turning_points,
    grade_decision,
    is_played,
)
from analyzer.review.exact_deals import close_sums, reviewed_close_decision, reviewed_last_trick
from analyzer.solver.close import show_all_sevens
from analyzer.solver.last_trick_cases import is_last_stock_trick
from records.engine.stepper import unchecked_stepper
from records.record import Record
from records.replay import Frame, replay


def join_reviews(new: GameReview, known: GameReview) -> GameReview:
    """A new review of a game, with what only the known one has: choices weighed, luck and skill."""
    if known.is_read and not new.is_read:
        new, known = known, new
    terms, stage, chances = new.terms, new.stage, new.chances
    if known.is_weighed and not new.is_weighed:
        stage, chances = known.stage, known.chances or new.chances
        terms = replace(
            terms, worlds=known.terms.worlds, seed=known.terms.seed, least=known.terms.least
        )
    if known.terms.rollouts and not new.terms.rollouts:
        terms = replace(terms, rollouts=known.terms.rollouts)
    known_deals = {deal.deal: deal for deal in known.deals}
    deals = [
        _join_deals(deal, known_deals[deal.deal], terms, keeps_weighed=stage != new.stage)
        if deal.deal in known_deals
        else deal
        for deal in new.deals
    ]
    return replace(new, deals=deals, terms=terms, stage=stage, chances=chances)


def _join_deals(
    new: ReviewedDeal, known: ReviewedDeal, terms: ReviewTerms, *, keeps_weighed: bool
) -> ReviewedDeal:
    joined = replace(new, luck=new.luck or known.luck)
    if not keeps_weighed:
        return joined
    before = {_place(decision): decision for decision in known.decisions}
    exact = [_with_chances(each, before.get(_place(each), each)) for each in new.decisions]
    decisions = _in_order([*known.decisions, *exact])
    turning_points = find_turning_points(decisions, terms.least)
    return replace(
        joined,
        decisions=decisions,
        turning_points=turning_points,
        to_weigh=0,
        why_not=known.why_not,
    )


def _place(decision: ReviewedDecision) -> tuple[int, bool]:
    """What tells a decision from others of its deal, in the order of play."""
    return decision.event, is_played(decision)


def _with_chances(new: ReviewedDecision, known: ReviewedDecision) -> ReviewedDecision:
    """An exact decision with the chances of winning that are known of its choices."""
    if new.best.chance is not None:
        return new
    found = {(each.kind, each.meld, *each.cards): each for each in known.choices}
    choices = []
    for each in new.choices:
        same = found.get((each.kind, each.meld, *each.cards), each)
        choices.append(
            replace(
                each,
                chance=same.chance,
                chance_error=same.chance_error,
                chance_behind=same.chance_behind,
                chance_behind_error=same.chance_behind_error,
            )
        )
    return replace(new, choices=choices, grade=known.grade, why=known.why)


def overlay_found(found: GameReview, known: GameReview | None) -> GameReview:
    """What a review in the making has found, over the review that was made before."""
    if known is None:
        return found
    known_deals = {deal.deal: deal for deal in known.deals}
    found_deals = {
        deal.deal: _overlay(deal, known_deals.get(deal.deal), found.terms) for deal in found.deals
    }
    deals = known_deals | found_deals
    terms = replace(found.terms, rollouts=known.terms.rollouts)
    return replace(found, deals=[deals[number] for number in sorted(deals)], terms=terms)


def _overlay(found: ReviewedDeal, known: ReviewedDeal | None, terms: ReviewTerms) -> ReviewedDeal:
    if known is None:
        return found
    decisions = _in_order([*known.decisions, *found.decisions])
    turning_points = find_turning_points(decisions, terms.least)
    return replace(found, decisions=decisions, turning_points=turning_points, luck=known.luck)


def _in_order(decisions: Sequence[ReviewedDecision]) -> list[ReviewedDecision]:
    """The decisions of a deal in the order of play; of several at one place the last."""
    by_place = {_place(each): each for each in decisions}
    return [by_place[place] for place in sorted(by_place)]


# Documents of versions before 3.0: an annotation held what is exact, a deep review held every choice.


def review_of_annotation(annotation: Annotation, record: Record) -> GameReview:
    """The review of what an annotation of this record held."""
    known = {
        (frame.deal, frame.index + 1): _known_of(frame)
        for frame in (() if annotation.why_not else replay(record))
    }
    return GameReview(
        digest=annotation.digest,
        sheet=annotation.sheet,
        options=annotation.options,
        terms=annotation.terms.review_terms,
        names=annotation.names,
        stage="exact",
        maximises=annotation.maximises,
        why_not=annotation.why_not,
        deals=[_deal_of_annotation(deal, known) for deal in annotation.deals],
    )


def _known_of(frame: Frame) -> tuple[int | None, str]:
    """What an annotation did not say: the lead of seat 0 in the last trick before the close, and the trump suit."""
    drawn = unchecked_stepper(frame.table).table_after_draws()
    is_last = is_last_stock_trick(drawn)
    lead = show_all_sevens(drawn.copy()).points_lead() if is_last else None
    return lead, frame.table.trump or ""


def _deal_of_annotation(
    deal: DealAnnotation, known: Mapping[tuple[int, int], tuple[int | None, str]]
) -> ReviewedDeal:
    decisions, broken = list[ReviewedDecision](), list[ReviewedDecision]()
    for brink in deal.brink:
        lead, _ = known[deal.deal, brink.event]
        if lead is not None:
            decisions.append(reviewed_last_trick(brink, lead))
    for each in deal.close.decisions if deal.close else ():
        into = decisions if each.lawful else broken
        into.append(reviewed_close_decision(each, deal.close.apart if deal.close else 0))
    for decision in (*decisions, *broken):
        _, decision.trump = known[deal.deal, decision.event]
    for decision in decisions:
        decision.grade = grade_decision(decision)
    return ReviewedDeal(
        deal.deal,
        decisions,
        turning_points=find_turning_points(decisions),
        close=close_sums(deal.close) if deal.close else None,
        why_no_close=deal.why_not,
        broken=broken,
        gaps=deal.brink_gaps,
        won=deal.won,
        missed=deal.missed,
        tainted=deal.tainted,
        luck=deal.luck,
    )


def review_of_deep_review(deep: GameReview) -> GameReview:
    """The review of what a deep review held; what is exact comes from an annotation, or is found again."""
    return replace(deep, format="bezique-review", version=REVIEW_VERSION)
