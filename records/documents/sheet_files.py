"""What a published sheet repeats; `python -m records.documents.sheet_files` writes it anew into `sheets/<id>.json`.

The files are the sheets. A few of their members follow from others, so that a reader in any language has them ready: the
number of cards, the duty to follow in full, the numbers of sets, the sentences of the articles, and the laws in full.
"""

import json
from typing import Any

import msgspec
from msgspec.structs import replace

from records.cards import SUITS
from records.rules import vocabulary as v
from records.rules.compiled import card_sets_for
from records.rules.english import Section, explain_sheet
from records.rules.registry import ALL_SHEETS, SHEETS_FOLDER
from records.rules.tricks import OWED

SHEET_VERSION = "1.0"
"""The version of the format of sheets."""


def complete_sheet(sheet: v.RuleSheet) -> v.RuleSheet:
    """A sheet with the members that follow from others made anew."""
    explained, rules = explain_sheet(sheet), sheet.rules
    cards = len(rules.pack.ranks) * sum(rules.pack.copies.values())
    return replace(
        sheet,
        version=SHEET_VERSION,
        rules=replace(
            rules,
            pack=replace(rules.pack, cards=cards),
            phases=tuple(replace(phase, must_play=_must_play(phase)) for phase in rules.phases),
            melds=tuple(replace(meld, sets=_count_sets(meld, rules)) for meld in rules.melds),
        ),
        articles=tuple(_article(sheet, section) for section in explained.sections),
        laws=tuple(v.SheetLaw(law.number, law.plain) for law in explained.laws),
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


def encode_sheet(sheet: v.RuleSheet) -> bytes:
    """A sheet as the text of its file: a member a line, short lists on one."""
    data = {"$schema": "../sheet.schema.json"} | msgspec.to_builtins(sheet, str_keys=True)
    return _laid_out(data, "").encode() + b"\n"


def _laid_out(value: Any, indent: str) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list | tuple) or not value or len(indent + flat) <= 100:
        return flat
    deeper = indent + " "
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {_laid_out(part, deeper)}" for name, part in value.items()]
    else:
        parts = [_laid_out(part, deeper) for part in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + "\n" + ",\n".join(deeper + part for part in parts) + f"\n{indent}{closing}"


def main() -> None:
    """Write what follows from the rest into the files."""
    for sheet in ALL_SHEETS:
        (SHEETS_FOLDER / f"{sheet.id}.json").write_bytes(encode_sheet(complete_sheet(sheet)))


if __name__ == "__main__":
    main()
