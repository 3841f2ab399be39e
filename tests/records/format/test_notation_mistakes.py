"""Texts that leave the grammar: each mistake has its line and column, and nothing else is ever raised."""

from collections.abc import Sequence
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from records.format import codec, notation_reader
from records.format.files import read_entries
from records.format.notation import NotationError, NotationMistake, NotationTooLarge
from records.format.notation_reader import read_notation
from records.format.text_places import find_text_places
from records.validator import check
from tests.machine.cpu_cost import CpuCost

HEAD = '[bezique 1.0]\n[rules zique]\n[player a "Ann"]\n[player b "Bob"]\n\n'
DEAL = HEAD + "[deal a]\n"


def mistakes_in(text: str) -> Sequence[NotationMistake]:
    try:
        read_notation(text)
    except NotationError as error:
        return error.mistakes
    return ()


def mistakes(text: str) -> list[tuple[int, int, str, str]]:
    """Line, column, what was expected and what was found."""
    with pytest.raises(NotationError) as raised:
        read_notation(text)
    return [tuple(mistake) for mistake in raised.value.mistakes]


@pytest.mark.parametrize(
    ("line", "column", "expected", "found"),
    [
        ("a:AX", 3, "a card, takes, or", "“AX”"),
        ("a:QS 9d", 6, "an event, such as", "“9d”"),
        ("a:QS KS+", 8, "a blank", "“+”"),
        ("(QS", 2, "who plays the first card", "“QS”"),
        ("a:QS.9", 5, "a blank", "“.9”"),
        ("a:wins", 3, "takes, or what is done", "“wins”"),
        ("a:marriage(KS QS", 17, "a card or “)”", "the end of the line"),
        ("a:marriage KS", 11, "“(”", "a blank"),
        ("a:marriage(KS QS)=x", 19, "a number", "“x”"),
        ("a:marriage(KS QS)=08", 19, "a number", "“08”"),
        ("a:dix(swap)", 7, "exchange, show or play", "“swap”"),
        ("a:score(luck)", 9, "what scores: turned_seven", "“luck”"),
        ("a+", 3, "a card", "the end of the line"),
        ("12ms", 1, "an event, such as", "“12ms”"),
        ('a:QS "oh', 6, "a text in quotes, written as in JSON", "“\"”"),
        ("a:QS {]", 6, "a JSON value", "“{”"),
        ("a:QS )", 6, "an event, such as", "“)”"),
        ("[hand b QS]", 7, "seat a", "“b”"),
        ("[hand a QS", 11, "“]”", "the end of the line"),
        ("[hand a QS] x", 13, "nothing after the “]”", "“x”"),
        ("[claims 1 x]", 11, "“]”", "“x”"),
        ("a:dix(exchange=10", 15, "a blank or a closing bracket", "“=10”"),
        ("[trump H]", 8, "[setup …] first", "“H”"),
        ("[hands a QS]", 2, "a tag of a deal: ", "“hands”"),
        ("[knowledge most]", 12, "a level of knowledge: full", "“most”"),
    ],
)  # fmt: skip
def test_a_mistake_says_where_it_is_and_what_was_expected(
    line: str, column: int, expected: str, found: str
) -> None:
    ((at_line, at_column, said, there),) = mistakes(DEAL + line)
    assert (at_line, at_column) == (7, column)
    assert said.startswith(expected)
    assert there.startswith(found)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("[bezique 1.0", 1, 13),
        ("[bezique 1.0\n[rules zique]", 1, 13),
        (HEAD + "[sides ac bd", 6, 13),
        (DEAL + "[setup a]\n[stock 11", 8, 10),
        (DEAL + "[setup a]\n[stock 11 7]", 8, 11),
    ],
)
def test_a_tag_that_is_not_closed_asks_for_its_bracket(text: str, line: int, column: int) -> None:
    at_line, at_column, said, _ = mistakes(text)[0]
    assert (at_line, at_column, said) == (line, column, "“]”")


@pytest.mark.parametrize(
    "text", ["[bezique]", "[bezique]\n[rules zique]\n", "[bezique\n[rules zique]"]
)
def test_a_record_without_a_version_is_told_of_it(text: str) -> None:
    """No JSON begins so: that it is not JSON would help nobody."""
    first = check(text.encode()).findings[0]
    assert first.code == "not-notation"
    assert "expected the version of the format" in first.message


def test_comments_may_stand_above_a_record() -> None:
    text = "# Thursday, table 2\r\n\n  # Ann deals\n" + DEAL
    assert check(text.encode()).verdict == check(DEAL.encode()).verdict == "incomplete"
    two = (text + "\n# Friday\n" + DEAL).encode()
    read = [codec.decode(entry.data).findings for entry in read_entries(BytesIO(two))]
    assert read == [[], []]


def test_every_line_with_a_mistake_is_told() -> None:
    text = DEAL + "a:XX\na:QS 9S\n\n# a comment\n(a:KS\n[claims 1]\na:9S)\nb:zz\n"
    assert [(line, column) for line, column, *_ in mistakes(text)] == [(7, 3), (12, 1), (14, 3)]


def test_an_open_bracket_is_told_at_the_end() -> None:
    ((*_, expected, found),) = mistakes(DEAL + "a:QS (a:KS")
    assert expected.startswith("“)”")
    assert found == "the end of the text"


def test_the_report_has_a_finding_for_each_mistake_and_groups_none() -> None:
    report = check((DEAL + "a:XX\nb:YY").encode())
    assert report.verdict == "unreadable"
    assert [finding.code for finding in report.findings] == ["not-notation"] * 2
    assert [group.message for group in report.groups] == [
        finding.message for finding in report.findings
    ]
    assert report.findings[1].message.startswith("Line 8, column 3: expected a card")


def test_other_findings_point_to_their_lines() -> None:
    text = DEAL.replace("deal a", "deal d") + "a:QS.1 9S\n"
    data = ("\ufeff\n" + text).encode()
    told = {finding.code: finding for finding in check(data).findings}
    places = find_text_places(data, [*told.values()], first_line=10)
    found = {code: at for code, at in zip(told, places, strict=True) if at is not None}
    assert found["out-of-range"] == (16, 7)
    assert found["mixed-labels"] == (17, 8)


def test_what_the_format_forbids_is_found_as_in_json() -> None:
    players = "".join(f'[player {letter} "x"]\n' for letter in "a")
    report = check(f"[bezique 1.0]\n[rules zique]\n{players}".encode())
    assert [finding.code for finding in report.findings] == ["too-few-players"]
    report = check(b"[bezique 2.0]\n")
    assert [finding.code for finding in report.findings] == ["unsupported-version"]


def test_of_very_many_mistakes_a_thousand_are_told() -> None:
    codes = [one.code for one in codec.decode((DEAL + "x\n" * 2_000).encode()).findings]
    assert codes == ["not-notation"] * 1_000 + ["too-many-errors"]


PIECES = st.sampled_from(
    [HEAD, DEAL, "a:QS ", "KS ", "(", ")", '"x" ', "by ", "[setup a]\n", "[hand a ", "]\n", "\n", "{}", "5ms ",
     "a:marriage(", "KS QS)=40 ", "a+9D ", "[json ", "notes ", "[", "1. ", "\t", "\r\n", "\x00", "é", "\u2028"]
)  # fmt: skip


@settings(max_examples=40)
@given(st.lists(PIECES | st.text(max_size=4), max_size=12).map("".join))
def test_random_text_raises_nothing_but_the_one_error(text: str) -> None:
    for given_text in (text, HEAD + text, DEAL + text):
        lines, found = given_text.split("\n"), mistakes_in(given_text)
        for mistake in found:
            assert 1 <= mistake.line <= len(lines)
            assert 1 <= mistake.column <= len(lines[mistake.line - 1]) + 1
        assert len({mistake.line for mistake in found}) == len(found)
        check(given_text.encode())


SHAPES = {
    "events": (DEAL, "a+?? "),
    "lines of events": (DEAL, "a:QS\n"),
    "lines of play": (DEAL, "() "),
    "notes": (DEAL, '"" '),
    "deals": (HEAD, "[deal a]\n"),
    "cards": (DEAL + "[hand a", " QS"),
    "mistakes": (DEAL, "x\n"),
    "one long word": (DEAL, "a"),
    "digits": (DEAL + "a:score(brisques ", "9"),
    "quotes": (DEAL + "a:QS ", '"'),
    "brackets of JSON": (HEAD + "[meta x ", "["),
    "escapes": (HEAD + '[meta x "', "\\\\"),
    "blanks": (DEAL, " "),
    "empty lines": (DEAL, "\n"),
    "tables": (DEAL + "[setup a]\n[table a", " bezique()"),
    "metas": (HEAD, "[meta a 1]\n"),
}


def cost(head: str, piece: str, size: int) -> float:
    text = head + piece * (size // len(piece))
    with CpuCost() as measured:
        mistakes_in(text)
    return measured.seconds


@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_text(shape: str) -> None:
    short, long = (cost(*SHAPES[shape], size) for size in (20_000, 80_000))
    assert long < max(10 * short, 0.2)


def test_a_text_that_denotes_too_large_a_record_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(notation_reader, "MAX_RECORD_BYTES", 100_000)
    text = DEAL + "a+??\n" * 5_000
    with pytest.raises(NotationTooLarge):
        read_notation(text)
    assert [one.code for one in codec.decode(text.encode()).findings] == ["record-too-large"]
