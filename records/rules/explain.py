"""A rule sheet in English, made from its data alone, for the web page and the terminal."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from textwrap import fill
from typing import assert_never

from records.rules.english import dealing, melding, playing, scoring
from records.rules.laws import Law, cited_laws
from records.rules.patterns import MeldPattern, card_sets_for, parse_pattern
from records.rules.vocabulary import (
    ChoiceOption,
    MeldRule,
    NumberOption,
    Option,
    Pack,
    RuleOptionValue,
    RuleSheet,
)

ARTICLES = (
    ("deal", "The deal", dealing.explain_deal),
    ("cut", "The cut", dealing.explain_cut),
    ("trumps", "Trumps", dealing.explain_trumps),
    ("dix", "The seven of trumps", dealing.explain_dix),
    ("carte_blanche", "Carte blanche", dealing.explain_carte_blanche),
    ("play", "The play", playing.explain_play),
    ("draw", "Drawing", playing.explain_draw),
    ("close", "After the close", playing.explain_close),
    ("melds", "Melds", melding.explain_melds),
    ("reuse", "Using a card again", melding.explain_reuse),
    ("pending", "Pending melds", melding.explain_pending),
    ("tableau", "The tableau", scoring.explain_tableau),
    ("bonuses", "Bonuses", scoring.explain_bonuses),
    ("brisques", "Brisques", scoring.explain_brisques),
    ("game", "The game", scoring.explain_game),
)
"""The articles of a sheet in the order of a rulebook: name, heading, and what makes its sentences."""

NARROWEST_TEXT = 20
"""The smallest width of lines, in characters: where an indent is wider than the line, `textwrap` may never end."""
_EXAMPLE_TRUMP = "H"


@dataclass(frozen=True, slots=True)
class Section:
    """One article: its name (as in a finding's `rule`), its sentences, its laws and sources."""

    article: str
    heading: str
    sentences: tuple[str, ...]
    laws: str


@dataclass(frozen=True, slots=True)
class MeldLine:
    """A line of the points table; `example` is one such set of cards, hearts being trumps."""

    name: str
    words: str
    cards: str
    points: int
    example: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OptionLine:
    """An option: what it decides, its values as a record writes them, and the chosen one."""

    name: str
    says: str
    values: tuple[str, ...]
    default: str
    chosen: str
    ruling: str

    @property
    def changed(self) -> bool:
        """Whether the chosen value is not the default."""
        return self.chosen != self.default


@dataclass(frozen=True, slots=True)
class Explanation:
    """A whole sheet in English."""

    id: str
    edition: int
    title: str
    says: str
    sections: tuple[Section, ...]
    melds: tuple[MeldLine, ...]
    options: tuple[OptionLine, ...]
    laws: tuple[Law, ...]
    sources: tuple[str, ...]


def explain_sheet(
    sheet: RuleSheet, options: Mapping[str, RuleOptionValue] | None = None
) -> Explanation:
    """The sheet in English; `options` are the values that have been applied to it, if any."""
    chosen = {option.name: option.default for option in sheet.options} | dict(options or {})
    return Explanation(
        id=sheet.id,
        edition=sheet.edition,
        title=sheet.name,
        says=sheet.says,
        sections=_sections(sheet),
        melds=tuple(_meld_line(meld, sheet) for meld in sheet.melds),
        options=tuple(_option_line(option, chosen[option.name]) for option in sheet.options),
        laws=cited_laws([*sheet.laws.values(), *(option.ruling for option in sheet.options)]),
        sources=sheet.sources,
    )


def _sections(sheet: RuleSheet) -> tuple[Section, ...]:
    articles = ((name, heading, tuple(says(sheet))) for name, heading, says in ARTICLES)
    return tuple(
        Section(name, heading, sentences, sheet.laws.get(name, ""))
        for name, heading, sentences in articles
        if sentences
    )


def _meld_line(meld: MeldRule, sheet: RuleSheet) -> MeldLine:
    words = melding.cards_in_words(meld.cards, sheet.bezique_cards)
    return MeldLine(meld.name, meld.words, words, meld.points, _example(meld, sheet))


def _example(meld: MeldRule, sheet: RuleSheet) -> tuple[str, ...]:
    """The set of cards with the most different ones, high cards first, pairs of one suit together."""
    if parse_pattern(meld.cards).shape:
        return _shaped(parse_pattern(meld.cards), sheet.pack)
    sets = card_sets_for(meld, _EXAMPLE_TRUMP, sheet.bezique_cards, sheet.pack)
    best = max(sets, key=lambda faces: len(set(faces)))
    paired = parse_pattern(meld.cards).speaks_of("m")
    return tuple(sorted(best, key=lambda face: (face[1] * paired, sheet.pack.ranks.index(face[0]))))


def _shaped(pattern: MeldPattern, pack: Pack) -> tuple[str, ...]:
    """An example of a shape: in a row or not, in spades or in two suits."""
    row, gap = pack.ranks[: pattern.size], pack.ranks[: pattern.size + 1]
    ranks = row if pattern.run else gap[:-2] + gap[-1]
    suits = "S" * pattern.size if pattern.suit else ("SH" * pattern.size)[: pattern.size]
    return tuple(rank + suit for rank, suit in zip(ranks, suits, strict=True))


def _option_line(option: Option, chosen: RuleOptionValue) -> OptionLine:
    match option:
        case ChoiceOption():
            values = tuple(option_value_text(value) for value in option.values)
        case NumberOption():
            values = (f"{option.low} to {option.high}",)
        case _:
            assert_never(option)
    default = option_value_text(option.default)
    return OptionLine(
        option.name, option.says, values, default, option_value_text(chosen), option.ruling
    )


def option_value_text(value: RuleOptionValue) -> str:
    """A value as a record writes it, without quotes."""
    return value if isinstance(value, str) else json.dumps(value)


def explanation_text(explanation: Explanation, width: int = 80) -> str:
    """The explanation for a terminal `width` characters wide; a narrower one than `NARROWEST_TEXT` breaks the lines itself."""
    width = max(width, NARROWEST_TEXT)
    parts = [
        _title(explanation),
        fill(explanation.says, width),
        _played_with(explanation.options, width),
        *(_section(section, explanation, width) for section in explanation.sections),
        _options(explanation.options, width),
        _laws(explanation.laws, width),
        _sources(explanation.sources, width),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _title(explanation: Explanation) -> str:
    name = f"{explanation.title} ({explanation.id}, edition {explanation.edition})"
    return f"{name}\n{'=' * len(name)}"


def _played_with(options: Iterable[OptionLine], width: int) -> str:
    changed = ", ".join(f"{option.name} {option.chosen}" for option in options if option.changed)
    return fill(f"Here played with {changed}.", width) if changed else ""


def _section(section: Section, explanation: Explanation, width: int) -> str:
    lines = [_heading(section.heading, section.laws, width)]
    lines.append(_indented(" ".join(section.sentences), width))
    if section.article == "melds":
        lines += ["", *_meld_table(explanation.melds, width)]
    return "\n".join(lines)


def _heading(heading: str, laws: str, width: int) -> str:
    """The heading on the left and the laws on the right, or below it if there is no room for both."""
    if len(heading) + 2 + len(laws) <= width:
        return f"{heading}{laws:>{width - len(heading)}}".rstrip()
    return f"{heading}\n{fill(laws, width)}"


def _meld_table(melds: Iterable[MeldLine], width: int) -> list[str]:
    lines = list(melds)
    points = max((len(f"{line.points:,}") for line in lines), default=0)
    words = max((len(line.words) for line in lines), default=0)
    hang = min(4 + points + 2 + words + 2, width // 2)
    return [
        _indented(f"{line.points:>{points},}  {line.words:<{words}}  {line.cards}", width, 4, hang)
        for line in lines
    ]


def _options(options: Iterable[OptionLine], width: int) -> str:
    lines = [line for option in options for line in _option(option, width)]
    return "\n".join(["Options", *lines]) if lines else ""


def _option(option: OptionLine, width: int) -> list[str]:
    values = ", ".join(
        f"{value} (default)" if value == option.default else value for value in option.values
    )
    default = "" if option.default in option.values else f", default {option.default}"
    chosen = f"; here {option.chosen}" if option.changed else ""
    return [
        _indented(f"{option.name}: {values}{default}{chosen}", width),
        _indented(f"{option.says} ({option.ruling})", width, 6),
    ]


def _laws(laws: Iterable[Law], width: int) -> str:
    lines = [line for law in laws for line in _law(law, width)]
    return "\n".join(["Laws and rulings", *lines]) if lines else ""


def _law(law: Law, width: int) -> list[str]:
    first, *rest = law.plain
    return [
        _indented(f"{law.number}: {first}", width, 2, 6),
        *(_indented(paragraph, width, 6) for paragraph in rest),
    ]


def _sources(sources: Iterable[str], width: int) -> str:
    return "\n".join(["Sources", *(_indented(source, width) for source in sources)])


def _indented(text: str, width: int, by: int = 2, hanging: int | None = None) -> str:
    """A paragraph indented by `by`; its lines after the first by `hanging`, if that is given."""
    return fill(
        text,
        width,
        initial_indent=" " * by,
        subsequent_indent=" " * (by if hanging is None else hanging),
        break_on_hyphens=False,
    )
