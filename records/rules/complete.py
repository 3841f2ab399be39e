"""The members of a sheet that follow from others, so that a reader in any language has them ready."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from records.cards import SUITS
from records.pointers import pointer_step
from records.rules import vocabulary as v
from records.rules.compiled import card_sets_for
from records.rules.english import Section, explain_sheet
from records.rules.registry import ALL_SHEETS
from records.rules.tricks import OWED, OWED_WHEN_TRUMPED

SHEET_VERSION = "1.0"
"""The version of the format of sheets."""


def complete_sheet(sheet: v.RuleSheet) -> v.RuleSheet:
    """A sheet with what follows from its rules, and with its sentences and laws, made anew."""
    sheet = replace(sheet, version=SHEET_VERSION, rules=complete_rules(sheet.rules))
    sheet = replace(sheet, articles=tuple(each.citing(sheet.rules) for each in sheet.articles))
    explained = explain_sheet(sheet)
    laws = [v.SheetLaw(law.number, law.plain) for law in explained.laws]
    numbers = {law.id for law in laws}
    return replace(
        sheet,
        articles=tuple(_article(sheet, section) for section in explained.sections),
        laws=(*laws, *(law for law in sheet.laws if law.id not in numbers)),
    )


def _article(sheet: v.RuleSheet, section: Section) -> v.SheetArticle:
    """An article with its sentences; its laws and sources are what the sheet says."""
    new = v.SheetArticle(section.article, section.heading, (), (), None, (), ())
    told = next((each for each in sheet.articles if each.id == section.article), new)
    return replace(told, heading=section.heading, says=section.sentences)


def complete_rules(rules: v.SheetRules) -> v.SheetRules:
    """Rules with the number of cards, the duty to follow in full, the numbers of sets, and the clauses of reuse."""
    cards = len(rules.pack.ranks) * sum(rules.pack.copies.values())
    return replace(
        rules,
        pack=replace(rules.pack, cards=cards),
        play=_play(rules.play),
        phases=tuple(replace(phase, must_play=_must_play(phase, rules)) for phase in rules.phases),
        melds=tuple(replace(meld, sets=_count_sets(meld, rules)) for meld in rules.melds),
        reuse=_reuse(rules) if rules.reuse.law in v.REUSE_RULES else rules.reuse,
    )


def _play(play: v.TrickPlay | v.TurnPlay) -> v.TrickPlay | v.TurnPlay:
    if isinstance(play, v.TurnPlay):
        return play
    captured = play.melds_from is v.MeldsFrom.CAPTURED
    return replace(
        play,
        takes=("highest_trump", "highest_of_suit_led"),
        at_the_close="nothing" if captured else "laid_cards_to_hand",
    )


def _must_play(phase: v.Phase, rules: v.SheetRules) -> v.MustPlay | None:
    if v.PhaseStep.TRICK not in phase.steps:
        return None
    owed: tuple[tuple[str, ...], ...] = OWED[phase.follow]
    if rules.tricks_of_more:
        owed = (*owed, OWED_WHEN_TRUMPED if phase.follow is not v.Follow.ANY else ())
    return v.MustPlay(*[(*groups, "any") for groups in owed])  # type: ignore[arg-type]


def _count_sets(meld: v.MeldRule, rules: v.SheetRules) -> Any:
    if isinstance(meld.cards, v.ShapedCards):
        return None
    return {trump or "none": len(card_sets_for(meld, trump, rules)) for trump in (*SUITS, None)}


# The rule of reuse: a law, and what it leaves open.

_CLIMBING = ("sequence_then_marriage", "singles_then_double", "double_then_single")
_LEFT_OPEN: Mapping[v.ReuseRule, tuple[str, ...]] = {
    v.ReuseRule.ONCE_PER_SET: (),
    v.ReuseRule.ONCE_PER_KIND: _CLIMBING,
    v.ReuseRule.UPWARD_IN_CLASS: _CLIMBING,
    v.ReuseRule.REFORMED_AFTER_LEAVING: (*_CLIMBING, "card_leaves_by"),
    v.ReuseRule.AUGMENT_OR_RESTORE: ("singles_then_double",),
    v.ReuseRule.LEAVES_THE_HAND: (),
}
"""What each rule of reuse asks of a sheet; its law says the rest."""
_OF_CAPTURED = ("no-card-won", "served")
_ONCE_EVER = "once-ever"


def _reuse(rules: v.SheetRules) -> v.Reuse:
    """The rule of reuse with its clauses, and with what it does not ask as the published sheets have it."""
    given = rules.reuse
    law = _published(given.law)
    asked = {name: getattr(given, name) for name in (*_LEFT_OPEN[given.rule], "once_ever")}
    return replace(law, **asked, forbids=tuple(_clauses(rules, law)))


def settled_by_law(law: str) -> Mapping[str, Any]:
    """The members of `reuse` that a law does not ask, as data, with what the published sheets of that law have there."""
    asked = ("law", "once_ever", "forbids", *_LEFT_OPEN[v.REUSE_RULES[law]])
    published = msgspec.to_builtins(_published(law), str_keys=True)
    return {name: value for name, value in published.items() if name not in asked}


def _clauses(rules: v.SheetRules, law: v.Reuse) -> Iterator[v.ReuseClause]:
    captured = rules.melds_from is v.MeldsFrom.CAPTURED
    always = (*_OF_CAPTURED * captured, *(_ONCE_EVER,) * (captured or rules.reuse.once_ever))
    known = {clause.clause: clause for sheet in ALL_SHEETS for clause in sheet.rules.reuse.forbids}
    yield from (known[name] for name in always)
    yield from (each for each in law.forbids if each.clause not in (*_OF_CAPTURED, _ONCE_EVER))


def _published(law: str) -> v.Reuse:
    return next(each.rules.reuse for each in ALL_SHEETS if each.rules.reuse.law == law)


# What a sheet says of what follows from the rest.


def differing(said: Any, made: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Where data of a sheet is not as it was made anew: pointers, and what was made; what was not said is no matter."""
    if isinstance(said, dict) and isinstance(made, dict):
        for name, part in said.items():
            yield from differing(part, made.get(name), f"{at}/{pointer_step(name)}")
    elif isinstance(said, list) and isinstance(made, list) and len(said) == len(made):
        for number, part in enumerate(said):
            yield from differing(part, made[number], f"{at}/{number}")
    elif said != made:
        yield at, made
