"""What people type in place of the notation: every habit, and all of them at once, give the record that was meant."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from records.events import Declare, Meld
from records.format import codec
from records.format.notation_writer import write_notation
from records.format.text_places import find_text_places
from records.rules.registry import ALL_SHEETS
from records.selfplay import play_game
from records.validator import check, check_path
from tests.machine.cpu_cost import CpuCost

TYPED = Path(__file__).parents[4] / "shared" / "found2" / "people"

# Habits: each rewrites a line of canonical notation, without knowing how it will be read.

CARD = re.compile(r"(?<![A-Za-z0-9\"])([AKQJT2-9])([SHDC])(?![A-Za-z0-9\"])")
RANKS = {
    "A": "ace",
    "K": "king",
    "Q": "queen",
    "J": "jack",
    "T": "ten",
    "9": "nine",
    "8": "eight",
    "7": "seven",
}
SUITS = {"S": ("♠", "spades"), "H": ("♥", "hearts"), "D": ("♦", "diamonds"), "C": ("♣", "clubs")}
ACTOR = re.compile(r"(?<!\S)([a-f])([:+-])(?=\S)")
Habit = Callable[[str, Random], str]


def on_cards(spell: Callable[[str, str], str]) -> Habit:
    """A habit that spells some of the cards of a line in another way."""
    return lambda line, rng: CARD.sub(
        lambda card: spell(card[1], card[2]) if rng.random() < 0.5 else card[0], line
    )


def on_actors(spell: Callable[[str, str], str]) -> Habit:
    """A habit that writes some of those who act in another way."""
    return lambda line, rng: ACTOR.sub(
        lambda actor: spell(actor[1], actor[2]) if rng.random() < 0.5 else actor[0], line
    )


NAMES = {"a": "Ann", "b": "Bob", "c": "Cecilia", "d": "Dan", "e": "Eve", "f": "Fay"}
EVENT_HABITS: dict[str, Habit] = {
    "small letters": on_cards(lambda rank, suit: (rank + suit).lower()),
    "ten in figures": on_cards(lambda rank, suit: ("10" if rank == "T" else rank) + suit),
    "a ten with a letter": on_cards(lambda rank, suit: ("1O" if rank == "T" else rank) + suit),
    "a ten of nothing": on_cards(lambda rank, suit: ("0" if rank == "T" else rank) + suit),
    "a ten and a blank": on_cards(lambda rank, suit: ("10 " if rank == "T" else rank) + suit),
    "Cyrillic letters": on_cards(lambda rank, suit: (rank + suit).translate(str.maketrans("AKTC", "АКТС"))),
    "Greek letters": on_cards(lambda rank, suit: (rank + suit).translate(str.maketrans("AKTH", "ΑΚΤΗ"))),
    "wide letters": on_cards(lambda rank, suit: "".join(chr(ord(sign) + 0xFEE0) for sign in rank + suit)),
    "suit signs": on_cards(lambda rank, suit: rank + SUITS[suit][0]),
    "signs as pictures": on_cards(lambda rank, suit: f"{rank}{SUITS[suit][0]}\ufe0f"),
    "sign first": on_cards(lambda rank, suit: SUITS[suit][0] + rank),
    "suit first": on_cards(lambda rank, suit: (suit + rank).lower()),
    "words": on_cards(lambda rank, suit: f"{RANKS.get(rank, rank)} of {SUITS[suit][1]}"),
    "blank after the colon": on_actors(lambda seat, sign: f"{seat}{sign} "),
    "blank for the colon": on_actors(lambda seat, sign: f"{seat} " if sign == ":" else seat + sign),
    "capital seats": on_actors(lambda seat, sign: seat.upper() + sign),
    "names for seats": on_actors(lambda seat, sign: NAMES[seat] + sign),
    "names and verbs": on_actors(
        lambda seat, sign: NAMES[seat] + {":": ": ", "+": " draws ", "-": " discards "}[sign]
    ),
    "melds without brackets": lambda line, rng: re.sub(r":(\w+)\(([A-Z0-9 ]+)\)(?!=)(?=\s|$)", r":\1 \2", line),
    "melds in words": lambda line, rng: re.sub(
        r":([a-z_]+)\((?=[A-Z])", lambda meld: f": {meld[1].replace('_', ' ')} (", line
    ),
    "melds with a verb": lambda line, rng: re.sub(
        r":(?!dix|carte)([a-z_]+)\((?=[A-Z])", lambda meld: f" {rng.choice(['melds', 'melds a', 'announces the'])} {meld[1].replace('_', ' ')} (", line
    ),
    "points in brackets": lambda line, rng: re.sub(r"\)=(\d+)", r") (\1)", line),
    "points with a plus": lambda line, rng: re.sub(r"\)=(\d+)", r") +\1", line),
    "bare points": lambda line, rng: re.sub(r"\)=(\d{2,})$", r") \1", line),
    "the dix in words": lambda line, rng: line.replace(":dix(exchange)", rng.choice([" exchanges the dix", ": swaps the seven of trumps for the turn-up"])),
    "points in words": lambda line, rng: re.sub(r"\)=(\d+)", r") for \1 points", line),
    "dix with blanks": lambda line, rng: re.sub(r":dix\((\w+)", r": dix (\1", line),
    "the trick in words": lambda line, rng: line.replace(":takes", " takes the trick"),
    "no numbers": lambda line, rng: re.sub(r"^\d+\. ", "", line),
    "numbers with a word": lambda line, rng: re.sub(r"^(\d+)\. ", r"Trick \1: ", line),
    "numbers with a letter": lambda line, rng: re.sub(r"^(\d+)\. ", r"T\1 ", line),
    "numbers in brackets": lambda line, rng: re.sub(r"^(\d+)\. ", r"(\1) ", line),
    "arrows": lambda line, rng: re.sub(r"(?<=[SHDC]) (?=[AKQJT2-9][SHDC]$)", rng.choice([" -> ", " → ", " > "]), line),
    "a score in brackets": lambda line, rng: f"{line} ({rng.randrange(900)}:{rng.randrange(900)})",
    "a score in columns": lambda line, rng: f"{line}\t{rng.randrange(900)}\t{rng.randrange(900)}",
    "a comment behind dashes": lambda line, rng: f"{line} -- well played",
    "brackets behind numbers": lambda line, rng: re.sub(r"^(\d+)\. ", r"\1) ", line),
    "no-break blanks": lambda line, rng: line.replace(" ", "\u00a0"),
    "marks without width": lambda line, rng: "".join(sign + "\u200b" * (rng.random() < 0.1) for sign in line),
    "many blanks": lambda line, rng: line.replace(" ", "   \t"),
    "commas": lambda line, rng: re.sub(r"(?<=[SHDC]) (?=[AKQJT2-9][SHDC])", ", ", line),
    "a score behind": lambda line, rng: f"{line}    {rng.randrange(900)}-{rng.randrange(900)}",
    "a comment behind": lambda line, rng: f"{line} ; {rng.choice(['well played', 'a:QS?', '[sic]'])}",
    "a comment in braces": lambda line, rng: f"{line} {{what a pity}}",
}  # fmt: skip
TAG_HABITS: dict[str, Habit] = {
    "capitals": lambda line, rng: re.sub(r"^\[(\w+)", lambda tag: f"[{tag[1].capitalize()}", line),
    "open brackets": lambda line, rng: line.removesuffix("]"),
    "blanks inside": lambda line, rng: line.replace("[", "[ ", 1).removesuffix("]") + " ]",
    "names without quotes": lambda line, rng: re.sub(r'^(\[player \w) "(\w+)"', r"\1 \2", line),
    "curly quotes": lambda line, rng: re.sub(r'"([^"\\]*)"', "“\\1”", line),
    "low quotes": lambda line, rng: re.sub(r'"([^"\\]*)"', "„\\1“", line),
    "meta without quotes": lambda line, rng: re.sub(r'^(\[meta \w+) "([a-z -]*\d)"', r"\1 \2", line),
    "tags of chess": lambda line, rng: re.sub(r"^\[meta (event|site|round) ", r"[\1 ", line),
    "capital rules": lambda line, rng: re.sub(r"^\[rules [^\] ]+", lambda tag: tag[0].title().replace("[Rules", "[rules"), line),
    "blanks in rules": lambda line, rng: re.sub(r"^\[rules [^\] ]+", lambda tag: tag[0].replace("-", " "), line),
    "heads without brackets": lambda line, rng: re.sub(r"^\[(rules|turn_up|claims) ([^\]]+)\]$", lambda tag: f"{tag[1].capitalize().replace('_', '-')}: {tag[2]}", line),
    "the dealer": lambda line, rng: re.sub(r"^\[deal (\w)\]", lambda tag: f"[dealer {NAMES[tag[1]]}]", line),
    "scores with a sign": lambda line, rng: re.sub(r"^\[claims (\d+) (\d+)\]", r"[claims \1 : \2]", line),
    "small cards": lambda line, rng: CARD.sub(lambda card: card[0].lower(), line),
    "names for dealers": lambda line, rng: re.sub(r"^\[deal (\w)", lambda tag: f"[deal {NAMES[tag[1]]}", line),
}  # fmt: skip


@cache
def played(sheet_id: str, style: str = "random") -> tuple[str, bytes]:
    """A deal in the notation, and its record as JSON."""
    sheet = next(sheet for sheet in ALL_SHEETS if sheet.id == sheet_id)
    record = play_game(sheet_id, seed=3, style=style, deals=1, players=max(sheet.rules.players))
    for seat, player in enumerate(record.players):
        player.name = [*NAMES.values()][seat]
    return write_notation(record), codec.encode(record)


def type_out(text: str, habits: list[Habit], tag_habits: list[Habit], rng: Random) -> str:
    lines = []
    for line in text.split("\n"):
        for habit in tag_habits if line.startswith("[") else habits if line.strip() else []:
            line = habit(line, rng)
        lines.append(line)
    return "\n".join(lines)


def assert_understood(typed: str, meant: bytes) -> None:
    decoded = codec.decode(typed.encode())
    assert decoded.record is not None, [finding.message for finding in decoded.findings][:3]
    assert codec.encode(decoded.record) == meant
    assert {finding.severity for finding in decoded.findings} <= {"note"}


SHEETS = [sheet.id for sheet in ALL_SHEETS]
EVERY_HABIT = [(name, habit, True) for name, habit in EVENT_HABITS.items()] + [
    (name, habit, False) for name, habit in TAG_HABITS.items()
]


@pytest.mark.parametrize(
    "sheet",
    [
        sheet if sheet in ("zique", "zetema") else pytest.param(sheet, marks=pytest.mark.long)
        for sheet in SHEETS
    ],
)
def test_every_habit_is_understood(sheet: str) -> None:
    text, meant = played(sheet)
    for name, habit, is_of_events in EVERY_HABIT:
        typed = type_out(text, *([habit], []) if is_of_events else ([], [habit]), Random(name))
        assert_understood(typed, meant)


@pytest.mark.long
@settings(max_examples=200)
@given(
    st.sampled_from(SHEETS),
    st.sets(st.sampled_from([*EVENT_HABITS]), max_size=5),
    st.sets(st.sampled_from([*TAG_HABITS]), max_size=4),
    st.integers(0, 2**32),
    st.booleans(),
)
def test_habits_together_are_understood(
    sheet: str,
    of_events: set[str],
    of_tags: set[str],
    seed: int,
    headless: bool,  # noqa: FBT001
) -> None:
    text, meant = played(sheet, "greedy")
    typed = type_out(
        text.partition("\n")[2] if headless else text,
        [habit for name, habit in EVENT_HABITS.items() if name in of_events],
        [habit for name, habit in TAG_HABITS.items() if name in of_tags],
        Random(seed),
    )
    assert_understood(typed, meant)


# Who leads, where nobody says it.

WITH_TRICKS = [sheet.id for sheet in ALL_SHEETS if sheet.rules.tableau is None]
LEADER = re.compile(r"^(\d+\. )?[ab]:(?=[AKQJT2-9][SHDC])", re.MULTILINE)


@pytest.mark.parametrize("sheet", WITH_TRICKS)
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_the_rules_tell_who_leads(sheet: str, seed: int) -> None:
    text, meant = played(sheet)
    rng = Random(seed)
    typed = LEADER.sub(lambda lead: lead[rng.random() < 0.3] or "", text)
    typed = LEADER.sub(lambda lead: lead[0] if rng.random() < 0.3 else lead[1] or "", text)
    assert_understood(typed, meant)
    without_takes = typed.replace(" a:takes", "").replace(" b:takes", "")
    assert (
        codec.decode(without_takes.encode()).record
        == codec.decode(text.replace(" a:takes", "").replace(" b:takes", "").encode()).record
    )


HEAD = '[bezique 1.0]\n[rules zique]\n[player a "Ann"]\n[player b "Bob"]\n'


def test_who_leads_is_asked_where_a_hidden_card_may_have_taken_the_trick() -> None:
    text = HEAD + "[deal a]\n[knowledge public]\n[turn_up KS]\n1. 9H ??\n2. TD 8D\n"
    found = codec.decode(text.encode())
    assert found.record is None
    (finding,) = found.findings
    assert finding.code == "unknown-lead"
    (place,) = find_text_places(text.encode(), [finding])
    assert place == (9, 4)
    told = codec.decode(text.replace("??", "?? b:takes").encode()).record
    assert told is not None
    assert [event.seat for event in told.deals[0].events[-2:]] == [1, 0]


def test_the_seat_behind_the_dealer_leads_first() -> None:
    for dealer, leader in (("a", 1), ("b", 0)):
        text = HEAD + f"[deal {dealer}]\n[knowledge public]\n[turn_up KS]\n9H 8D\n"
        record = codec.decode(text.encode()).record
        assert record is not None
        assert [event.seat for event in record.deals[0].events] == [leader, 1 - leader]


# What has several readings, and what has none.


@pytest.mark.parametrize(
    ("line", "column", "written", "readings"),
    [
        ("[meta started 5/3/2026]", 15, "5/3/2026", ("2026-03-05", "2026-05-03")),
        ('[meta started "5.3.2026"]', 16, "5.3.2026", ("2026-03-05", "2026-05-03")),
        ("[date 5-3-2026 19:30]", 7, "5-3-2026 19:30", ("2026-03-05T19:30:00", "2026-05-03T19:30:00")),
        ("[date 5/3/26]", 7, "5/3/26", ("2026-03-05", "2026-05-03")),
        ("[deal a]\n1S b:7s", 1, "1S", ("AS", "TS")),
        ("[deal a]\nb:9s 1♣", 6, "1♣", ("AC", "TC")),
        ("[deal a]\n1. b:9S 8S b KD QD", 12, "b KD QD", ("b:marriage(KD QD)", "b:KD QD")),
        ("[deal a]\n1. b:9S 8S b QS JD", 12, "b QS JD", ("b:bezique(QS JD)", "b:QS JD")),
        ("[deal a]\na:7S 8s a: dix", 12, "dix", ("dix(exchange)", "dix(show)", "dix(play)")),
    ],
)  # fmt: skip
def test_what_has_several_readings_is_asked(
    line: str, column: int, written: str, readings: tuple[str, ...]
) -> None:
    text = (HEAD + line).encode()
    found = codec.decode(text)
    assert found.record is None
    (finding,) = found.findings
    assert (finding.code, finding.candidates) == ("several-readings", readings)
    assert f"“{written}” may mean " in finding.message
    (place,) = find_text_places(text, [finding])
    assert place == (text.count(b"\n") + 1, column)
    for reading in readings:
        chosen = codec.decode(text.replace(written.encode(), reading.encode()))
        assert chosen.record is not None, reading


@pytest.mark.parametrize("verb", ["declares", "shows"])
def test_a_meld_that_may_wait_to_score_is_asked_about_where_the_rules_let_it(verb: str) -> None:
    typed = f"{HEAD}[deal a]\n1. b:9S 8S b {verb} marriage KD QD\n"
    certain = codec.decode(typed.encode()).record
    assert isinstance(certain.deals[0].events[-1], Meld)
    typed = typed.replace("[rules zique]", "[rules bezique]")
    (finding,) = codec.decode(typed.encode()).findings
    assert finding.candidates == ("melds", "declare")
    for reading, kind in (("melds", Meld), ("declare", Declare)):
        chosen = codec.decode(typed.replace(verb, reading).encode()).record
        assert isinstance(chosen.deals[0].events[-1], kind)


@pytest.mark.parametrize(
    ("typed", "meta"),
    [
        ("5 March 2026", {"date": "2026-03-05"}),
        ("Thursday, 5 March 2026", {"date": "2026-03-05"}),
        ("March 5th, 2026", {"date": "2026-03-05"}),
        ("5. März 2026", {"date": "2026-03-05"}),
        ("le 25/3/2026".removeprefix("le "), {"date": "2026-03-25"}),
        ("2026/3/5", {"date": "2026-03-05"}),
        ("5/5/2026", {"date": "2026-05-05"}),
        ("5 March 2026, 7.30 pm", {"date": "2026-03-05", "time": "19:30"}),
        ("2026-03-05 19:30 UTC", {"started": "2026-03-05T19:30:00Z"}),
    ],
)  # fmt: skip
def test_dates_are_understood_where_only_one_is_possible(typed: str, meta: dict[str, str]) -> None:
    for line in (f"[meta started {typed}]", f'[meta started "{typed}"]', f"[date “{typed}”]"):
        record = codec.decode((HEAD + line).encode()).record
        assert record is not None, line
        assert record.meta == meta


def test_a_title_and_a_line_are_a_record() -> None:
    typed = "Ann - Bob, Marjolet, turn-up JH, 5 March 2026\n1. b 7C 8D\n2. Ann: 8♠ b JS\n"
    record = codec.decode(typed.encode()).record
    assert record is not None
    assert (record.rules.id, record.meta) == ("marjolet", {"date": "2026-03-05"})
    assert [player.name for player in record.players] == ["Ann", "Bob"]
    (deal,) = record.deals
    assert (deal.dealer, deal.knowledge, deal.turn_up, len(deal.events)) == (0, "public", "JH", 4)


def test_lines_without_brackets_are_a_record() -> None:
    typed = "Rules: Marjolet\nPlayers: Ann, Bob\nDate: 25.3.26\nDealer: Ann\nTurn-up: JH\nTrick 1: Bob 7C, Ann 7 of trumps\n"
    record = codec.decode(typed.encode()).record
    assert record is not None
    assert (record.rules.id, record.meta) == ("marjolet", {"date": "2026-03-25"})
    assert [player.name for player in record.players] == ["Ann", "Bob"]
    (deal,) = record.deals
    assert (deal.dealer, deal.turn_up) == (0, "JH")
    assert [event.card for event in deal.events] == ["7C", "7H"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_as_on_any_machine(end: str) -> None:
    text, meant = played("zique")
    assert_understood(text.replace("\n", end), meant)


def test_trumps_are_a_suit_only_where_a_card_is_turned_up() -> None:
    for turn_up, card in (("[turn_up 9H]", "7H"), ("[turn_up 9S]", "7S"), ("", None)):
        text = HEAD + f"[deal a]\n[knowledge public]\n{turn_up}\n1. b:8D seven of trumps\n"
        record = codec.decode(text.encode()).record
        assert (record and record.deals[0].events[-1].card) == card


def test_a_letter_that_may_be_a_seat_or_a_name_is_asked() -> None:
    found = codec.decode(b"Bob - Ann, Marjolet, turn-up JH\n1. b 7C 8D\n")
    assert [finding.candidates for finding in found.findings] == [("Ann", "Bob")]


def test_what_is_not_understood_is_told_where_it_stands() -> None:
    text = (
        HEAD.replace('"Ann"', "Ann")
        + "[deal a]\n[turn_up ks]\n\n1. a:9h 8d a: wins big\n2. a:QX 7s\n"
    )
    found = codec.decode(text.encode())
    assert found.record is None
    places = find_text_places(text.encode(), found.findings)
    assert [
        (place.line, finding.code)
        for place, finding in zip(places, found.findings, strict=True)
        if place
    ] == [
        (8, "not-notation"),
        (9, "not-notation"),
    ]


@pytest.mark.parametrize(
    "line", ["[player b]", '[player b "Bob"]', "[player]", '[player Ann "Lee"]']
)
def test_a_player_without_a_name_or_in_another_seat_is_not_understood(line: str) -> None:
    found = codec.decode(f"[bezique 1.0]\n[rules zique]\n{line}\n".encode())
    assert found.record is None
    assert [finding.code for finding in found.findings] == ["not-notation"]


def test_what_was_understood_is_told_once_for_each_kind() -> None:
    text = (
        HEAD
        + "[deal a]\n[knowledge public]\n[turn_up KS]\n1. a:9h\u00a08d\n2. ♣8 7s | 10 0\n3. TS js\n"
    )
    report = check(text.encode())
    assert [finding.message for finding in report.findings if finding.code == "read-as"] == [
        "Line 8, column 6: “9h” was read as 9H, and 4 more like it.",
        "Line 8, column 8: a no-break space was read as a blank.",
        "Line 9, column 10: “| 10 0” was passed over.",
    ]


def test_texts_that_are_no_games_stay_what_they_are() -> None:
    for text in (
        b"",
        b"hello",
        b"[]",
        b"[true]",
        b"[null, 1]",
        b"[1, 2]",
        b'"bezique"',
        b"bezique",
        b"<html>",
    ):
        assert all(finding.code != "not-notation" for finding in codec.decode(text).findings), text


# Cost.


@pytest.mark.parametrize(
    "line", ["a:7c 8d", "[player a Ann", "((((", "a: a: a:", "\u00a0" * 40, "1. 2. 3.", "marriage " * 5, "“" * 20]
)  # fmt: skip
def test_the_cost_grows_with_the_text(line: str) -> None:
    costs = []
    for times in (500, 4_000):
        text = (HEAD + "[deal a]\n" + f"{line}\n" * times).encode()
        with CpuCost() as cost:
            codec.decode(text)
        costs.append(cost.seconds)
    assert costs[1] < 16 * costs[0] + 0.1


@pytest.mark.parametrize("sign", [" ", "a", "7", "(", "♣", "[", "\u200b", '"', "-", "{"])
def test_a_long_line_costs_little(sign: str) -> None:
    with CpuCost() as cost:
        for length in (3_900, 1_000_000):
            codec.decode((HEAD + "[deal a]\na:7c " + sign * length + "\n").encode())
    assert cost.seconds < 3


@pytest.mark.long
@pytest.mark.parametrize(
    "start", ["K", "b K", "12 34", "7C 8D", "Ann", "Ann deals", "[date 5 March", "b dix", "b marriage", "1", "b:7C;", "b wins"]
)  # fmt: skip
@pytest.mark.parametrize("gap", [" ", ",", " ;", "b ", "*"])
def test_a_long_gap_costs_little(start: str, gap: str) -> None:
    line = start + gap * (3_900 // len(gap)) + "x"
    with CpuCost() as cost:
        codec.decode((HEAD + "[deal a]\na:7c\n" + f"{line}\n" * 5).encode())
    assert cost.seconds < 0.2


@given(st.text(alphabet=" ab:+-().,;|[]{}\"“”'7cCKq♣♥TS\u00a0\u200b\n12dixmarge=", max_size=300))
def test_no_text_is_too_odd(text: str) -> None:
    codec.decode((HEAD + "[deal a]\n[knowledge public]\n" + text).encode())
    codec.decode(text.encode())


ODD_NAMES = ["Ann", "Bob", '"Ann"', r'"\q"', '"', "a", "b:", "g", ""]


@given(st.lists(st.sampled_from(ODD_NAMES), max_size=9), st.sampled_from(ODD_NAMES))
@example(["Ann"] * 7, "Ann")
@example(['a "Ann"', r'b "\q"'], "Ann")
def test_no_players_are_too_odd(names: list[str], who: str) -> None:
    listed = f"[players {', '.join(names)}]\n"
    in_tags = "".join(f"[player {name}]\n" for name in names)
    with_letters = "".join(
        f"[player {letter} {name}]\n" for letter, name in zip("abcdefabc", names, strict=False)
    )
    for players in (listed, in_tags, with_letters):
        codec.decode(f"[rules Bezique]\n{players}[deal {who}]\n{who}: QS\n".encode())


@pytest.mark.skipif(not TYPED.is_dir(), reason="the typed texts are not beside the repository")
def test_texts_that_people_typed_are_understood() -> None:
    for path in sorted(TYPED.glob("*.bezique")):
        for report in check_path(path):
            assert report.verdict in ("legal", "incomplete"), (path.name, report.line)
