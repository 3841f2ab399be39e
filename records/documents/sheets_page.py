"""The published page about the sheets as data; `python -m records.documents.sheets_page` writes it from their types."""

import inspect

import msgspec
from msgspec import inspect as types

from records.documents import sheet_data
from records.documents.schemas import SPEC_FOLDER
from records.documents.sheet_files import sheet_file_name
from records.rules.registry import ALL_SHEETS

HEADINGS: dict[type[msgspec.Struct], str] = {
    sheet_data.SheetData: "A sheet",
    sheet_data.SheetRules: "Rules",
    sheet_data.Partnership: "Partners",
    sheet_data.SheetPack: "The pack",
    sheet_data.TurnUpTrumps: "Trumps by a turn-up",
    sheet_data.MeldTrumps: "Trumps by a meld",
    sheet_data.NoTrumpSuit: "No trumps",
    sheet_data.SheetCut: "The cut",
    sheet_data.SheetDix: "The dix",
    sheet_data.SheetCarteBlanche: "Carte blanche",
    sheet_data.TrickPlay: "Play in tricks",
    sheet_data.TurnPlay: "Play in turns",
    sheet_data.SheetPhase: "A phase",
    sheet_data.MustPlay: "The duty to follow",
    sheet_data.SheetTableau: "The tableau",
    sheet_data.SheetMeld: "A meld",
    sheet_data.ListedCards: "Cards by a list",
    sheet_data.PatternCard: "A card of a list",
    sheet_data.ShapedCards: "Cards by their shape",
    sheet_data.SheetReuse: "Reuse",
    sheet_data.ReuseClause: "A clause of reuse",
    sheet_data.SheetBonus: "A bonus",
    sheet_data.SheetBrisques: "Brisques",
    sheet_data.RaceMatch: "A match to a target",
    sheet_data.OneDealMatch: "A match of one deal",
    sheet_data.SheetSettlement: "The settlement",
    sheet_data.PaidPoints: "What is paid",
    sheet_data.ChoiceOfSheet: "An option with named values",
    sheet_data.ChoiceValue: "A value of an option",
    sheet_data.FieldChange: "A change",
    sheet_data.NumberOfSheet: "An option that is a number",
    sheet_data.SheetArticle: "An article",
    sheet_data.SheetLaw: "A law",
    sheet_data.SheetSource: "A source",
}
"""The headings of the types, in the order of the page."""

_HEAD = """# The sheets as data

Every rule sheet is published as a JSON file, so that a program in any language can play and judge by it without
copying numbers from a page: cards, hands, phases, melds and their points, reuse, bonuses, settlement, and every option
with what it changes. The files fit [`sheet.schema.json`](sheet.schema.json), and every site serves them at
`/spec/sheets/<id>.json`.

{sheets}

Laws such as C8 and A-46 are those of [rulings.md](rulings.md); every sheet repeats the ones it cites. The words of the
game are in the [glossary](glossary.md). [points.md](points.md) shows the same points and options as tables,
[deals.md](deals.md) a deal of every game.

<!-- `python -m records.documents.sheets_page` writes this page from the types; do not edit it by hand. -->

## Reading a sheet

1. Take `rules`: this is the game with every option at its default.
2. For every option of the record apply the `changes` of its value. They are a JSON Patch (RFC 6902) of the whole sheet,
   with `replace` only; the default of a choice has none. An option that is a number puts that number at every pointer of
   `sets`, also where it is the default. The order does not matter, because two options that set one member to different
   values contradict each other (`contradictory-options`); two that set it alike agree.
3. A record that names an option or a value that the sheet does not have is refused (`unknown-option`,
   `bad-option-value`).

Members may be added in later versions 1.x: ignore those that you do not know. [versions.md](versions.md) says what else
may change.

## Using it

- **The stock** is what is left of the pack after the deal, without the turn-up.
- **Whose turn it is** and who draws is in `play`; the phases say what each trick or turn consists of. All trick games
  here have two players.
- **The duty to follow** is the `must_play` of the phase: go through the groups in order, and the first of which the hand
  has a card says what may be played. `higher_of_suit_led` are the cards of the suit led that rank above the card led,
  `suit_led` all cards of that suit. Without trumps the group `trumps` is empty.
- **A meld** is legal if its cards are exactly those of an entry of `melds` with that name, all of them are held (or
  captured, by `melds_from`), it is in time, the phase allows one more, and no clause of `reuse` forbids it. Several
  entries share a name: the cards say which one it is, and its points.
- **Before there are trumps** a marriage or sequence that makes them is one of trumps. Until then every suit is plain for
  melds that make none.
- **Reuse**: a clause holds if the members named in `given` have those values, and if `class` is null or that of the meld.
  What happened to *a card* is about one physical card; where a record does not label copies, a meld is legal if it is
  legal in some reading ([format.md](format.md#cards)).
- **Points that need no event**: a dix that is played, the bonuses, the brisques and zetemas are earned whether or not an
  event claims them.
- `sets` are for testing a program: it has read the melds rightly if it counts as many.

A program of some 300 lines that knows nothing but these files can replay records of every game and compute every number
in them. There is one in the repository, which the site does not have: `tests/records/rules/sheet_reader.js`.
"""


def sheets_page() -> str:
    """The page: how to read a sheet, and a table of members for every type."""
    sheets = "\n".join(
        f"- [`{sheet.id}`](sheets/{sheet_file_name(sheet)}): {sheet.name}" for sheet in ALL_SHEETS
    )
    return "\n".join([_HEAD.format(sheets=sheets), "## Members\n", *map(_section, HEADINGS)])


def _section(kind: type[msgspec.Struct]) -> str:
    lines = [f"### {HEADINGS[kind]}\n", f"{inspect.getdoc(kind)}\n"]
    info = types.type_info(kind)
    assert isinstance(info, types.StructType)
    rows = [(f"`{field.encode_name}`", *_described(field.type)) for field in info.fields]
    if info.tag is not None:
        rows.insert(0, (f"`{info.tag_field}`", f"`{info.tag}`", "which of the kinds this is"))
    lines += [
        f"| {' | '.join(row)} |" for row in (("member", "value", "meaning"), ["---"] * 3, *rows)
    ]
    return "\n".join([*lines, ""])


def _described(kind: types.Type) -> tuple[str, str]:
    """A member's value and its meaning, in words."""
    meaning = ""
    if isinstance(kind, types.Metadata):
        meaning = (kind.extra_json_schema or {}).get("description", "")
        kind = kind.type
    return _value(kind), meaning


def _value(kind: types.Type) -> str:
    """The values of a type in words."""
    match kind:
        case types.Metadata(type=inner):
            return _value(inner)
        case types.LiteralType(values=values):
            return ", ".join(f"`{value}`" for value in values)
        case types.UnionType(types=kinds):
            return " or ".join(dict.fromkeys(map(_value, kinds)))
        case types.ListType(item_type=item):
            return f"list: {_value(item)}"
        case types.DictType(key_type=types.LiteralType(values=names), value_type=item):
            return f"object: {_value(item)}, by {', '.join(f'`{name}`' for name in names)}"
        case types.DictType(value_type=item):
            return f"object: {_value(item)}"
        case types.StructType(cls=cls):
            return f"[{HEADINGS[cls].lower()}](#{HEADINGS[cls].lower().replace(' ', '-')})"
        case _:
            return _PLAIN_VALUES[type(kind)]


_PLAIN_VALUES: dict[type[types.Type], str] = {
    types.StrType: "text",
    types.IntType: "number",
    types.BoolType: "true or false",
    types.NoneType: "null",
    types.AnyType: "any",
}


def main() -> None:
    """Write the page beside the specification."""
    (SPEC_FOLDER / "sheets.md").write_text(sheets_page())


if __name__ == "__main__":
    main()
