"""Every sentence of a finding is made from the template of its code, and reads as English."""

import ast
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

import records
from records.event_words import describe_event
from records.format.codec import decode
from records.format.files import read_entries
from records.record import Record
from records.rules.compare import compare_rule_sheets
from records.rules.english import explain_sheet, explanation_text
from records.rules.registry import ALL_SHEETS, resolve_sheet
from records.rules.vocabulary import ChoiceOption
from records.validate.codes import FINDING_CODES, FindingCode
from records.validate.finding import Finding
from records.validator import check_path, check_record
from tests.make.tables import Told, table
from tests.samples.make import SAMPLES
from tests.samples.unreadable import deal, game, text

PACKAGE = Path(records.__file__).parent
MAKERS = ("make_finding", "make_breach", "breach_by", "_broken", "sentence", "RulesError")
"""What makes a sentence: its code and facts are the arguments."""
MODULES = [
    *(PACKAGE / "validate").glob("check_*.py"),
    *(PACKAGE / f"format/{name}.py" for name in ("codec", "containers", "diagnosis", "files", "semantics", "text_places")),
    *(PACKAGE / name for name in ("replay.py", "validator.py", "proposed_lines.py", "validate/dispatch.py",
                                  "validate/breach.py", "validate/finding.py", "engine/reuse.py",
                                  "partial/record_search.py", "rules/registry.py")),
]  # fmt: skip
ALWAYS_KNOWN = {"clause", "expected", "found", "player"}
"""Places that the makers fill themselves."""


def places(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def readings_of(code: FindingCode) -> list[str]:
    """The message with each of its clauses."""
    clauses = code.clauses.values() or [""]
    return [code.message.replace("{clause}", clause) for clause in clauses]


def fits(message: str, template: str) -> bool:
    pattern = "".join(
        re.escape(literal) + (".+" if name else "")
        for literal, name, _, _ in string.Formatter().parse(template)
    )
    return re.fullmatch(pattern, message, re.DOTALL) is not None


@cache
def sample_findings() -> list[Finding]:
    return [
        finding
        for path in sorted((SAMPLES / "broken").iterdir())
        for report in check_path(path)
        for finding in report.findings[:20]
    ]


def test_the_samples_are_told_by_their_templates() -> None:
    codes = {finding.code for finding in sample_findings()}
    assert len(codes) > 100
    for finding in sample_findings():
        assert any(fits(finding.message, way) for way in readings_of(FINDING_CODES[finding.code]))
        assert "{" not in finding.message


@pytest.mark.parametrize("code", FINDING_CODES.values(), ids=lambda code: code.code)
def test_a_template_is_whole(code: FindingCode) -> None:
    """A sentence that ends, with the place of a clause where there are clauses."""
    assert ("{clause}" in code.message) == bool(code.clauses)
    assert code.message.endswith(".") or code.code in ("line-not-lawful", "bad-sheet")
    assert not any(clause.endswith(".") for clause in code.clauses.values())


def calls(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield node


def name_of(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def code_of(call: ast.Call) -> FindingCode | None:
    given = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
    return next((FINDING_CODES[value] for value in given if value in FINDING_CODES), None)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_sentence_is_built_outside_the_catalogue(path: Path) -> None:
    """No message is a text written where the error is found, nor is a sentence written there."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    sentences = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        and id(node) not in docstrings and re.search(r"\w \w.*\.$", node.value)
    ]  # fmt: skip
    assert sentences == []
    messages = [
        keyword.value
        for call in calls(path)
        for keyword in call.keywords
        if keyword.arg == "message"
    ]
    assert all(isinstance(value, ast.Attribute | ast.Call) for value in messages)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_whoever_makes_a_sentence_gives_its_facts(path: Path) -> None:
    """The facts fill every place of the template, and a clause is one that the code has."""
    for call in calls(path):
        code = code_of(call)
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        # An error with words of its own, for who is no record, makes no sentence of the code.
        if code is None or name_of(call) not in MAKERS or {None, "words"} & given.keys():
            continue
        clause = given.get("clause")
        named = clause.value if isinstance(clause, ast.Constant) else None
        assert (clause is not None) == bool(code.clauses), code.code
        assert named is None or named in code.clauses, (code.code, named)
        template = code.message + (code.clauses[str(named)] if named else "")
        assert places(template) - ALWAYS_KNOWN <= given.keys(), code.code


def test_every_clause_is_used() -> None:
    words = {
        node.value
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
    }
    kinds = {"Play", "Trick", "Declare", "Dix", "Discard", "exchange", "show", "play"}
    clauses = {clause for code in FINDING_CODES.values() for clause in code.clauses}
    assert clauses - words - kinds == set()


WON = "turn-up 8C | stock 1 | N won"
CLOSED = "N: 9S 8S | S: 9H 8H | trump H"

SENTENCES: list[tuple[str, Told]] = [
    (
        "South plays the 9 of hearts, but it is North's turn to play.",
        table("N: 9S | S: 9H KH | trump C | N replies to KD", "S 9H"),
    ),
    (
        "North plays the king of spades from the table, but it is in the hand.",
        table("N: KS 9S | S: 9H 9D | turn-up 8C | stock 1 | N leads", "N KS from table"),
    ),
    (
        "North draws the king of clubs, but has already drawn; it is South's turn to draw.",
        table(f"N: 9S | S: 9H | {WON}", "N draws QC, N draws KC"),
    ),
    (
        "North draws the king of clubs, but the stock is empty.",
        table(f"{CLOSED} | N leads", "N draws KC"),
    ),
    (
        "North draws the 2 of clubs, which is not in this game's pack.",
        table(f"N: 9S | S: 9H | {WON}", "N draws 2C"),
    ),
    (
        "North melds at the wrong time; the winner of a trick melds before drawing.",
        table(
            "N: AS KS QS | S: 7S 9H 9D | turn-up 8C | stock 9 | N leads",
            "N AS, S 7S, N draws 9C, S draws 8D, N melds marriage KS QS",
        ),
    ),
    (
        "North melds after the deal is over.",
        table("N: KS | S: 7S | trump H | N leads", "N KS, S 7S, N melds marriage KS QS"),
    ),
    (
        "North exchanges the seven of trumps as well; that counts as a meld here, and a trick won"
        " allows one meld.",
        table(
            "N: KS QS 7C | S: 9S 9H 9D | turn-up 8C | stock 3 | N won",
            "N melds marriage KS QS 20, N dix exchange 10",
            exchange_is_the_meld=True,
        ),
    ),
    (
        "North melds K♥ Q♥ as a bezique, but these cards form a marriage.",
        table("N: KH QH JH | S: 7S 8D 9D | turn-up 9C | stock 3 | N won", "N melds bezique KH QH"),
    ),
    (
        "North melds four aces without holding the ace of diamonds and the ace of clubs.",
        table(
            "N: AS AH 9D 9C | S: 7S 8D 9H 9S | turn-up 9C | stock 3 | N won",
            "N melds four_aces AS AH AD AC",
        ),
    ),
    (
        "North melds four aces as well, but a trick won allows one meld.",
        table(
            "N: AS AH AD AC KS QS | S: 7S 8D 9H 9S 7H 7D | turn-up 9C | stock 3 | N won",
            "N melds marriage KS QS, N melds four_aces AS AH AD AC",
        ),
    ),
    (
        "North shows the 7 of spades but the dix is the 7 of clubs.",
        table(f"N: 7S | S: 9H | {WON}", "N dix show 7S"),
    ),
    (
        "North exchanges the seven of trumps, but the turn-up is itself a seven.",
        table("N: 7C | S: 9H | turn-up 7C | stock 1 | N won", "N dix exchange 10"),
    ),
    (
        "South is named the winner of a trick, but the winner of this trick has already been named.",
        table(f"{CLOSED} | N leads", "N 9S, S 8H, S takes, S takes"),
    ),
    (
        "South claims points for the last trick, but North earned them.",
        table("N: 9S | S: 8S | trump H | N leads", "N 9S, S 8S, S scores last_trick 10"),
    ),
    (
        "North claims 1 point for the last trick; the rules give 10.",
        table("N: 9S | S: 8S | trump H | N leads", "N 9S, S 8S, N scores last_trick 1"),
    ),
    (
        "South plays the 8 of hearts after the deal is over.",
        table("N: 9S | S: 8S | trump H | N leads", "N 9S, S 8S, S 8H"),
    ),
]


@pytest.mark.parametrize(("sentence", "told"), SENTENCES, ids=lambda value: "")
def test_a_sentence_of_the_replay(sentence: str, told: Told) -> None:
    assert sentence in [finding.message for finding in told.findings]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "There is nothing to read."),
        ("{}".encode("utf-16"), "The text is not UTF-8: it is UTF-16."),
        (
            game(ext={"org.example": "?"}).replace(b'"?"', b'"\\ud800"'),
            "The text is not UTF-8: it has half of a character (a lone surrogate).",
        ),
        (
            game() + b" {}",
            f"This is not JSON: the record ends, but more text follows at column {len(game()) + 2}; a file of"
            " several records has one record per line and is named .jsonl.",
        ),
        (b'{"a" 1}', "This is not JSON: expecting ':' delimiter at column 6."),
        (
            game(meta={"a": "?"}).replace(b'"?"', b"NaN"),
            "This is not JSON: NaN is not a JSON number.",
        ),
        (b"[]", "A record should be an object, not a list."),
        (b"{}", "This is not a bezique-record: it has no member `format`."),
        (deal(dealer=-1), "-1 is out of range: `dealer` can be 0 to 1."),
        (game(result={"winner": 2}), "Side 2 is out of range: the record has 2 sides, numbered 0 to 1."),
        (
            game(ext={"org.example": 1e300}).replace(b"1e+300", b"1e400"),
            '"inf" is out of range: an integer of `ext` or `meta` has at most 4,300 digits, and a fraction is below'
            " 1.8e308.",
        ),
        (
            deal(hands=[["QS.1", "KS", "JD"], ["QS"]]),
            "KS and 2 others here do not have a label, but other cards of the record do.",
        ),
        (
            game(deals=[{"dealer": 0}], notes=[{"at": [0, 0], "text": ""}]),
            "Event 0, counted from 0, does not exist; deal 0 has no events.",
        ),
        (
            game(notes=[{"at": [0, 0, 0], "text": ""}]),
            "`at` has 3 entries; it needs [deal] or [deal, event].",
        ),
        (game(deals=[{"dealer": 0}], lines=[{"at": [0], "events": []}]),
         "A line starts at an event, so its `at` is [deal, event]."),
        (deal(events=[{"seat": 0}]), "An event lacks the member `type`."),
        (deal(events=[{"type": 3}]), "`type` should be a text, not a number."),
        (deal(events=[7]), "An event should be an object, not a number."),
        (deal(events=[{"type": "play", "card": "AS"}]), "A play event lacks the member `seat`."),
        (game(rules={}), "`rules` lacks the member `id`."),
        (deal(knowledge="seat"), "A deal with the knowledge of one seat lacks the member `seat`."),
        (text([1]), "A record should be an object, not a list."),
    ],
)  # fmt: skip
def test_a_sentence_of_the_decoder(data: bytes, sentence: str) -> None:
    assert sentence in [finding.message for finding in decode(data).findings]


def test_a_name_is_quoted_exactly() -> None:
    """Also where it looks like a place of a template, or starts with a small letter."""
    (entry,) = read_entries(SAMPLES / "broken" / "must-follow-suit.json")
    record: Record | None = decode(entry.data).record
    assert record is not None
    renamed = replace(record, players=[replace(p, name="{card} o'") for p in record.players])
    (finding, *_) = check_record(renamed).findings
    assert finding.message.startswith("{card} o' plays the 7 of clubs")


# what no sentence says

SLIPS = [
    re.compile(r"(?<![\d.,:-])\b1 (?!(?:is|as|was|has|does)\b)[a-z]+s\b"),
    re.compile(r"\ba [aeiou]", re.IGNORECASE),
    re.compile(r"\ba 8\b"),
    re.compile(r"\ban [b-df-hj-np-tv-z]"),
    re.compile(r"\ba (?:two|three|four|five|marriages)\b"),
    re.compile(r"  |\.\.|\s[.,;](?!\w)"),
]
FINE = re.compile(r"\ba (?:one|usual|unit|uni)", re.IGNORECASE)


def slips(sentences: list[str]) -> list[str]:
    return [said for said in sentences if any(slip.search(FINE.sub("", said)) for slip in SLIPS)]


def test_a_slip_is_seen() -> None:
    said = ["1 hands are dealt", "melds a four aces", "a ace", "an king", "has 1 cards", "so , is"]
    assert slips(said) == said
    assert slips(["1 hand is dealt", "an 8 of hearts", "column 1 is", "a king"]) == []


def test_the_findings_read_as_english() -> None:
    assert slips([finding.message for finding in sample_findings()]) == []
    assert slips([f.message for _, told in SENTENCES for f in told.findings]) == []


def test_the_catalogue_reads_as_english() -> None:
    for code in FINDING_CODES.values():
        assert slips([code.title, code.meaning, *readings_of(code)]) == [], code.code


@pytest.mark.parametrize("sheet", ALL_SHEETS, ids=lambda sheet: sheet.id)
def test_a_sheet_reads_as_english(sheet) -> None:
    for option in sheet.options:
        values = (
            option.permitted if isinstance(option, ChoiceOption) else (option.least, option.most)
        )
        for value in values:
            resolved = resolve_sheet(sheet.id, None, {option.name: value})
            explained = explain_sheet(resolved.sheet, resolved.options)
            said = [sentence for part in explained.sections for sentence in part.sentences]
            assert slips(said) == []
            assert "\n" in explanation_text(explained)


def test_the_events_read_as_english() -> None:
    for path in sorted((SAMPLES / "good").iterdir()):
        record = decode(path.read_bytes()).record
        assert record is not None
        names = [player.name for player in record.players]
        events = [event for deal in record.deals for event in deal.events]
        assert slips([describe_event(event, names) for event in events]) == [], path.stem


def test_the_comparison_reads_as_english() -> None:
    rows = [row for group in compare_rule_sheets(ALL_SHEETS).groups for row in group.rows]
    assert slips([row.name for row in rows]) == []
    assert slips([cell.text for row in rows for cell in row.cells]) == []
