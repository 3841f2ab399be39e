"""The rules of reuse clause by clause, in words for the published sheets.

The clauses are those of `records.engine.copies.prohibitions`, which a finding names; a test compares the two.
"""

from collections.abc import Iterator

from records.documents.sheet_data.scoring_members import ReuseClause
from records.rules.vocabulary import MeldsFrom, ReuseRule, RuleSheet

_SAME_SET = "Exactly these cards have scored together in a meld of its kind."
_KIND = "One of its cards has scored in a meld of its kind."
_DOWN = "One of its cards has scored in a meld of its class with a higher level."
_NOTHING_NEW = "Every one of its cards has scored in a meld of its class with a lower level."
_NOT_LEFT = (
    "An earlier meld of its kind has some of its cards, and no other card of that earlier meld has left"
    " it: been played to a trick, or scored in a later meld. This is not asked of a marriage whose king"
    " and queen have both been married before."
)
_NOT_PLAYED = (
    "An earlier meld of its kind has some of its cards, and no card of that earlier meld has been played"
    " to a trick. This is not asked of a marriage whose king and queen have both been married before."
)
_CLASS = (
    "One of its cards has scored in a meld of its class with the same level or a higher one, and that"
    " earlier meld is of another kind or has not lost a card. An earlier meld counts no longer once its"
    " cards have scored in a later meld of the class, which has taken its place."
)
_NOT_WHOLE = (
    "One of its cards has scored in a meld of its class with a lower level, which it does not contain"
    " whole."
)
_NOT_RESTORED = (
    "One of its cards has scored in a meld of its kind that has lost a card to a trick, and it does not"
    " restore that meld: it lacks another card of it, or has beside those a card that has scored in the"
    " class."
)
_ALL_SCORED = (
    "It contains the lower melds of its class that have its cards, and every one of its cards is from"
    " them."
)
_NO_CARD_WON = "It has neither of the two cards of the trick just won."
_SERVED = "It has a card of the trick just won that has scored in another meld since that trick."
_ONCE_EVER = "One of its cards has scored in a meld."


def reuse_clauses(sheet: RuleSheet) -> Iterator[ReuseClause]:
    """The clauses of a sheet's rule of reuse, those of captured cards first."""
    if sheet.melds_from is MeldsFrom.CAPTURED:
        yield ReuseClause("no-card-won", {}, None, _NO_CARD_WON)
        yield ReuseClause("served", {}, None, _SERVED)
        yield ReuseClause("once-ever", {"once_ever": True}, None, _ONCE_EVER)
    match sheet.reuse.rule:
        case ReuseRule.ONCE_PER_SET:
            yield ReuseClause("same-set", {}, None, _SAME_SET)
        case ReuseRule.ONCE_PER_KIND | ReuseRule.UPWARD_IN_CLASS:
            yield ReuseClause("kind", {}, None, _KIND)
            yield from _climbing(sheet)
        case ReuseRule.REFORMED_AFTER_LEAVING:
            yield ReuseClause("same-set", {}, None, _SAME_SET)
            yield from _climbing(sheet)
            by_meld = {"card_leaves_by": "played_or_melded"}
            yield ReuseClause("not-left", {**by_meld}, None, _NOT_LEFT)
            yield ReuseClause("not-played", {"card_leaves_by": "played"}, None, _NOT_PLAYED)
        case ReuseRule.AUGMENT_OR_RESTORE:
            yield ReuseClause("class", {}, None, _CLASS)
            yield ReuseClause("not-whole", {}, None, _NOT_WHOLE)
            yield ReuseClause("not-restored", {}, None, _NOT_RESTORED)
            yield ReuseClause("nothing-new", {"singles_then_double": False}, None, _ALL_SCORED)
        case ReuseRule.LEAVES_THE_HAND:
            pass


def _climbing(sheet: RuleSheet) -> Iterator[ReuseClause]:
    """What forbids to go down a class, and up with nothing new (A-15, A-17, A-18)."""
    levels = {(meld.family, meld.level) for meld in sheet.melds}
    if ("sequence", 2) in levels:
        yield ReuseClause("down", {"sequence_then_marriage": False}, "sequence", _DOWN)
    if ("bezique", 2) in levels:
        yield ReuseClause("down", {"double_then_single": False}, "bezique", _DOWN)
        yield ReuseClause("nothing-new", {"singles_then_double": False}, "bezique", _NOTHING_NEW)
