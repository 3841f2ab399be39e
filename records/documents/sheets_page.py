"""The published page about the sheets as data; `python -m records.documents.sheets_page` writes it from their types."""

import inspect
from collections.abc import Iterable

import msgspec
from msgspec import inspect as types

from records.documents.schemas import SPEC_FOLDER
from records.rules import vocabulary as v
from records.rules.registry import ALL_SHEETS

HEADINGS: dict[type[msgspec.Struct], str] = {
    v.RuleSheet: "A sheet",
    v.SheetRules: "Rules",
    v.Partnership: "Partners",
    v.Pack: "The pack",
    v.TurnUp: "Trumps by a turn-up",
    v.FirstMeld: "Trumps by a meld",
    v.NoTrumps: "No trumps",
    v.CutRule: "The cut",
    v.DixRule: "The dix",
    v.CarteBlancheRule: "Carte blanche",
    v.TrickPlay: "Play in tricks",
    v.TurnPlay: "Play in turns",
    v.Phase: "A phase",
    v.MustPlay: "The duty to follow",
    v.TableauRule: "The tableau",
    v.MeldRule: "A meld",
    v.ListedCards: "Cards by a list",
    v.PatternCard: "A card of a list",
    v.ShapedCards: "Cards by their shape",
    v.Reuse: "Reuse",
    v.ReuseClause: "A clause of reuse",
    v.Bonus: "A bonus",
    v.Brisques: "Brisques",
    v.RaceTo: "A match to a target",
    v.OneDeal: "A match of one deal",
    v.SheetSettlement: "The settlement",
    v.PaidPoints: "What is paid",
    v.ChoiceOption: "An option with named values",
    v.ChoiceValue: "A value of an option",
    v.FieldChange: "A change",
    v.NumberOption: "An option that is a number",
    v.SheetArticle: "An article",
    v.SheetLaw: "A law",
    v.SheetSource: "A source",
}
"""The headings of the types, in the order of the page."""

_HEAD = """# The sheets as data

Every rule sheet is published as a JSON file, so that a program in any language can play and judge by it without
copying numbers from a page: cards, hands, phases, melds and their points, reuse, bonuses, settlement, and every option
with what it changes. The program of this project reads the same files, and has its rules from nowhere else. They fit
[`sheet.schema.json`](sheet.schema.json), and every site serves them at `/spec/sheets/<id>.json`.

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

Members may be added in later versions 1.x: a program that reads published sheets ignores those that it does not know.
[versions.md](versions.md) says what else may change.

## A sheet of your own

Your table's rules are a file of the same kind, in JSON or TOML. It is a whole sheet, or it names a `base` and says what
differs:

```toml
base = "bezique"
id = "ours"
name = "Our Bezique"
says = "Bezique with 50 for a bezique; after the close you need only follow suit."

[[changes]]
path = "/rules/melds/bezique/points"
value = 50

[[changes]]
path = "/rules/phases/close/follow"
value = "suit"
```

- `changes` are a JSON Patch (RFC 6902) of the base with `replace` (which need not be said), `add` and `remove`. In a list, an
  item may also be named by its `words` or its `name`: `/rules/melds/royal marriage/points`. To `add` at an item inserts
  before it, and at `/-` behind the last. A `/` in a name is written `~1`, and a `~` is `~0`.
- `id` is none of those above, nor another way to write one of their ids or names; `name` is yours, too. `says`, `sources`,
  `options`, and `laws` in your own words may be given besides.
- The options of the base stay, but for those whose members the changes set or remove: your table has settled them. An
  option that is a number has the number that you set as its default.
- What follows from the rest is made anew: in `rules` the members `cards`, `takes`, `at_the_close`, `must_play`, `sets` and
  `forbids`, and what a rule of reuse does not ask; the English of `articles`, the laws of following and of reuse that they
  cite, and the `laws` of this project. Leave out what you like of these (but for the articles, of each of which all members
  are there): what you write must be what follows.
- Nothing is ignored. A member that the format does not have is a mistake, most likely a misspelt one.
- The names of melds and bonuses are those of a record, and there are at most eight copies of a card, as many as it has
  labels for. A suit has as many as the others, or one more. A game with
  tricks is for one number of players, from two to six, who share the pack evenly. With more than two, all draw
  `round_the_table`, and `hand` and the `target` are for that number; [a recipe](../../webui/documents/cookbook.md#four-at-one-table)
  is for four. The kind `marriage` and the classes `sequence` and `bezique` are words that the
  rules of reuse go by.
- A file has at most 128 KiB, 500 changes, 100 melds, and options with 100 names and values in all. The cards of all melds
  can be chosen in 30,000 ways at most.

Such files are Bezique with [eight packs](../../samples/rulebooks/eight-pack-bezique.toml), with
[four tens](../../samples/rulebooks/bezique-four-tens.toml), for [three](../../samples/rulebooks/bezique-three-hands.toml) and
for [four](../../samples/rulebooks/bezique-four-partners.toml), and
[Marjolet with house points](../../samples/rulebooks/marjolet-house-points.toml).

`bezique rules check ours.toml` reports mistakes, up to a hundred at once, each with its line and column: first
what cannot be read, then members of the wrong kind, then rules that do not fit together. `bezique rules ours.toml` explains the game,
`bezique play --rules ours.toml` plays it. With `--rules ours.toml`, records may name it in `rules.id` for `validate`, `show`,
`convert`, `redact`, `review`, `annotate`, `identify` and `picture`. The records that `bezique play` writes need no `--rules`:
they have [the rulebook inside](format.md#a-rulebook-inside). A data folder and a site store such records, judge them by that,
and count them apart from those by any other rulebook. `bezique conform write --rules ours.toml DIR` makes a kit
of cases for it, with what they do not show. `bezique rules add ours.toml` lets a data folder keep it: records that only name
it are judged by it there, and one whose rulebook nobody knows waits until it is added.

## Using it

- **The stock** is what is left of the pack after the deal, without the turn-up.
- **Whose turn it is** and who draws is in `play`; the phases say what each trick or turn consists of. Tricks are of
  two cards in all games here, and of more in a sheet of your own for more players.
- **The duty to follow** is the `must_play` of the phase: go through the groups in order, and the first of which the hand
  has a card says what may be played. `higher_of_suit_led` are the cards of the suit led that rank above the card led,
  `suit_led` all cards of that suit. Without trumps the group `trumps` is empty. A third hand and later ones
  go by the best card so far where it is of the suit led, as if it had been led, and else by `trumped`: `higher_trumps` are the
  trumps above the one that has the trick.
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
        f"- [`{sheet.id}`](sheets/{sheet.id}.json): {sheet.name}" for sheet in ALL_SHEETS
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
            return _words(values)
        case types.EnumType(cls=cls):
            return _words(sorted(member.value for member in cls))
        case types.UnionType(types=kinds):
            return " or ".join(dict.fromkeys(map(_value, kinds)))
        case types.VarTupleType(item_type=item):
            return f"list: {_value(item)}"
        case types.DictType(key_type=types.LiteralType(values=names), value_type=item):
            return f"object: {_value(item)}, by {_words(names)}"
        case types.DictType(key_type=types.IntType(ge=int(least), le=int(most)), value_type=item):
            return f"object: {_value(item)}, by {_words(range(least, most + 1))}"
        case types.DictType(value_type=item):
            return f"object: {_value(item)}"
        case types.StructType(cls=cls):
            return f"[{HEADINGS[cls].lower()}](#{HEADINGS[cls].lower().replace(' ', '-')})"
        case _:
            return _PLAIN_VALUES[type(kind)]


def _words(values: Iterable[object]) -> str:
    return ", ".join(f"`{value}`" for value in values)


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
