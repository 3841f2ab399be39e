"""The members of a published sheet: the types behind `sheets/<id>.json` and its schema.

They are written for programs in any language: words and numbers only, every member always there, null where a game has
no such thing. What a word means stands beside the member, in the schema and on the page of sheets.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from records.documents.sheet_data.playing_members import (
    MeldTrumps,
    NoTrumpSuit,
    Partnership,
    SeatCount,
    SheetCarteBlanche,
    SheetCut,
    SheetDix,
    SheetPack,
    SheetPhase,
    SheetTableau,
    TrickPlay,
    TurnPlay,
    TurnUpTrumps,
)
from records.documents.sheet_data.scoring_members import (
    NonEmptyText,
    OneDealMatch,
    RaceMatch,
    SheetBonus,
    SheetBrisques,
    SheetMeld,
    SheetReuse,
    TrumpCase,
)

KnownCard = Annotated[str, Meta(pattern="^[AKQJT2-9][SHDC]$")]
OptionSetting = bool | int | str


class SheetRules(msgspec.Struct, frozen=True):
    """The rules of a sheet, with every option at its default."""

    players: Annotated[list[int], Meta(description="how many may play")]
    partners: Annotated[
        list[Partnership],
        Meta(description="the sides that may be formed; without them everybody plays alone"),
    ]
    pack: Annotated[SheetPack, Meta(description="the cards")]
    hand: Annotated[
        dict[SeatCount, int], Meta(description="the cards dealt to each, by number of players")
    ]
    trumps: Annotated[
        TurnUpTrumps | MeldTrumps | NoTrumpSuit, Meta(description="what makes trumps")
    ]
    cut: Annotated[SheetCut | None, Meta(description="the cut and the guess before the deal")]
    dix: Annotated[SheetDix | None, Meta(description="the seven of trumps")]
    carte_blanche: Annotated[
        SheetCarteBlanche | None, Meta(description="hands without court cards")
    ]
    play: Annotated[TrickPlay | TurnPlay, Meta(description="whose turn it is, and who draws")]
    phases: Annotated[list[SheetPhase], Meta(description="before and after the stock is gone")]
    tableau: Annotated[SheetTableau | None, Meta(description="the piles of Zetema")]
    melds: Annotated[list[SheetMeld], Meta(description="all melds with their points")]
    bezique_cards: Annotated[
        dict[TrumpCase, list[KnownCard]] | None,
        Meta(
            description="queen and jack of bezique, by the trump suit; null if there is no such meld"
        ),
    ]
    pending: Annotated[
        bool,
        Meta(
            description="whether melds may be shown and scored after a later trick won, as the meld of that"
            " trick, while all their cards are held"
        ),
    ]
    reuse: Annotated[SheetReuse, Meta(description="when a card may score again")]
    bonuses: Annotated[list[SheetBonus], Meta(description="points for tricks")]
    brisques: Annotated[SheetBrisques | None, Meta(description="cards that count when taken")]
    match: Annotated[RaceMatch | OneDealMatch, Meta(description="what wins, and what it pays")]


class FieldChange(msgspec.Struct, frozen=True):
    """A member of the sheet that an option replaces, as in a JSON Patch (RFC 6902)."""

    op: Annotated[Literal["replace"], Meta(description="always `replace`")]
    path: Annotated[
        str, Meta(description="where, as a JSON Pointer (RFC 6901)", pattern="^/rules/")
    ]
    value: Annotated[Any, Meta(description="what stands there with this value of the option")]


class ChoiceValue(msgspec.Struct, frozen=True):
    """One value of an option."""

    value: Annotated[OptionSetting, Meta(description="the value as a record writes it")]
    changes: Annotated[list[FieldChange], Meta(description="what it changes; nothing if default")]


class ChoiceOfSheet(msgspec.Struct, frozen=True, tag_field="takes", tag="choice"):
    """An option with named values."""

    name: Annotated[NonEmptyText, Meta(description="its name in a record")]
    says: Annotated[NonEmptyText, Meta(description="what it decides")]
    law: Annotated[
        NonEmptyText, Meta(description="the law or ruling, or the source, that leaves it open")
    ]
    default: Annotated[OptionSetting, Meta(description="the value if a record says nothing")]
    values: Annotated[list[ChoiceValue], Meta(description="every value it may have")]


class NumberOfSheet(msgspec.Struct, frozen=True, tag_field="takes", tag="number"):
    """An option that is a number."""

    name: Annotated[NonEmptyText, Meta(description="its name in a record")]
    says: Annotated[NonEmptyText, Meta(description="what it decides")]
    law: Annotated[
        NonEmptyText, Meta(description="the law or ruling, or the source, that leaves it open")
    ]
    default: Annotated[int, Meta(description="the value if a record says nothing")]
    least: Annotated[int, Meta(description="the smallest value")]
    most: Annotated[int, Meta(description="the largest value")]
    sets: Annotated[
        list[str], Meta(description="JSON Pointers to the members that become this number")
    ]


class SheetArticle(msgspec.Struct, frozen=True):
    """An article of the sheet in English, with its laws."""

    id: Annotated[
        NonEmptyText, Meta(description="its name: the `rule` of a finding is sheet/article")
    ]
    heading: Annotated[NonEmptyText, Meta(description="its heading")]
    says: Annotated[list[str], Meta(description="its sentences, with every option at its default")]
    laws: Annotated[list[str], Meta(description="the laws and rulings that it rests on, by id")]
    follows: Annotated[
        str | None,
        Meta(
            description="which of the rules of law C8 it follows, by the name that `follow` has, if it cites that law"
        ),
    ]
    sources: Annotated[list[str], Meta(description="the tags of the rulebooks that say it")]
    points_from: Annotated[
        list[str],
        Meta(description="the tags of the rulebooks that its points are from, if those are others"),
    ]


class SheetLaw(msgspec.Struct, frozen=True):
    """A law or ruling that the sheet cites."""

    id: Annotated[NonEmptyText, Meta(description="its number")]
    says: Annotated[list[str], Meta(description="its paragraphs")]


class SheetSource(msgspec.Struct, frozen=True):
    """A rulebook."""

    tag: Annotated[NonEmptyText, Meta(description="the tag by which it is cited")]
    title: Annotated[NonEmptyText, Meta(description="what it is")]


class SheetData(msgspec.Struct, frozen=True):
    """One rule sheet."""

    format: Annotated[Literal["bezique-sheet"], Meta(description="the name of this format")]
    version: Annotated[str, Meta(description="the version of this format", pattern=r"^1\.[0-9]+$")]
    id: Annotated[str, Meta(description="the `rules.id` of a record", pattern="^[a-z-]+$")]
    edition: Annotated[int, Meta(description="the `rules.edition` of a record", ge=1)]
    name: Annotated[NonEmptyText, Meta(description="what people call the game")]
    says: Annotated[NonEmptyText, Meta(description="the game in a sentence")]
    rules: Annotated[SheetRules, Meta(description="the rules, with every option at its default")]
    options: Annotated[
        list[ChoiceOfSheet | NumberOfSheet],
        Meta(
            description="the options. Two of them contradict each other, and a record may not have both, if"
            " their changes have a path in common"
        ),
    ]
    articles: Annotated[list[SheetArticle], Meta(description="the same rules in English")]
    laws: Annotated[list[SheetLaw], Meta(description="the laws and rulings cited, in full")]
    sources: Annotated[list[SheetSource], Meta(description="the rulebooks")]
