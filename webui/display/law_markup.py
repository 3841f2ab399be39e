"""Laws on a page: their Markdown marks as HTML, and their numbers as links."""

import re
from collections.abc import Sequence

from markupsafe import Markup, escape

from records.rules.laws import LAW_NUMBER_PATTERN, read_laws

_MARKS = re.compile(r"\*\*(?P<strong>[^*]+)\*\*|\*(?P<em>[^*]+)\*|`(?P<code>[^`]+)`")


def link_laws(text: str) -> Markup:
    """A text such as `C8 head, A-08`, with each law number as a link to that law on the same page."""
    parts, end = [], 0
    for found in LAW_NUMBER_PATTERN.finditer(text):
        number = found.group()
        link = (
            Markup('<a href="#law-{0}">{0}</a>').format(number) if number in read_laws() else number
        )
        parts += [escape(text[end : found.start()]), link]
        end = found.end()
    return Markup("").join([*parts, escape(text[end:])])


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
