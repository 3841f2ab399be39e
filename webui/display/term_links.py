"""Words of a page as links to their entry in the glossary."""

import re
from collections.abc import Sequence

from markupsafe import Markup, escape

from records.documents.glossary import find_entry

LINKED_TERMS = (
    "brisque", "carte blanche", "dix", "marriage", "meld", "rubicon", "sequence", "stock", "tableau",
    "trick", "turn-up",
)  # fmt: skip
"""The words that a stranger to the game needs; in a text, only these become links."""

_MENTION = re.compile(rf"\b(?P<word>{'|'.join(LINKED_TERMS)})s?\b", re.IGNORECASE)


def term_link(word: str, address: str, text: str = "") -> Markup:
    """A link to the entry of a word in the glossary at `address`; KeyError if the word has no entry."""
    return Markup('<a class="term" href="{}#{}">{}</a>').format(
        address, find_entry(word).anchor, text or word
    )


def link_first_mentions(texts: Sequence[str], address: str) -> list[Markup]:
    """The texts of one page, with the first mention of each of `LINKED_TERMS` as a link."""
    seen: set[str] = set()
    return [_link_mentions(text, address, seen) for text in texts]


def _link_mentions(text: str, address: str, seen: set[str]) -> Markup:
    parts, end = [], 0
    for found in _MENTION.finditer(text):
        word = found["word"].lower()
        if word not in seen:
            seen.add(word)
            parts += [escape(text[end : found.start()]), term_link(word, address, found.group())]
            end = found.end()
    return Markup("").join([*parts, escape(text[end:])])
