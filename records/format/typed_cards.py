"""Cards as people type them: letters, signs and words of several languages, with the rank or the suit first."""

import re

from records.cards import LABEL_PATTERN, SUITS_OF_SIGNS
from records.format.notation import KNOWN_CARDS

SUIT_SIGN_CLASS = "".join(SUITS_OF_SIGNS)
RANK_WORDS = {
    "ace": "A", "king": "K", "queen": "Q", "jack": "J", "knave": "J", "ten": "T", "nine": "9", "eight": "8",
    "seven": "7", "six": "6", "five": "5", "four": "4", "three": "3", "two": "2", "10": "T",
    "1o": "T", "l0": "T", "i0": "T", "0": "T", "x": "T",
    "ass": "A", "as": "A", "eso": "A", "könig": "K", "koenig": "K", "roi": "K", "król": "K", "krol": "K", "král": "K", "kral": "K",
    "dame": "Q", "dama": "Q", "dáma": "Q", "bube": "J", "valet": "J", "walet": "J", "kluk": "J",
    "zehn": "T", "neun": "9", "acht": "8", "sieben": "7", "dix": "T", "neuf": "9", "huit": "8", "sept": "7",
    "dziesiątka": "T", "dziewiątka": "9", "ósemka": "8", "siódemka": "7",
    "desítka": "T", "devítka": "9", "osmička": "8", "sedmička": "7",
    "r": "K", "v": "J", "b": "J", "w": "J", "d": "Q",
}  # fmt: skip
"""What ranks are called in English, German, French, Polish and Czech, and their letters in the last four that no other rank has."""
_SUIT_WORDS = {
    "S": "spades spade sp pik pique piques piky",
    "H": "hearts heart herz coeur coeurs cœur cœurs kier srdce",
    "D": "diamonds diamond di dia dias karo carreau carreaux káry",
    "C": "clubs club cl kreuz treff trèfle trèfles trefle trefles trefl kříže",
}
WORDS_OF_SUITS = {word: suit for suit, words in _SUIT_WORDS.items() for word in words.split()}
_FOREIGN = "rvbw"
"""Letters of ranks in other languages, of which a text in English has none."""


def _any_of(words: "list[str]") -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_RANK_WORD = _any_of([word for word in RANK_WORDS if len(word) > 1])
SUIT_WORD = f"(?:{_any_of([*WORDS_OF_SUITS])})"
_OF = r"(?:of\s+|de\s+|d['’]\s*)"
_TEN = "10|1o|[li]0|0|x"
"""The ten in figures, also with a letter that looks like one of them, and as the Romans wrote it."""
_CARD = re.compile(
    rf"(?:(?P<rank>(?:{_RANK_WORD})\s*(?:{_OF}|-)?|[kqjtrvw02-9x]\s*{_OF}?|a(?:\s+{_OF})?|[bd])(?P<suit>[{SUIT_SIGN_CLASS}]|{SUIT_WORD}(?![^\W_])(?!-(?:{_RANK_WORD})(?![^\W_]))\.?)"
    rf"|(?P<rank2>{_TEN}|[akqjt2-9?])(?P<suit2>[shdc?])"
    rf"|(?P<rank4>10|[akqjt2-9])\s+{_OF}?(?P<suit4>[shdc])"
    rf"|(?P<rank6>[{_FOREIGN}])(?P<suit6>[shdc])|(?P<rank7>d)(?P<suit7>[shc])|(?P<rank8>[akqj{_FOREIGN}])(?P<suit8>p)"
    rf"|(?P<suit5>[{SUIT_SIGN_CLASS}]\s*|{SUIT_WORD}[\s-]*)(?P<rank5>{_RANK_WORD}|[2-9])"
    rf"|(?P<suit9>[{SUIT_SIGN_CLASS}]\s*|{SUIT_WORD}[\s-]+)(?P<rank9>{_TEN}|[akqjt{_FOREIGN}d])"
    rf"|(?P<suit3>[{SUIT_SIGN_CLASS}]\s*|[shdc])(?P<rank3>{_TEN}|[akqjt2-9?]))"
    rf"(?P<copy>{LABEL_PATTERN})?(?P<place>(?-i:[ht]))?(?![^\W_])",
    re.IGNORECASE,
)
"""A card in one of the ways in which people write it; a lone A is the seat if a word follows, and not the ace."""
_RANKS = ("rank", "rank2", "rank3", "rank4", "rank5", "rank6", "rank7", "rank8", "rank9")
_SUITS = ("suit", "suit2", "suit3", "suit4", "suit5", "suit6", "suit7", "suit8", "suit9")
_BACK = re.compile(r"\?(?![\w?])")
_ONE = re.compile(rf"1([shdc{SUIT_SIGN_CLASS}])(?![^\W_])", re.IGNORECASE)
"""The ace or the ten."""
_HEARTS_OR_CLUBS = re.compile(r"([rvd])c(?![^\W_])", re.IGNORECASE)
"""A rank of another language with a letter that is a suit in English and another in French."""
_ANNOTATED = re.compile(
    rf"((?:10|[akqjt2-9])(?:[shdc]|[{SUIT_SIGN_CLASS}]))\?(?=\s|\Z)", re.IGNORECASE
)
"""A card with a mark of doubt, or before a card that nobody saw."""
_BOUNDARY = re.compile(r"(?=[\s,;|/&>\u2192)\]\[({\"=+-]|\.(?:\s|\Z)|\Z)")


class SeveralMeanings(Exception):
    """A place has several readings: what is written there, and what may be."""

    def __init__(self, at: int, end: int, readings: tuple[str, ...]) -> None:
        super().__init__(readings)
        self.at, self.end, self.readings = at, end, readings


def card_at(text: str, at: int) -> tuple[str, int] | None:
    """The card that begins there, as the grammar writes it, and where it ends; None if none does."""
    if (back := _BACK.match(text, at)) is not None:
        return "??", back.end()
    found = _CARD.match(text, at)
    if found is None or _BOUNDARY.match(text, found.end()) is None:
        return None
    if _HEARTS_OR_CLUBS.fullmatch(found[0]) is not None:
        return None
    written = re.split(r"[\s-]", next(filter(None, found.group(*_RANKS))).lower())[0]
    rank = RANK_WORDS.get(written, written.upper())
    card = KNOWN_CARDS.get(
        rank + suit_letter(next(filter(None, found.group(*_SUITS)))) + (found["copy"] or "")
    )
    return None if card is None else (card + (found["place"] or "").lower(), found.end())


def suit_letter(written: str) -> str:
    """The letter of a suit that is written as a letter, a sign or a word."""
    suit = written.strip("-. \t\r\n\v\f").lower()
    return SUITS_OF_SIGNS.get(suit) or WORDS_OF_SUITS.get(suit) or suit.upper()


def suit_at(text: str, at: int) -> tuple[str, int] | None:
    """A suit that stands by itself, and where it ends."""
    found = _LONE_SUIT.match(text, at)
    return None if found is None else (suit_letter(found[1]), found.end())


_LONE_SUIT = re.compile(
    rf"([{SUIT_SIGN_CLASS}]|{SUIT_WORD}(?![^\W_]))(?!\s*(?:10|[akqjt2-9])(?![^\W_]|\s*[-:/]\s*\d)|[\s-]*(?:{_RANK_WORD})(?![^\W_])(?!\s+{_OF}))",
    re.IGNORECASE,
)


def need_one_card(text: str, at: int) -> None:
    """Raise SeveralMeanings for a card whose rank is a one, whose suit is one of two, or whose mark may be another card."""
    if (one := _ONE.match(text, at)) is not None:
        suit = suit_letter(one[1])
        raise SeveralMeanings(at, one.end(), (f"A{suit}", f"T{suit}"))
    if (foreign := _HEARTS_OR_CLUBS.match(text, at)) is not None:
        rank = RANK_WORDS[foreign[1].lower()]
        raise SeveralMeanings(at, foreign.end(), (f"{rank}C", f"{rank}H"))
    if (doubted := _ANNOTATED.match(text, at)) is not None:
        raise SeveralMeanings(at, doubted.end(), (doubted[1], f"{doubted[1]} ??"))
