"""Who a player is: names as people read them, ids that bind spellings together, and two of one name at a table."""

import sys
import unicodedata
from random import Random

import pytest

from records.people import APART, NO_NAME, alike, list_people, name_key, read_name
from records.record import Player

NAMES = (
    "Ann",
    "Zoë Müller",
    "Ana María López",
    "Łukasz",
    "Ångström",
    "Ἀθηνᾶ",
    "Анна Йод",
    "李 明",
    "한글 이름",
    "Nguyễn Thị Ơ",
)
BLANKS = [chr(point) for point in range(sys.maxunicode + 1) if chr(point).isspace()] + [
    "\u2800",
    "\u3164",
]
UNSEEN = [
    "\u00ad", "\u034f", "\u061c", "\u180e", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c",
    "\u202d", "\u202e", "\u2060", "\u2061", "\u2064", "\u2066", "\u2067", "\u2068", "\u2069", "\u206f", "\ufeff", "\ufe00",
    "\ufe0e", "\U000e0001", "\U000e0100", "\x00", "\x07", "\x7f", "\x9f",
]  # fmt: skip


def put(text: str, at: int, more: str) -> str:
    return text[:at] + more + text[at:]


def rewritten(name: str, chance: Random) -> str:
    """The name as somebody else may write it, so that nobody sees a difference."""
    for _ in range(chance.randrange(1, 5)):
        match chance.randrange(6):
            case 0:
                name = unicodedata.normalize(chance.choice(("NFC", "NFD")), name)
            case 1:
                name = chance.choice(BLANKS) * chance.randrange(3) + name
            case 2:
                name += "".join(chance.choices(BLANKS, k=chance.randrange(3)))
            case 3:
                name = name.replace(" ", "".join(chance.choices(BLANKS, k=chance.randrange(1, 4))))
            case _:
                name = put(name, chance.randrange(len(name) + 1), chance.choice(UNSEEN))
    return name


def changed(name: str, chance: Random) -> str:
    """The name with a difference that people see; the same name where it has no letter of that kind."""
    letters = [at for at, letter in enumerate(name) if letter.isalpha()]
    at = chance.choice(letters)
    match chance.randrange(7):
        case 0:
            return name[:at] + name[at].swapcase() + name[at + 1 :]
        case 1:
            return name[:at] + name[at + 1 :]
        case 2:
            return put(name, at, chance.choice("aäЖ2.-'"))
        case 3:
            return put(name, at + 1, "\u0323")
        case 4:
            plain = unicodedata.normalize("NFD", name)
            return "".join(letter for letter in plain if not unicodedata.combining(letter))
        case 5:
            return name.replace(" ", "", 1)
        case _:
            return (
                put(name, chance.choice(letters[1:] or [0]), " ")
                if len(letters) > 1
                else name + " x"
            )


def test_what_people_cannot_see_makes_no_other_name() -> None:
    chance = Random(20261128)
    for number in range(10_000):
        name = chance.choice(NAMES)
        other = rewritten(name, chance)
        assert read_name(other) == name, (number, other)
        assert read_name(read_name(other)) == read_name(other)


def test_what_people_see_makes_another_name() -> None:
    chance, seen = Random(20261129), 0
    for number in range(10_000):
        name = chance.choice(NAMES)
        other = changed(name, chance)
        if unicodedata.normalize("NFC", other).split() != name.split():
            seen += 1
            assert read_name(rewritten(other, chance)) != name, (number, other)
    assert seen > 8_000


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("  Ann \t Lee\u00a0", "Ann Lee"),
        ("A\u0308rzte", "Ärzte"),
        ("\u202eAnn\u202c", "Ann"),
        ("An\u200bn", "Ann"),
        ("ann", "ann"),
        ("Zoe", "Zoe"),
        ("\uff21nn", "\uff21nn"),  # a wide letter can be seen
        (" \u200b\u3164", ""),
    ],
)
def test_a_name_is_read_as_people_read_it(name: str, read: str) -> None:
    assert read_name(name) == read


def seated(*players: Player) -> list[tuple[str, str]]:
    return [(person.key, person.label) for person in list_people(players, "f" * 64)]


def test_an_id_binds_spellings_together_and_a_name_is_a_person_without_one() -> None:
    first = seated(Player("Sam", id="club:1"), Player("Sam", id="club:2"))
    second = seated(Player("Samuel", id="club:1"), Player("Sam"))
    assert first == [("id:club:1", "Sam"), ("id:club:2", "Sam")]
    assert second == [("id:club:1", "Samuel"), ("name:Sam", "Sam")]
    assert seated(Player("A", id=" "), Player("B", id=""))[0][0] == name_key("A")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Player("Ann"), Player("Ann")),
        (Player("Ann"), Player(" Ann\u200b")),
        (Player("Ann", id="x"), Player("Bob", id="x")),
        (Player(" "), Player("\u200b")),
    ],
)
def test_two_who_cannot_be_told_apart_are_two_and_known_in_one_match(
    one: Player, other: Player
) -> None:
    first, second = list_people([one, other], "a" * 64)
    later, _ = list_people([one, other], "b" * 64)
    assert (
        len({first.key, second.key, later.key})
        == len({first.label, second.label, later.label})
        == 3
    )
    assert APART in first.label
    assert first.name == (read_name(one.name) or NO_NAME)


def test_an_addition_cannot_be_written_into_a_name() -> None:
    label = list_people([Player("Ann"), Player("Ann")], "a" * 64)[0].label
    assert seated(Player(label), Player("Bob"))[0][1] != label


@pytest.mark.parametrize("other", ["ann", "ANN", "Ánn", "A.n-n", "Аnn", "An n"])
def test_names_that_differ_little_are_alike_and_not_one(other: str) -> None:
    assert alike(other) == alike("Ann")
    assert read_name(other) != "Ann"


def test_other_names_are_not_alike() -> None:
    assert len({alike(name) for name in (*NAMES, "Anna", "Bob", "...")}) == len(NAMES) + 3
