"""Marks in texts: laws, codes and words of the glossary as links."""

import re
from collections.abc import Callable, Sequence

import msgspec
from markupsafe import Markup, escape

from records.documents.glossary import find_entry
from records.rules.registry import LAW_NUMBER_PATTERN, read_laws

# Values and codes inside a page.


def json_in_page(value: object) -> str:
    """A value as JSON that may stand inside a page."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


_CODE = re.compile(r"`([^`]+)`")


def mark_code(text: str) -> Markup:
    """A text, or the HTML of one, with what stands between backticks as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


# Parts of a text as HTML, and all else as it is.


def mark_matches(
    pattern: re.Pattern[str], text: str, mark: Callable[[re.Match[str]], Markup | None]
) -> Markup:
    """A text with the mark of every match in its place; a match without a mark stays as it is."""
    parts, end = [], 0
    for found in pattern.finditer(text):
        if (marked := mark(found)) is not None:
            parts += [escape(text[end : found.start()]), marked]
            end = found.end()
    return Markup("").join([*parts, escape(text[end:])])


# Laws on a page: their Markdown marks as HTML, and their numbers as links.

_MARKS = re.compile(r"\*\*(?P<strong>[^*]+)\*\*|\*(?P<em>[^*]+)\*|`(?P<code>[^`]+)`")


def link_laws(text: str) -> Markup:
    """A text such as `C8 head, A-08`, with each law number as a link to that law on the same page."""
    link = Markup('<a href="#law-{0}">{0}</a>')
    return mark_matches(
        LAW_NUMBER_PATTERN,
        text,
        lambda found: link.format(found[0]) if found[0] in read_laws() else None,
    )


def law_paragraphs(texts: Sequence[str]) -> Markup:
    """Paragraphs with their marks as HTML; consecutive ones that begin with a dash become a list."""
    parts, items = [], []
    for text in [*texts, ""]:
        if text.startswith("- "):
            items.append(Markup("<li>{}</li>").format(_marked(text[2:])))
            continue
        if items:
            parts.append(Markup('<ul class="dashed">{}</ul>').format(Markup("").join(items)))
            items = []
        if text:
            parts.append(Markup("<p>{}</p>").format(_marked(text)))
    return Markup("").join(parts)


def _marked(text: str) -> Markup:
    return Markup(_MARKS.sub(_tag, str(escape(text))))


def _tag(found: re.Match[str]) -> str:
    name = found.lastgroup or "em"
    return f"<{name}>{found.group(name)}</{name}>"


# Words of a page as links to their entry in the glossary.

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
    def link(found: re.Match[str]) -> Markup | None:
        word = found["word"].lower()
        if word in seen:
            return None
        seen.add(word)
        return term_link(word, address, found[0])

    return mark_matches(_MENTION, text, link)
