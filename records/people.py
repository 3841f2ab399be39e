"""People: who a player of a record is, and how a name is read.

A person is an id where the record gives one, otherwise a name as people read it. Whoever shares a name, or an id, with
another of the same match is neither's double: nobody can tell which of them played elsewhere.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from records.record import Player

APART: Final = "\u00a0"
"""Stands before what is added to a name to tell people apart. A name as it is read has no such blank, so that no name can
be taken for one with an addition."""
NO_NAME: Final = "no name"
"""How people are called whose name reads as nothing."""
DIGEST_LETTERS: Final = 12
"""So many letters of a digest name a match."""

# Code points that are never seen: controls, and what Unicode lets a reader ignore by default (Default_Ignorable_Code_Point),
# such as zero-width blanks and joiners, marks of direction and selectors of variants. Fillers that are as wide as a letter
# are blanks, and so is the Braille pattern without dots.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]+"
)
_FILLERS = re.compile("[\u2800\u3164\uffa0]")
# Letters of other scripts that look like Latin ones; they make people alike, never the same.
_LOOK_ALIKE = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABESIJKMHOPCTYXaesijopcyxABEZHIKMNOPTYXo"
)


class Person(NamedTuple):
    """A player of a match: the `key` that tells people apart, the `name` as it is read, and how lists call the person.

    A key is `id:` with an id, `name:` with a name, or `seat:` with the digest of the match and the seat. `label` is the
    name; only for a `seat:` something is added. It does not know of others with that name and an id: see
    `analyzer.store.player_names`.
    """

    key: str
    name: str
    label: str


@lru_cache(maxsize=4096)
def read_name(text: str) -> str:
    """A name as people read it: in composed letters (NFC), without what is not seen, blanks trimmed and joined.

    Letters, case, accents and signs are as they were: whoever can see a difference sees another name.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", _FILLERS.sub(" ", _UNSEEN.sub("", text)))
    elif not text.isprintable():
        text = _UNSEEN.sub("", text)
    return " ".join(text.split())


@lru_cache(maxsize=32_768)
def alike(name: str) -> str:
    """What names have in common that may be one person's: no case, no accents, letters and digits only.

    Only ever a reason to ask. Empty if nothing is left.
    """
    plain = unicodedata.normalize("NFKD", name.split(APART)[0].translate(_LOOK_ALIKE).casefold())
    return "".join(letter for letter in plain if letter.isalnum())


def list_people(players: Sequence[Player], digest: str) -> list[Person]:
    """The people at a table, by seat; `digest` is that of their match."""
    keys = [player_key(player) for player in players]
    people = []
    for seat, (key, player) in enumerate(zip(keys, players, strict=True)):
        name = read_name(player.name) or NO_NAME
        if key and keys.count(key) == 1:
            people.append(Person(key, name, name))
        else:
            people.append(Person(f"seat:{digest}:{seat}", name, seat_label(name, digest, seat)))
    return people


def name_key(name: str) -> str:
    """The key of whoever has no id and this name."""
    return f"name:{read_name(name)}"


def player_key(player: Player) -> str:
    """The key of a player, whoever else sits there: an id, or else a name; empty for one without either."""
    if player.id and (own := read_name(player.id)):
        return f"id:{own}"
    name = read_name(player.name)
    return f"name:{name}" if name else ""


def seat_label(name: str, digest: str, seat: int) -> str:
    """How lists call somebody who is known in one match only."""
    return f"{name}{APART}(seat {seat + 1} of {digest[:DIGEST_LETTERS]})"
