"""The published page of points and options; `python -m records.documents.points_page` writes it from the sheets."""

from collections.abc import Iterable, Sequence

from records.documents.schemas import SPEC_FOLDER
from records.phrases import join_words
from records.rules.english import Explanation, Section, explain_sheet, option_value_text
from records.rules.registry import ALL_SHEETS, apply_options
from records.rules.settlement import settle_deal
from records.rules.vocabulary import BrisqueCount, ChoiceOption, OneDeal, RuleSheet

POINT_ARTICLES = (
    "deal", "cut", "trumps", "dix", "carte_blanche", "tableau", "bonuses", "brisques", "game",
)  # fmt: skip
"""The articles of a sheet that this page repeats: what is dealt, and everything that scores besides melds."""

Example = tuple[str, tuple[int, int], tuple[int, int]]
"""What an example shows, the points of both players, and the points of their brisques."""

FOUR_PACK_EXAMPLES: tuple[Example, ...] = (
    ("both past the rubicon", (1510, 1240), (180, 140)),
    ("less than a hundred apart", (1550, 1520), (150, 170)),
    ("rubiconed", (1320, 620), (200, 120)),
    ("rubiconed below 100", (1350, 90), (170, 150)),
    ("both below the rubicon", (850, 510), (160, 160)),
    ("saved by brisques", (1200, 900), (120, 200)),
    ("brisques would not save", (1200, 890), (220, 100)),
    ("saved, and the result turns round", (1010, 950), (20, 300)),
    ("saved, and equal", (1010, 890), (100, 220)),
    ("saved, and the other falls behind below the rubicon", (980, 900), (10, 310)),
    ("a tie broken by brisques", (1200, 1200), (190, 130)),
    ("a tie, the loser past the rubicon with brisques", (900, 900), (200, 120)),
    ("a tie, the loser rubiconed even with brisques", (700, 700), (150, 170)),
    ("the same below 100", (50, 50), (180, 140)),
    ("a tie that stays one", (1200, 1200), (160, 160)),
)
CHINESE_EXAMPLES: tuple[Example, ...] = (
    ("both past the rubicon", (4210, 3010), (250, 230)),
    ("rubiconed", (4210, 2950), (440, 40)),
    ("saved by brisques", (4000, 2900), (380, 100)),
    ("a tie broken by brisques", (3200, 3200), (250, 230)),
    ("a tie, the loser rubiconed even with brisques", (2500, 2500), (250, 230)),
)
SIX_PACK_EXAMPLES: tuple[Example, ...] = (
    ("rubiconed", (3500, 2800), (0, 0)),
    ("both past the rubicon", (3510, 3000), (0, 0)),
    ("both below the rubicon", (850, 510), (0, 0)),
    ("a tie", (2200, 2200), (0, 0)),
)

EXAMPLES = {
    (1000, BrisqueCount.TO_SETTLE): FOUR_PACK_EXAMPLES,
    (3000, BrisqueCount.TO_SETTLE): CHINESE_EXAMPLES,
    (3000, BrisqueCount.NEVER): SIX_PACK_EXAMPLES,
}
"""The examples for games of one deal, by the points of the rubicon and when brisques count."""

Terms = tuple[str, OneDeal]
"""The terms of one column of a table: the option by which they are chosen, and the game."""

_HEAD = """# Points and options

What everything scores in each rule sheet, how a deal that is a match is settled, and the options with their values.
`from`, `meld` and the other words in this type are those of a record ([format.md](format.md)); the laws named are in
[rulings.md](rulings.md). Programs read the same from the sheets as data ([sheets.md](sheets.md)).

<!-- `python -m records.documents.points_page` writes this page from the rule sheets; do not edit it by hand. -->
"""
_SETTLEMENT_HEAD = """## Settlements

Where one deal is the match (law C15), the points of the deal are compared and settled. In these examples the first
number is Ann's and the second Bob's. *Points* are those of the deal without brisques, *brisques* what theirs are worth,
*totals* what is compared and stands in `result.scores`. *Settlement* is what each receives; the columns after it say
the same for other values of an option.

1. The higher points win. If they are equal, brisques count for both players; if that leaves them equal, the match is
   drawn.
2. If the loser is below the rubicon and brisques would take the loser across it, they count for both players, the
   higher total wins (equal totals are a draw), and nobody is rubiconed. If the loser is below it even with brisques, the
   loser is rubiconed.
3. With a rubicon, the match is valued by the points without brisques, even if brisques broke a tie (A-48); otherwise by
   the totals.

In Six-Pack Bezique brisques never count, so equal points are a draw.
"""


def points_page() -> str:
    """The page: a chapter for every sheet, and one for the settlements."""
    chapters = [_chapter(explain_sheet(sheet)) for sheet in ALL_SHEETS]
    return "\n".join([_HEAD, *chapters, _SETTLEMENT_HEAD, *_settlements()])


def _chapter(sheet: Explanation) -> str:
    melds = [(f"{meld.points:,}", meld.words, f"`{meld.name}`", meld.cards) for meld in sheet.melds]
    options = [
        (f"`{option.name}`", _values(option.values), f"`{option.default}`", option.says, option.ruling)
        for option in sheet.options
    ]  # fmt: skip
    sections = [section for section in sheet.sections if section.article in POINT_ARTICLES]
    return "\n".join(
        [
            f"## {sheet.title}\n\nThe sheet [`{sheet.id}`](sheets/{sheet.id}.json), edition {sheet.edition}.\n",
            *_table(("points", "meld", "name in a record", "cards"), melds),
            "",
            *map(_point, sections),
            "",
            *_table(("option", "values", "default", "what it changes", "law"), options),
            "",
        ]
    )


def _point(section: Section) -> str:
    return f"- **{section.heading}.** {' '.join(section.sentences)}"


def _values(values: Iterable[str]) -> str:
    return ", ".join(value if " to " in value else f"`{value}`" for value in values)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (heads, ["---"] * len(heads), *rows)]


def _settlements() -> Iterable[str]:
    """The tables of settlements; sheets that settle alike share one."""
    titles: dict[str, list[str]] = {}
    for sheet in ALL_SHEETS:
        if isinstance(sheet.rules.match, OneDeal):
            titles.setdefault(_settlement_table(sheet), []).append(sheet.name)
    for table, names in titles.items():
        yield f"### {join_words(names)}\n\n{table}\n"


def _settlement_table(sheet: RuleSheet) -> str:
    terms = settlement_terms(sheet)
    heads = ("example", "points", "brisques", "totals", *(name for name, _ in terms))
    rows = [_example_row(example, terms) for example in settlement_examples(sheet)]
    return "\n".join(_table(heads, rows))


def settlement_examples(sheet: RuleSheet) -> tuple[Example, ...]:
    """The examples for a sheet of which one deal is a match."""
    return EXAMPLES[_one_deal(sheet).rubicon, sheet.rules.brisques.count]


def settlement_terms(sheet: RuleSheet) -> list[Terms]:
    """The terms by which a sheet settles: its own, and those of every option that changes them."""
    terms = [("settlement", _one_deal(sheet))]
    for option in sheet.options:
        for choice in option.values if isinstance(option, ChoiceOption) else ():
            if any(change.path.startswith("/rules/match/") for change in choice.changes):
                resolved = apply_options(sheet, {option.name: choice.value}).sheet
                name = f"`{option.name}` {option_value_text(choice.value)}"
                terms.append((name, _one_deal(resolved)))
    return terms


def _one_deal(sheet: RuleSheet) -> OneDeal:
    if not isinstance(sheet.rules.match, OneDeal):
        raise TypeError(f"a deal of {sheet.id} is not a match")
    return sheet.rules.match


def _example_row(example: Example, terms: Iterable[Terms]) -> tuple[str, ...]:
    words, points, brisques = example
    settled = [settle_deal(game, list(points), list(brisques)) for _, game in terms]
    receives = [_pair(deal.receives) for deal in settled]
    shown = _pair(brisques) if any(brisques) else "none"
    return words, _pair(points), shown, _pair(settled[0].totals), *receives


def _pair(numbers: Sequence[int]) -> str:
    return " : ".join(f"{number:,}" for number in numbers)


def main() -> None:
    """Write the page beside the specification."""
    (SPEC_FOLDER / "points.md").write_text(points_page())


if __name__ == "__main__":
    main()
