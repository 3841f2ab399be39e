"""The numbers of a published rulebook that tables change, and the file that changes them: for people who write no file."""

import json
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

import msgspec

from records.pointers import pointer_step
from records.rules.english_melds import BONUS_WORDS
from records.rules.registry import SHEETS_BY_ID, named_sheet
from records.rules.vocabulary import When

MOST_PACKS, MOST_HAND, MOST_POINTS, MOST_TARGET = 8, 16, 5_000, 100_000


@dataclass(frozen=True, slots=True)
class SheetNumber:
    """A number of a rulebook: where it stands, what people call it, under which heading, and its bounds."""

    path: str
    heading: str
    words: str
    value: int
    least: int
    most: int


def list_numbers(sheet_id: str) -> list[SheetNumber]:
    """The numbers of a published rulebook that tables change, in the order of a form; raises KeyError for another id."""
    rules = msgspec.json.decode(msgspec.json.encode(SHEETS_BY_ID[sheet_id].rules))
    return [*_of_the_deal(rules), *_of_melds(rules), *_of_the_score(rules)]


def _of_the_deal(rules: Mapping[str, Any]) -> Iterator[SheetNumber]:
    copies = {*rules["pack"]["copies"].values()}
    if len(copies) == 1:
        yield SheetNumber("/rules/pack/copies", "The deal", "packs", min(copies), 1, MOST_PACKS)
    for players, cards in rules["hand"].items():
        words = _by_players("cards in a hand", players, rules["hand"])
        yield SheetNumber(f"/rules/hand/{players}", "The deal", words, cards, 1, MOST_HAND)


def _of_melds(rules: Mapping[str, Any]) -> Iterator[SheetNumber]:
    times = Counter(meld["words"] for meld in rules["melds"])
    for number, meld in enumerate(rules["melds"]):
        item = meld["words"] if times[meld["words"]] == 1 else str(number)
        path = f"/rules/melds/{pointer_step(item)}/points"
        yield SheetNumber(path, "Melds", meld["words"], meld["points"], 1, MOST_POINTS)


def _of_the_score(rules: Mapping[str, Any]) -> Iterator[SheetNumber]:
    heading = "Other points"
    for member, words in (("dix", "the dix"), ("carte_blanche", "a carte blanche")):
        if rules[member]:
            path, points = f"/rules/{member}/points", rules[member]["points"]
            yield SheetNumber(path, heading, words, points, 0, MOST_POINTS)
    for number, bonus in enumerate(rules["bonuses"]):
        path, words = f"/rules/bonuses/{number}/points", BONUS_WORDS[When(bonus["tricks"])]
        yield SheetNumber(path, heading, words, bonus["points"], 1, MOST_POINTS)
    if rules["brisques"] and rules["brisques"]["count"] != "never":
        points = rules["brisques"]["points"]
        yield SheetNumber("/rules/brisques/points", heading, "each brisque", points, 1, MOST_POINTS)
    for players, points in (rules["match"].get("target") or {}).items():
        words = _by_players("points to win", players, rules["match"]["target"])
        path = f"/rules/match/target/{players}"
        yield SheetNumber(path, "The match", words, points, 1, MOST_TARGET)


def _by_players(words: str, players: str, all_numbers: Mapping[str, int]) -> str:
    return words if len(all_numbers) == 1 else f"{words}, {players} players"


def write_changed_sheet(
    base: str,
    name: str,
    changed: Sequence[tuple[SheetNumber, int]],
    taken: Collection[str] = (),
) -> str:
    """The file, in JSON, of a rulebook that is the base with these numbers; its id is made from its name, and none that is `taken`."""
    base_name = SHEETS_BY_ID[base].name
    differs = ", ".join(f"{number.words} {value:,}" for number, value in changed)
    file = {
        "base": base,
        "id": _free_id(_id_of(name, base), taken),
        "name": name,
        "says": f"{base_name} as our table plays it: {differs}.",
        "changes": [{"path": number.path, "value": _written(number, value)} for number, value in changed],
    }  # fmt: skip
    return json.dumps(file, ensure_ascii=False, indent=2) + "\n"


def _written(number: SheetNumber, value: int) -> int | dict[str, int]:
    return dict.fromkeys("SHDC", value) if number.path == "/rules/pack/copies" else value


def _id_of(name: str, base: str) -> str:
    """An id of small letters and dashes, as near to the name as that allows."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    words = "".join(sign if "a" <= sign <= "z" else " " for sign in plain).split()
    return "-".join(words) or f"our-{base}"


def _free_id(wanted: str, taken: Collection[str]) -> str:
    """The id, or one like it that no rulebook has: with a letter behind it, as ids have no digits."""
    endings = ("", *(f"-{letter}" for letter in ascii_lowercase[1:]))
    own = [f"{start}{wanted}{ending}" for start in ("", "our-") for ending in endings]
    return next((each for each in own if named_sheet(each) is None and each not in taken), wanted)
