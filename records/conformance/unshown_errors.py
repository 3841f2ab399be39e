"""Errors in what a program takes a rulebook to say that no record can show, and why.

A search finds no difference either: `make soak ARGS="--unshown"` of this project's tests.
"""

import re
from collections.abc import Callable

from records.rules.vocabulary import (
    BrisqueCount,
    FirstMeld,
    MeldsFrom,
    OneDeal,
    RuleSheet,
    SheetRules,
)

RulesTest = Callable[[SheetRules], bool]
NEVER_SHOWN: list[tuple[str, RulesTest, str]] = [
    (r"reuse\.once_ever=", lambda rules: rules.tableau is not None, "The cards of a meld leave the hand."),
    (r"pending=", lambda rules: rules.tableau is not None, "Without tricks no meld waits for one."),
    (r"melds\.five-marriages\.cards\.cards\..*suit=any", lambda rules: rules.tableau is not None, "There are five kings and five queens."),
    (r"pack\.ranks=", lambda rules: rules.tableau is not None, "No card beats another."),
    (r"dix\.exchange_is_the_meld=", lambda rules: rules.phases[0].melds is None, "Any number of melds may score."),
    (r"melds\.marjolet-with-another-queen\.cards\.cards\.1\.suit=any", lambda rules: True,
     "The line before it takes the queen of trumps."),
    (r"bezique_cards\.none=", lambda rules: not isinstance(rules.trumps, FirstMeld),
     "There are trumps from the first card on."),
    (r"match\.end=", lambda rules: rules.tableau is None,
     "This program plays every deal with tricks to its end; `target-in-the-deal` asks for that."),
    (r"phases\..*\.melds=3", lambda rules: rules.melds_from is MeldsFrom.CAPTURED,
     "Each meld has a card of the trick just won that no other meld of that trick has, and there are two."),
    (r"(reuse\.)?(singles_then_double|double_then_single)=", lambda rules: rules.melds_from is MeldsFrom.CAPTURED,
     "A double has all four cards of its beziques, so that none of them is left to be won in a later trick."),
    (r"(cut|dix|carte_blanche)=", lambda rules: rules.tableau is not None, "Without tricks there is no such event."),
    (r"phases\..*\.follow=", lambda rules: rules.tableau is not None, "Without tricks nobody follows."),
    (r"(phases\..*\.melds=|combinations_after_stock=true-without-phases\.1\.melds)", lambda rules: rules.tableau is not None,
     "The steps of a turn say when it has a combination."),
    (r"melds\..*\.cards\.size=7", lambda rules: rules.tableau is not None,
     "A shape is as large as a full hand at most, which has six cards."),
    (r"melds\.assembly-of-(aces-or-fives|another-rank)\..*ranks=\[(A,5|T,9,8,7,6,4,3,2),[AKQJ]\]", lambda rules: True,
     "The lines before it take these ranks."),
    (r"trumps\.when=laid", lambda rules: not rules.pending, "Nothing is shown unscored, so that only what scores makes trumps."),
    (r"dix=\{points:0,exchange:never,show:ne", lambda rules: True,
     "A seven that is never exchanged, shown or scored is any other card."),
    (r"dix\.once_per_card=", lambda rules: rules.dix is not None and not rules.dix.played,
     "No seven scores by being played, which is what this is about."),
    (r"(match\.settlement\.terms=|settlement=.*-without-match\.settlement\.terms)", lambda rules: True,
     "The word names what the other members of the settlement say."),
    (r"match\.settlement\.win\.loser_below_100=", lambda rules: True, "Who has less than 100 points is below the rubicon."),
    (r"match\.settlement\.rubicon\.least_difference=",
     lambda rules: isinstance(rules.match, OneDeal) and rules.match.settlement.rubicon.loser_total > 0,
     "A rubicon adds the loser's points, so that it has no difference."),
    (r"match\.settlement\.win\.least_difference=",
     lambda rules: isinstance(rules.match, OneDeal) and rules.match.settlement.win.loser_total >= 0,
     "The loser's points do not count, so that there is no difference."),
    (r"match\.settlement\.win_difference=",
     lambda rules: isinstance(rules.match, OneDeal) and rules.match.settlement.rounded_to == 1, "Nothing is rounded."),
    (r"match\.settlement\.rounded_to=2",
     lambda rules: isinstance(rules.match, OneDeal) and rules.match.settlement.rounded_to == 1, "All points are multiples of ten."),
    (r"brisques\.count=to_settle",
     lambda rules: isinstance(rules.match, OneDeal) and rules.match.settlement.rubicon_valued_by == "totals",
     "This settlement asks for no brisques."),
    (r"brisques\.points=", lambda rules: rules.brisques is not None and rules.brisques.count is BrisqueCount.NEVER,
     "Brisques never count."),
]  # fmt: skip
"""By the names of errors and the rules: errors that change no verdict, and why."""


def why_never(sheet: RuleSheet, name: str) -> str | None:
    """Why an error changes no verdict of a sheet; None if it may."""
    return next(
        (why for names, of, why in NEVER_SHOWN if re.match(names, name) and of(sheet.rules)), None
    )
