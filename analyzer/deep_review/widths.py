"""How many worlds a review tries: few for a quick look, more for a longer one, fewer in longer deals."""

from analyzer.deep_review import Width
from analyzer.deep_review.deep_review import DEFAULT_WORLDS, DeepReviewTerms
from records.record import Record
from records.rules.compiled import compile_sheet
from records.rules.registry import resolve_rules
from records.rules.vocabulary import RuleSheet

QUICK_WORLDS, DEEP_WORLDS = 64, 4 * DEFAULT_WORLDS
"""In two packs of 32 cards, as DEFAULT_WORLDS is."""
CARDS_OF_TWO_PACKS = 64
LEAST_WORLDS = 32


def worlds_of_width(width: Width, sheet: RuleSheet) -> int:
    """In how many worlds a choice is tried at most at this width.

    With more packs a deal has more decisions, and each world takes longer: every two packs more halve the number.
    """
    worlds = {"quick": QUICK_WORLDS, "default": DEFAULT_WORLDS, "deep": DEEP_WORLDS}[width]
    cards = compile_sheet(sheet).pack_size
    return max(LEAST_WORLDS, worlds >> (cards - 1) // CARDS_OF_TWO_PACKS)


def default_terms(record: Record) -> DeepReviewTerms:
    """The terms on which a record is reviewed if nobody says otherwise; raises RulesError if its rules are unknown."""
    return DeepReviewTerms(worlds_of_width("default", resolve_rules(record.rules).sheet))
