"""Made by `python -m tests.package.make_types`; never edit it."""

from typing import Any, Literal, TypeAlias

import msgspec

Card: TypeAlias = Literal[
    "AS",
    "KS",
    "QS",
    "JS",
    "TS",
    "9S",
    "8S",
    "7S",
    "6S",
    "5S",
    "4S",
    "3S",
    "2S",
    "AH",
    "KH",
    "QH",
    "JH",
    "TH",
    "9H",
    "8H",
    "7H",
    "6H",
    "5H",
    "4H",
    "3H",
    "2H",
    "AD",
    "KD",
    "QD",
    "JD",
    "TD",
    "9D",
    "8D",
    "7D",
    "6D",
    "5D",
    "4D",
    "3D",
    "2D",
    "AC",
    "KC",
    "QC",
    "JC",
    "TC",
    "9C",
    "8C",
    "7C",
    "6C",
    "5C",
    "4C",
    "3C",
    "2C",
    "AS.1",
    "AS.2",
    "AS.3",
    "AS.4",
    "AS.5",
    "AS.6",
    "AS.7",
    "AS.8",
    "KS.1",
    "KS.2",
    "KS.3",
    "KS.4",
    "KS.5",
    "KS.6",
    "KS.7",
    "KS.8",
    "QS.1",
    "QS.2",
    "QS.3",
    "QS.4",
    "QS.5",
    "QS.6",
    "QS.7",
    "QS.8",
    "JS.1",
    "JS.2",
    "JS.3",
    "JS.4",
    "JS.5",
    "JS.6",
    "JS.7",
    "JS.8",
    "TS.1",
    "TS.2",
    "TS.3",
    "TS.4",
    "TS.5",
    "TS.6",
    "TS.7",
    "TS.8",
    "9S.1",
    "9S.2",
    "9S.3",
    "9S.4",
    "9S.5",
    "9S.6",
    "9S.7",
    "9S.8",
    "8S.1",
    "8S.2",
    "8S.3",
    "8S.4",
    "8S.5",
    "8S.6",
    "8S.7",
    "8S.8",
    "7S.1",
    "7S.2",
    "7S.3",
    "7S.4",
    "7S.5",
    "7S.6",
    "7S.7",
    "7S.8",
    "6S.1",
    "6S.2",
    "6S.3",
    "6S.4",
    "6S.5",
    "6S.6",
    "6S.7",
    "6S.8",
    "5S.1",
    "5S.2",
    "5S.3",
    "5S.4",
    "5S.5",
    "5S.6",
    "5S.7",
    "5S.8",
    "4S.1",
    "4S.2",
    "4S.3",
    "4S.4",
    "4S.5",
    "4S.6",
    "4S.7",
    "4S.8",
    "3S.1",
    "3S.2",
    "3S.3",
    "3S.4",
    "3S.5",
    "3S.6",
    "3S.7",
    "3S.8",
    "2S.1",
    "2S.2",
    "2S.3",
    "2S.4",
    "2S.5",
    "2S.6",
    "2S.7",
    "2S.8",
    "AH.1",
    "AH.2",
    "AH.3",
    "AH.4",
    "AH.5",
    "AH.6",
    "AH.7",
    "AH.8",
    "KH.1",
    "KH.2",
    "KH.3",
    "KH.4",
    "KH.5",
    "KH.6",
    "KH.7",
    "KH.8",
    "QH.1",
    "QH.2",
    "QH.3",
    "QH.4",
    "QH.5",
    "QH.6",
    "QH.7",
    "QH.8",
    "JH.1",
    "JH.2",
    "JH.3",
    "JH.4",
    "JH.5",
    "JH.6",
    "JH.7",
    "JH.8",
    "TH.1",
    "TH.2",
    "TH.3",
    "TH.4",
    "TH.5",
    "TH.6",
    "TH.7",
    "TH.8",
    "9H.1",
    "9H.2",
    "9H.3",
    "9H.4",
    "9H.5",
    "9H.6",
    "9H.7",
    "9H.8",
    "8H.1",
    "8H.2",
    "8H.3",
    "8H.4",
    "8H.5",
    "8H.6",
    "8H.7",
    "8H.8",
    "7H.1",
    "7H.2",
    "7H.3",
    "7H.4",
    "7H.5",
    "7H.6",
    "7H.7",
    "7H.8",
    "6H.1",
    "6H.2",
    "6H.3",
    "6H.4",
    "6H.5",
    "6H.6",
    "6H.7",
    "6H.8",
    "5H.1",
    "5H.2",
    "5H.3",
    "5H.4",
    "5H.5",
    "5H.6",
    "5H.7",
    "5H.8",
    "4H.1",
    "4H.2",
    "4H.3",
    "4H.4",
    "4H.5",
    "4H.6",
    "4H.7",
    "4H.8",
    "3H.1",
    "3H.2",
    "3H.3",
    "3H.4",
    "3H.5",
    "3H.6",
    "3H.7",
    "3H.8",
    "2H.1",
    "2H.2",
    "2H.3",
    "2H.4",
    "2H.5",
    "2H.6",
    "2H.7",
    "2H.8",
    "AD.1",
    "AD.2",
    "AD.3",
    "AD.4",
    "AD.5",
    "AD.6",
    "AD.7",
    "AD.8",
    "KD.1",
    "KD.2",
    "KD.3",
    "KD.4",
    "KD.5",
    "KD.6",
    "KD.7",
    "KD.8",
    "QD.1",
    "QD.2",
    "QD.3",
    "QD.4",
    "QD.5",
    "QD.6",
    "QD.7",
    "QD.8",
    "JD.1",
    "JD.2",
    "JD.3",
    "JD.4",
    "JD.5",
    "JD.6",
    "JD.7",
    "JD.8",
    "TD.1",
    "TD.2",
    "TD.3",
    "TD.4",
    "TD.5",
    "TD.6",
    "TD.7",
    "TD.8",
    "9D.1",
    "9D.2",
    "9D.3",
    "9D.4",
    "9D.5",
    "9D.6",
    "9D.7",
    "9D.8",
    "8D.1",
    "8D.2",
    "8D.3",
    "8D.4",
    "8D.5",
    "8D.6",
    "8D.7",
    "8D.8",
    "7D.1",
    "7D.2",
    "7D.3",
    "7D.4",
    "7D.5",
    "7D.6",
    "7D.7",
    "7D.8",
    "6D.1",
    "6D.2",
    "6D.3",
    "6D.4",
    "6D.5",
    "6D.6",
    "6D.7",
    "6D.8",
    "5D.1",
    "5D.2",
    "5D.3",
    "5D.4",
    "5D.5",
    "5D.6",
    "5D.7",
    "5D.8",
    "4D.1",
    "4D.2",
    "4D.3",
    "4D.4",
    "4D.5",
    "4D.6",
    "4D.7",
    "4D.8",
    "3D.1",
    "3D.2",
    "3D.3",
    "3D.4",
    "3D.5",
    "3D.6",
    "3D.7",
    "3D.8",
    "2D.1",
    "2D.2",
    "2D.3",
    "2D.4",
    "2D.5",
    "2D.6",
    "2D.7",
    "2D.8",
    "AC.1",
    "AC.2",
    "AC.3",
    "AC.4",
    "AC.5",
    "AC.6",
    "AC.7",
    "AC.8",
    "KC.1",
    "KC.2",
    "KC.3",
    "KC.4",
    "KC.5",
    "KC.6",
    "KC.7",
    "KC.8",
    "QC.1",
    "QC.2",
    "QC.3",
    "QC.4",
    "QC.5",
    "QC.6",
    "QC.7",
    "QC.8",
    "JC.1",
    "JC.2",
    "JC.3",
    "JC.4",
    "JC.5",
    "JC.6",
    "JC.7",
    "JC.8",
    "TC.1",
    "TC.2",
    "TC.3",
    "TC.4",
    "TC.5",
    "TC.6",
    "TC.7",
    "TC.8",
    "9C.1",
    "9C.2",
    "9C.3",
    "9C.4",
    "9C.5",
    "9C.6",
    "9C.7",
    "9C.8",
    "8C.1",
    "8C.2",
    "8C.3",
    "8C.4",
    "8C.5",
    "8C.6",
    "8C.7",
    "8C.8",
    "7C.1",
    "7C.2",
    "7C.3",
    "7C.4",
    "7C.5",
    "7C.6",
    "7C.7",
    "7C.8",
    "6C.1",
    "6C.2",
    "6C.3",
    "6C.4",
    "6C.5",
    "6C.6",
    "6C.7",
    "6C.8",
    "5C.1",
    "5C.2",
    "5C.3",
    "5C.4",
    "5C.5",
    "5C.6",
    "5C.7",
    "5C.8",
    "4C.1",
    "4C.2",
    "4C.3",
    "4C.4",
    "4C.5",
    "4C.6",
    "4C.7",
    "4C.8",
    "3C.1",
    "3C.2",
    "3C.3",
    "3C.4",
    "3C.5",
    "3C.6",
    "3C.7",
    "3C.8",
    "2C.1",
    "2C.2",
    "2C.3",
    "2C.4",
    "2C.5",
    "2C.6",
    "2C.7",
    "2C.8",
    "??",
    "?S",
    "?H",
    "?D",
    "?C",
    "A?",
    "K?",
    "Q?",
    "J?",
    "T?",
    "9?",
    "8?",
    "7?",
    "6?",
    "5?",
    "4?",
    "3?",
    "2?",
]
MeldName: TypeAlias = Literal[
    "marriage",
    "sequence",
    "four_aces",
    "four_tens",
    "four_kings",
    "four_queens",
    "four_jacks",
    "four_trump_aces",
    "four_trump_tens",
    "four_trump_kings",
    "four_trump_queens",
    "four_trump_jacks",
    "bezique",
    "double_bezique",
    "triple_bezique",
    "quadruple_bezique",
    "marjolet",
    "flush",
    "flush_sequence",
    "assembly",
    "marriages",
]
ScoreName: TypeAlias = Literal[
    "turned_seven",
    "tenth_trick",
    "last_trick",
    "all_last_tricks",
    "brisques",
    "cut",
    "guess",
    "zetema",
]
SheetId: TypeAlias = Literal[
    "bezique",
    "bezique-enhanced",
    "polish-bezique",
    "rubicon-bezique",
    "rubicon-bezique-recommended",
    "rubicon-bezique-club",
    "chinese-bezique",
    "six-pack-bezique",
    "marjolet",
    "marjolet-oxford",
    "zique",
    "zetema",
]
CodeName: TypeAlias = Literal[
    "empty-file",
    "not-utf8",
    "not-json",
    "not-notation",
    "unknown-lead",
    "several-readings",
    "record-too-large",
    "too-deep",
    "too-many-errors",
    "damaged-compression",
    "not-text",
    "expands-too-far",
    "wrong-format",
    "missing-version",
    "unsupported-version",
    "too-few-players",
    "too-many-players",
    "name-too-long",
    "bad-sides",
    "bad-time",
    "bad-sheet",
    "duplicate-member",
    "missing-member",
    "unknown-member",
    "wrong-type",
    "not-an-integer",
    "out-of-range",
    "unknown-value",
    "wrong-count",
    "list-too-long",
    "bad-extension-key",
    "too-many-deals",
    "too-many-events",
    "two-starts",
    "bad-card",
    "mixed-labels",
    "unknown-event-type",
    "unknown-meld",
    "bad-anchor",
    "newer-minor",
    "byte-order-mark",
    "other-encoding",
    "read-as",
    "unknown-sheet",
    "unknown-edition",
    "unknown-option",
    "bad-option-value",
    "contradictory-options",
    "wrong-number-of-players",
    "sides-not-in-rules",
    "wrong-number-of-hands",
    "wrong-hand-size",
    "wrong-stock-size",
    "turn-up-missing",
    "turn-up-not-in-rules",
    "card-not-in-pack",
    "too-many-copies",
    "card-twice",
    "event-after-end",
    "event-not-in-rules",
    "out-of-turn",
    "card-not-held",
    "not-on-table",
    "not-in-hand",
    "must-follow-suit",
    "must-beat",
    "must-trump",
    "draw-missing",
    "draw-out-of-turn",
    "draw-not-due",
    "wrong-card-drawn",
    "no-such-card-left",
    "deal-cut-short",
    "meld-by-loser",
    "meld-out-of-window",
    "meld-after-close",
    "too-many-melds",
    "meld-card-not-held",
    "meld-not-in-rules",
    "wrong-cards-for-meld",
    "meld-reuses-cards",
    "no-pending-melds",
    "not-on-tableau",
    "marriage-without-hand-card",
    "discard-not-of-combination",
    "must-go-on",
    "dix-not-in-rules",
    "dix-not-played",
    "dix-not-held",
    "dix-out-of-window",
    "nothing-to-exchange",
    "dix-spent",
    "not-blank",
    "carte-blanche-too-late",
    "cut-out-of-place",
    "impossible-cut",
    "no-legal-completion",
    "setup-not-in-rules",
    "trumps-not-turned-up",
    "no-meld-on-table",
    "uneven-hands",
    "hand-too-large",
    "impossible-stock",
    "impossible-trick",
    "impossible-captures",
    "impossible-brisques",
    "impossible-spent-dix",
    "impossible-pile",
    "wrong-dealer",
    "deal-after-game-won",
    "trick-out-of-place",
    "wrong-trick-winner",
    "wrong-meld-points",
    "wrong-dix-points",
    "score-not-earned",
    "scored-twice",
    "score-out-of-place",
    "wrong-score-points",
    "wrong-brisques",
    "wrong-deal-scores",
    "wrong-result-scores",
    "impossible-deal-scores",
    "impossible-result-scores",
    "wrong-winner",
    "wrong-status",
    "wrong-settlement",
    "settlement-not-in-rules",
    "line-not-lawful",
    "lines-not-judged",
    "irregularity",
    "nothing-withdrawn",
    "unfinished",
    "undetermined",
    "too-many-completions",
]
Verdict: TypeAlias = Literal[
    "legal",
    "legal_with_mismatches",
    "illegal",
    "incomplete",
    "undetermined",
    "unreadable",
]

class Event(msgspec.Struct, kw_only=True): ...

class Play(Event, kw_only=True):
    """A card is played to a trick; `from` says where it lay, if the record does."""
    seat: int
    card: Card
    source: Literal["hand", "table"] | None = ...
    ms: int | None = ...
    ext: dict[str, Any] | None = ...

class Trick(Event, kw_only=True):
    """A trick is taken: a claim about who won it."""
    winner: int
    ms: int | None = ...
    ext: dict[str, Any] | None = ...

class Draw(Event, kw_only=True):
    """A seat takes a card from the stock, or the turn-up at its end."""
    seat: int
    card: Card
    ms: int | None = ...
    ext: dict[str, Any] | None = ...

class Meld(Event, kw_only=True):
    """A combination is shown and scored."""
    seat: int
    meld: MeldName
    cards: list[Card]
    from_tableau: list[Card] | None = ...
    points: int | None = ...
    ms: int | None = ...
    ext: dict[str, Any] | None = ...

class Declare(Event, kw_only=True):
    """A combination is shown and not scored; a later `meld` may score it."""
    seat: int
    meld: MeldName
    cards: list[Card]
    ms: int | None = ...
    ext: dict[str, Any] | None = ...

class Dix(Event, kw_only=True):
    """The seven of trumps is exchanged for the turn-up, shown, or was played."""
    seat: int
    action: Literal["exchange", "show", "play"]
    card: Card | None = ...
    points: int | None = ...
    ms: int | None = ...
    ext: dict[str, Any] | None = ...

class CarteBlanche(Event, kw_only=True):
    """A hand without court cards is shown."""
    seat: int
    points: int | None = ...
    ms: int | None = ...
    ext: dict[str, Any] | None = ...

class Discard(Event, kw_only=True):
    """A card is laid on its rank's pile of the tableau (Zetema)."""
    seat: int
    card: Card
    ms: int | None = ...
    ext: dict[str, Any] | None = ...

class Cut(Event, kw_only=True):
    """The dealer's packet, and the other player's guess of its size in cards (six-pack)."""
    seat: int
    packet: int
    guess: int | None = ...
    ms: int | None = ...
    ext: dict[str, Any] | None = ...

class Score(Event, kw_only=True):
    """Points for what is not a meld, a dix or carte blanche."""
    seat: int
    what: ScoreName
    count: int | None = ...
    points: int | None = ...
    ms: int | None = ...
    ext: dict[str, Any] | None = ...

class Irregular(Event, kw_only=True):
    """What went wrong at the table and what was ruled; it explains the event before it."""
    seat: int
    what: Literal["revoke", "exposed_card", "withdrawn_meld", "misdeal", "other"]
    cards: list[Card] | None = ...
    points: int | None = ...
    text: str = ...
    ms: int | None = ...
    ext: dict[str, Any] | None = ...

AnyEvent: TypeAlias = (
    Play | Trick | Draw | Meld | Declare | Dix | CarteBlanche | Discard | Cut | Score | Irregular
)

class Rules(msgspec.Struct, kw_only=True):
    """The rule sheet, its edition, the options that differ from the default, and the sheet itself if it is one's own."""
    id: SheetId
    edition: int | None = ...
    options: dict[str, bool | int | str] = ...
    sheet: dict[str, Any] | None = ...

class Player(msgspec.Struct, kw_only=True):
    """Who sat there."""
    name: str
    id: str | None = ...
    kind: Literal["person", "program"] | None = ...

class Laid(msgspec.Struct, kw_only=True):
    """Cards that lie melded in a `setup`, and whether they were scored there."""
    meld: MeldName
    cards: list[Card]
    scored: bool = ...

class Setup(msgspec.Struct, kw_only=True):
    """A position in mid-deal: where a problem or a published fragment starts."""
    hands: list[list[Card]]
    seat: int
    tables: list[list[Laid]] | None = ...
    stock: int = ...
    trump: Literal["S", "H", "D", "C"] | None = ...
    turn_up: Card | None = ...
    scores: list[int] | None = ...
    brisques: list[int] | None = ...
    won: bool = ...
    trick: list[Card] | None = ...
    spent_dixes: list[Card] | None = ...
    captured: list[list[Card]] | None = ...
    tableau: list[Card] | None = ...

class Claims(msgspec.Struct, kw_only=True):
    """What the record says a deal came to: this deal's points, one number a side."""
    scores: list[int] | None = ...

class Deal(msgspec.Struct, kw_only=True):
    """One deal: who dealt, what was dealt, what happened."""
    dealer: int
    knowledge: Literal["full", "seat", "public", "plays", "scores"] | None = ...
    seat: int | None = ...
    hands: list[list[Card]] | None = ...
    turn_up: Card | None = ...
    stock: list[Card] | None = ...
    setup: Setup | None = ...
    events: list[AnyEvent] = ...
    claims: Claims | None = ...
    ext: dict[str, Any] | None = ...

class Result(msgspec.Struct, kw_only=True):
    """What the record says the game came to."""
    status: Literal["complete", "unfinished", "abandoned"] | None = ...
    scores: list[int] | None = ...
    settlement: list[int] | None = ...
    winner: int | msgspec.UnsetType | None = ...

class Note(msgspec.Struct, kw_only=True):
    """A comment at a deal (`[deal]`) or an event (`[deal, event]`)."""
    at: list[int]
    text: str
    by: str | None = ...

class Line(msgspec.Struct, kw_only=True):
    """What might have been played instead, from the event at `at` on."""
    at: list[int]
    events: list[AnyEvent]
    text: str | None = ...
    by: str | None = ...

class Provenance(msgspec.Struct, kw_only=True):
    """Which program made the record, and how."""
    made: str | None = ...
    program: str | None = ...
    version: str | None = ...

class Record(msgspec.Struct, kw_only=True):
    """One game: players, rules, and the deals until it was decided."""
    format: Literal["bezique-record"]
    version: str
    rules: Rules
    players: list[Player]
    sides: list[list[int]] | None = ...
    meta: dict[str, Any] | None = ...
    deals: list[Deal] = ...
    result: Result | None = ...
    notes: list[Note] | None = ...
    lines: list[Line] | None = ...
    provenance: Provenance | None = ...
    ext: dict[str, Any] | None = ...

class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where: 0-based indices, a JSON pointer into the record, and the line of a `.jsonl` file (1-based)."""
    deal: int | None = ...
    event: int | None = ...
    pointer: str = ...
    trick: int | None = ...
    seat: int | None = ...
    line: int | None = ...

class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """An earlier finding that another finding, or a wrong number, follows from: its code, and its pointer."""
    code: CodeName
    pointer: str = ...

class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One finding of the report. `rule` names the article of the rule sheet, such as `zique/close`."""
    code: CodeName
    severity: Literal["unreadable", "illegal", "mismatch", "warning", "note"]
    at: Place
    message: str
    clause: str | None = ...
    since: tuple[int, int] | None = ...
    rule: str | None = ...
    expected: str | None = ...
    found: str | None = ...
    legal: tuple[str, ...] = ...
    candidates: tuple[str, ...] = ...
    because_of: Cause | None = ...

class FindingGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Findings of one code, clause and severity, by whichever seats, told in one sentence."""
    code: CodeName
    severity: Literal["unreadable", "illegal", "mismatch", "warning", "note"]
    count: int
    message: str
    first: Place
    pointers: list[str]
    clause: str | None = ...
    seats: list[int] = ...
    consequences: list[FindingGroup] = ...

class ResolvedRules(msgspec.Struct, kw_only=True):
    """The sheet that was applied, with every option's value."""
    id: SheetId
    edition: int
    options: dict[str, bool | int | str]

class Assignments(msgspec.Struct, kw_only=True):
    """How many readings of the record were followed: the most at any event, and at the end."""
    largest: int = ...
    final: int = ...
    capped: bool = ...

class Claim(msgspec.Struct):
    """One claim of the record beside the computed value; `what` says what it is about."""
    what: str
    pointer: str
    claimed: int | str | list[int] | None
    computed: int | str | list[int] | None
    status: Literal["equal", "differs", "unclaimed", "open"]
    because_of: Cause | None = ...

class Report(msgspec.Struct, kw_only=True):
    """The report on one record; the published schema is made from this struct."""
    format: Literal["bezique-report"] = ...
    version: str = ...
    verdict: Verdict
    finished: bool = ...
    known: bool = ...
    file: str | None = ...
    line: int | None = ...
    digest: str | None = ...
    rules: ResolvedRules | None = ...
    scores: list[int | None] | None = ...
    settlement: list[int] | None = ...
    winner: int | None = ...
    deals: int = ...
    events: int = ...
    assignments: Assignments | None = ...
    findings: list[Finding] = ...
    groups: list[FindingGroup] = ...
    reconciliation: list[Claim] = ...
