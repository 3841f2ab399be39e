"""The members of a sheet that follow from others, so that a reader in any language has them ready."""

from typing import Any

from msgspec.structs import replace

from records.cards import SUITS
from records.rules import vocabulary as v
from records.rules.compiled import card_sets_for
from records.rules.english import Section, explain_sheet
from records.rules.tricks import OWED

SHEET_VERSION = "1.0"
"""The version of the format of sheets."""


def complete_sheet(sheet: v.RuleSheet) -> v.RuleSheet:
    """A sheet with what follows from its rules, and with its sentences and laws, made anew."""
    sheet = replace(sheet, version=SHEET_VERSION, rules=complete_rules(sheet.rules))
    explained = explain_sheet(sheet)
    laws = [v.SheetLaw(law.number, law.plain) for law in explained.laws]
    numbers = {law.id for law in laws}
    return replace(
        sheet,
        articles=tuple(_article(sheet, section) for section in explained.sections),
        laws=(*laws, *(law for law in sheet.laws if law.id not in numbers)),
    )


def complete_rules(rules: v.SheetRules) -> v.SheetRules:
    """Rules with the number of cards, the duty to follow in full, and the numbers of sets of cards."""
    cards = len(rules.pack.ranks) * sum(rules.pack.copies.values())
    return replace(
        rules,
        pack=replace(rules.pack, cards=cards),
        phases=tuple(replace(phase, must_play=_must_play(phase)) for phase in rules.phases),
        melds=tuple(replace(meld, sets=_count_sets(meld, rules)) for meld in rules.melds),
    )


def _must_play(phase: v.Phase) -> v.MustPlay | None:
    if v.PhaseStep.TRICK not in phase.steps:
        return None
    return v.MustPlay(*[(*groups, "any") for groups in OWED[phase.follow]])  # type: ignore[arg-type]


def _count_sets(meld: v.MeldRule, rules: v.SheetRules) -> Any:
    if isinstance(meld.cards, v.ShapedCards):
        return None
    return {trump or "none": len(card_sets_for(meld, trump, rules)) for trump in (*SUITS, None)}


def _article(sheet: v.RuleSheet, section: Section) -> v.SheetArticle:
    """An article with its sentences; its laws and sources are what the sheet says."""
    new = v.SheetArticle(section.article, section.heading, (), (), None, (), ())
    told = next((each for each in sheet.articles if each.id == section.article), new)
    return replace(told, heading=section.heading, says=section.sentences)
