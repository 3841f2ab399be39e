"""The published grammar of the notation and the reader: the same texts, line by line."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from records.documents.schemas import SPEC_FOLDER
from records.events import MELD_NAMES, SCORE_NAMES
from records.format import codec
from records.format.notation import NotationError
from records.format.notation_reader import read_notation
from records.format.notation_writer import write_notation
from tests.records.format.ebnf import Grammar, Special
from tests.records.strategies import JSON, TEXTS, records

PAGE = (SPEC_FOLDER / "notation.md").read_text()
SAMPLES = Path(__file__).parents[3] / "samples"
_JSON = json.JSONDecoder(parse_constant=lambda name: 1 / 0)


def written(pattern: str, texts: st.SearchStrategy[str]) -> Special:
    compiled = re.compile(pattern)

    def ends(text: str, at: int) -> list[int]:
        match = compiled.match(text, at)
        return [] if match is None else [match.end()]

    return Special(ends, texts)


def json_of(*kinds: type) -> Special:
    def ends(text: str, at: int) -> list[int]:
        if text[at : at + 1] in ("", " ", "\t", "\r"):
            return []
        try:
            value, end = _JSON.raw_decode(text, at)
        except (ValueError, ZeroDivisionError):
            return []
        return [end] if isinstance(value, kinds) else []

    values = JSON.filter(lambda value: isinstance(value, kinds))
    if kinds == (dict,):
        values = st.dictionaries(TEXTS, JSON, max_size=2)
    return Special(ends, (TEXTS if kinds == (str,) else values).map(json.dumps))


def one_of(names: tuple[str, ...]) -> Special:
    return written(rf"(?:{'|'.join(names)})(?![a-z_])", st.sampled_from(names))


SPECIALS = {
    "any characters": Special(lambda text, at: [len(text)], st.text('ab "[(', max_size=5)),
    "tab": written("\t", st.just("\t")),
    "carriage return": written("\r", st.just("\r")),
    "a JSON object": json_of(dict),
    "a JSON text in quotes": json_of(str),
    "a JSON value": json_of(object),
    "a JSON value but a list or an object": json_of(str, int, float, bool, type(None)),
    "a meld name": one_of(MELD_NAMES),
    "a name of what scores": one_of(SCORE_NAMES),
    "a letter or _, then letters, digits and _ . -": written(
        r"[A-Za-z_][A-Za-z0-9_.-]*", st.sampled_from(["zique", "org.example.table", "_", "true"])
    ),
}
TYPED_SOURCE, SOURCE = re.findall(r"```ebnf\n(.*?)```", PAGE, re.DOTALL)
GRAMMAR = Grammar(SOURCE, SPECIALS)
NAMES = ("Ann", "Bob", "Cecilia", "Dan", "Eve", "Fay")
TYPED_SPECIALS = {
    "the name of a player": one_of(NAMES),
    "any characters but a brace": written(r"[^{}]*", st.text('ab "[(', max_size=5)),
    "a meld name, with blanks or hyphens in place of _, and 4 in place of four": written(
        r"(?!)",
        st.builds(
            lambda name, gap, four: name.replace("_", gap).replace("four", four),
            st.sampled_from(MELD_NAMES), st.sampled_from([" ", "-", "_", "  "]), st.sampled_from(["four", "4"]),
        ),
    ),
}  # fmt: skip
TYPED = Grammar(SOURCE + TYPED_SOURCE, SPECIALS | TYPED_SPECIALS)
HEAD = '[bezique 1.0]\n[rules zique]\n[player a "Ann"]\n[player b "Bob"]\n'
STARTS = {
    "record": "[bezique 1.0]\n",
    "players": HEAD,
    "deal": HEAD + "[deal a]\n",
    "setup": HEAD + "[deal a]\n[setup a]\n",
    "event": HEAD + "[deal a]\na:QS\n",
    "line of play": HEAD + "[deal a]\na:QS\n(a:KS\n",
    "open": HEAD + "[deal a]\na:QS\n(\n",
}
"""What stands before a line that is tried."""
OF_CONTEXT = re.compile(
    "first|said above|seat [a-f]|no more seats|a side|who plays|ends the line|a tag of|a tag, such|levels of|"
    "an event, such|a record begins"
)
"""What the reader expects where the grammar alone would allow a line."""


def sample_records() -> Iterator[tuple[str, codec.DecodedRecord]]:
    for path in sorted(SAMPLES.glob("*/*.json")):
        decoded = codec.decode(path.read_bytes())
        if decoded.record is not None:
            yield path.stem, decoded


def test_every_production_is_used_and_every_name_has_one() -> None:
    assert GRAMMAR.names_used() | {"line"} == set(GRAMMAR.rules)
    assert TYPED.names_used() | {"line", "typed line"} == set(TYPED.rules)
    assert set(re.findall(r"\? (.*?) \?", SOURCE)) == set(SPECIALS)
    assert set(re.findall(r"\? (.*?) \?", TYPED_SOURCE)) == set(TYPED_SPECIALS) | {"any characters"}


def shape(line: str) -> str:
    """A line with one card and one number in place of all."""
    return re.sub(r"[0-9]+", "1", re.sub(r"[AKQJT2-9?][SHDC?]", "QS", line))


@pytest.mark.long
def test_the_grammar_describes_every_sample() -> None:
    seen: set[str] = set()
    for name, decoded in sample_records():
        assert decoded.record is not None
        for line in write_notation(decoded.record).split("\n"):
            if shape(line) not in seen and len(line) < 1000:
                assert GRAMMAR.matches("line", line), (name, line)
                seen.add(shape(line))
    assert len(seen) > 200


@settings(max_examples=4)
@given(records())
def test_the_grammar_describes_all_that_is_written(record) -> None:
    for line in write_notation(record).split("\n"):
        assert GRAMMAR.matches("line", line), line


def refusals(line: str) -> list[str]:
    """What the reader expects in place of a line, after each of the starts."""
    found = []
    for start in STARTS.values():
        try:
            read_notation(start + line + (")" if "(" in start.rpartition("\n[")[2] else ""))
        except NotationError as error:
            found += [mistake.expected for mistake in error.mistakes[:1]]
    return found


@pytest.mark.long
@settings(max_examples=60)
@given(GRAMMAR.texts("line"))
def test_the_reader_reads_all_that_the_grammar_describes(line: str) -> None:
    expected = refusals(line)
    assert len(expected) < len(STARTS) or all(map(OF_CONTEXT.search, expected)), expected


@pytest.mark.slow
@settings(max_examples=60)
@example("AS ? and KS", True)
@given(TYPED.texts("typed line"), st.booleans())
def test_all_that_the_page_says_people_type_is_understood(line: str, capitals: bool) -> None:  # noqa: FBT001
    players = "".join(f'[player {"abcdef"[seat]} "{name}"]\n' for seat, name in enumerate(NAMES))
    typed = line.upper() if capitals and "{" not in line else line
    text = f"[bezique 1.0]\n[rules zetema]\n{players}[deal a]\na:QS\n{typed}"
    codes = {finding.code for finding in codec.decode(text.encode()).findings}
    assert not codes & {"not-notation", "several-readings"}, typed


LINES = sorted(
    {
        line
        for name, decoded in sample_records()
        if decoded.record is not None
        for line in write_notation(decoded.record).split("\n")[:60]
        if len(line) < 200
    }
    | {*re.findall(r"^\| `(.*?)` \|", PAGE, re.M)}
)


@pytest.mark.long
@settings(max_examples=60)
@given(st.sampled_from(LINES), st.data())
def test_what_the_grammar_does_not_describe_is_refused(line: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(line)))
    cut = data.draw(st.integers(0, 2))
    put = data.draw(st.text('ab:+-=()[]"{} \tQSKTh10.?#é', max_size=2))
    changed = line[:at] + put + line[at + cut :]
    if not GRAMMAR.matches("line", changed):
        assert len(refusals(changed)) == len(STARTS), changed


@pytest.mark.parametrize("kind", ["notation", "notation deal"])
def test_the_examples_of_the_page_are_canonical(kind: str) -> None:
    blocks = re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    assert blocks
    for block in blocks:
        text = block if kind == "notation" else f"{HEAD}\n[deal a]\n\n{block}"
        record = codec.decode(text.encode()).record
        assert record is not None
        assert write_notation(record) == text


def test_the_whole_deal_of_the_page_is_the_sample() -> None:
    decoded = codec.decode((SAMPLES / "good" / "zique.json").read_bytes())
    assert decoded.record is not None
    assert f"```notation\n{write_notation(decoded.record)}```" in PAGE
