"""Rule sheets side by side with their differences marked, for the web page and the terminal."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from records.rules.english.brief import NOT_IN_GAME
from records.rules.english.brief_play import PLAY_PROPERTIES
from records.rules.english.brief_scoring import SCORING_PROPERTIES
from records.rules.english.melding import cards_in_words
from records.rules.explain import ARTICLES, option_value_text
from records.rules.vocabulary import MeldRule, RuleSheet

MeldKey = tuple[str, str]
"""Melds of two sheets are the same if they have this in common: the name in a record and the cards."""


@dataclass(frozen=True, slots=True)
class ComparisonCell:
    """What one sheet says, and whether it differs from most of the others or from the one compared with."""

    text: str
    differs: bool


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One property of the sheets; `detail` is a meld's cards in words."""

    name: str
    detail: str
    cells: tuple[ComparisonCell, ...]

    @property
    def differs(self) -> bool:
        """Whether any sheet differs."""
        return any(cell.differs for cell in self.cells)


@dataclass(frozen=True, slots=True)
class ComparisonGroup:
    """The properties of one article."""

    article: str
    heading: str
    rows: tuple[ComparisonRow, ...]


@dataclass(frozen=True, slots=True)
class ComparedSheet:
    """One sheet: its id and its name."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The sheets side by side; `against` is the id of the sheet that the others are compared with, if any."""

    sheets: tuple[ComparedSheet, ...]
    against: str | None
    groups: tuple[ComparisonGroup, ...]


def compare_rule_sheets(
    sheets: Sequence[RuleSheet], *, against: str | None = None, only_differing: bool = False
) -> Comparison:
    """These sheets compared with what most of them say, or with the sheet `against`, which comes first."""
    model = [sheet for sheet in sheets if sheet.id == against]
    sheets = [*model, *(sheet for sheet in sheets if sheet.id != against)]
    rows = _RowMaker(sheets, with_first=bool(model))
    groups = [
        *(rows.article(name, heading) for name, heading, _ in ARTICLES),
        rows.options(),
    ]
    shown_groups = [_differing(group) if only_differing else group for group in groups]
    return Comparison(
        sheets=tuple(ComparedSheet(sheet.id, sheet.name) for sheet in sheets),
        against=against if model else None,
        groups=tuple(group for group in shown_groups if group.rows),
    )


def _differing(group: ComparisonGroup) -> ComparisonGroup:
    rows = tuple(row for row in group.rows if row.differs)
    return ComparisonGroup(group.article, group.heading, rows)


class _RowMaker:
    """Makes the rows for these sheets, compared with the first of them or with what most say."""

    def __init__(self, sheets: Sequence[RuleSheet], *, with_first: bool) -> None:
        self.sheets = sheets
        self.with_first = with_first

    def article(self, name: str, heading: str) -> ComparisonGroup:
        """The properties of an article; for the article of melds, their points too."""
        properties = (
            (words, describe)
            for article, words, describe in (*PLAY_PROPERTIES, *SCORING_PROPERTIES)
            if article == name
        )
        rows = [
            self._row(words, [describe(sheet) for sheet in self.sheets])
            for words, describe in properties
        ]
        if name == "melds":
            rows += [self._meld(key) for key in meld_keys_of(self.sheets)]
        return ComparisonGroup(name, heading, tuple(filter(None, rows)))

    def options(self) -> ComparisonGroup:
        """The options of the sheets with their defaults."""
        names = dict.fromkeys(option.name for sheet in self.sheets for option in sheet.options)
        rows = [self._row(name, [_default(sheet, name) for sheet in self.sheets]) for name in names]
        return ComparisonGroup("options", "Options, with their defaults", tuple(filter(None, rows)))

    def _meld(self, key: MeldKey) -> ComparisonRow | None:
        """The points of a meld. A sheet with another word for it adds that word, which does not count as a difference."""
        found = [_meld_with_key(sheet, key) for sheet in self.sheets]
        words = Counter(meld.words for meld in found if meld is not None).most_common(1)[0][0]
        points = [NOT_IN_GAME if meld is None else f"{meld.points:,}" for meld in found]
        other = [f" ({meld.words})" if meld and meld.words != words else "" for meld in found]
        return self._row(words, points, cards_in_words(key[1], self.sheets[0].bezique_cards), other)

    def _row(
        self, name: str, texts: list[str], detail: str = "", words: Sequence[str] = ()
    ) -> ComparisonRow | None:
        if set(texts) == {NOT_IN_GAME}:
            return None
        usual = texts[0] if self.with_first else _usual(texts)
        cells = tuple(
            ComparisonCell(text + word, text != usual)
            for text, word in zip_longest(texts, words, fillvalue="")
        )
        return ComparisonRow(name, detail, cells)


def _usual(texts: list[str]) -> str | None:
    """What most of the texts are; None if another one is as frequent."""
    (first, count), *others = Counter(texts).most_common(2)
    return None if others and others[0][1] == count else first


def meld_keys_of(sheets: Sequence[RuleSheet]) -> list[MeldKey]:
    """Every meld of the sheets once, each after the meld that it follows in its sheet."""
    order: list[MeldKey] = []
    for sheet in sheets:
        place = len(order)
        for key in map(_key, sheet.melds):
            if key not in order:
                order.insert(place, key)
            place = order.index(key) + 1
    return order


def _key(meld: MeldRule) -> MeldKey:
    return meld.name, meld.cards


def _meld_with_key(sheet: RuleSheet, key: MeldKey) -> MeldRule | None:
    return next((meld for meld in sheet.melds if _key(meld) == key), None)


def _default(sheet: RuleSheet, name: str) -> str:
    option = next((option for option in sheet.options if option.name == name), None)
    return NOT_IN_GAME if option is None else option_value_text(option.default)
