"""Pages of the specification as HTML: anchors on headings, links to laws, findings and words of the glossary."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from records.documents.glossary import find_entry
from records.documents.schemas import SPEC_ADDRESS, SPEC_FOLDER
from records.rules.laws import LAW_NUMBER_PATTERN, read_laws
from records.validate.codes.all_codes import FINDING_CODES
from webui.display.term_links import LINKED_TERMS

SPEC_PAGE_NAMES = (
    "format", "writing", "notation", "deals", "sheets", "points", "rulings", "findings", "conformance", "planted_errors",
    "glossary", "versions",
)  # fmt: skip
"""The pages of the specification in the order in which a newcomer reads them: `format` is `format.md`."""

_DEEPEST_LISTED = 3
_BROKEN_SAMPLE = re.compile(r"broken/([a-z0-9-]+)\.json")
_SAMPLES = "../../samples/"
_FOLD = re.compile(r"<details>\n<summary>(?P<summary>[^<]*)</summary>\n|</details>\n")
_WORD = re.compile(
    rf"(?P<law>{LAW_NUMBER_PATTERN.pattern})|\b(?P<term>{'|'.join(LINKED_TERMS)})s?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SpecHeading:
    """A heading: its level (1 to 4), its text, and its anchor on the page."""

    level: int
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class SpecSection:
    """What stands below one heading, up to the next, as text without marks."""

    page: str
    heading: SpecHeading
    text: str

    @property
    def address(self) -> str:
        """Where the section stands on the site; of the first of a page, the page itself."""
        anchor = f"#{self.heading.anchor}" if self.heading.level > 1 else ""
        return page_path(self.page) + anchor


@dataclass(frozen=True, slots=True)
class SpecPageMarkup:
    """A page of the specification: its HTML without the title, and its sections; the first has the title."""

    name: str
    html: Markup
    sections: Sequence[SpecSection]

    @property
    def title(self) -> str:
        """The title of the page."""
        return self.sections[0].heading.text

    @property
    def summary(self) -> str:
        """The first paragraph."""
        return self.sections[0].text.partition("\n")[0]

    @property
    def contents(self) -> list[tuple[SpecHeading, list[SpecHeading]]]:
        """The chapters, each with its sections."""
        chapters: list[tuple[SpecHeading, list[SpecHeading]]] = []
        for section in self.sections[1:]:
            if section.heading.level < _DEEPEST_LISTED:
                chapters.append((section.heading, []))
            elif section.heading.level == _DEEPEST_LISTED and chapters:
                chapters[-1][1].append(section.heading)
        return chapters


def heading_anchor(text: str) -> str:
    """The anchor of a heading, as code hosts make it: `after-an-illegal-event`."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


@cache
def spec_page(name: str) -> SpecPageMarkup:
    """The page of this name; KeyError if there is none."""
    if name not in SPEC_PAGE_NAMES:
        raise KeyError(name)
    return render_spec_page(name, (SPEC_FOLDER / f"{name}.md").read_text(encoding="utf-8"))


def render_spec_page(name: str, text: str) -> SpecPageMarkup:
    """A page written in Markdown, with no HTML but what folds a part of it.

    Raises ValueError for a link that leads nowhere on the site, and for other HTML.
    """
    parser = MarkdownIt("commonmark", {"html": True}).enable("table").disable("html_inline")
    tokens = parser.parse(text)
    sections = _sections(name, tokens)
    linked = _LinkedWords(name)
    shown = list(_shown(tokens, sections, linked))
    html = parser.renderer.render(shown, parser.options, {})
    return SpecPageMarkup(name, Markup(html), sections)


def _sections(name: str, tokens: Sequence[Token]) -> list[SpecSection]:
    """The headings with their texts; like headings get numbered anchors."""
    found: list[tuple[SpecHeading, list[str]]] = []
    anchors: dict[str, int] = {}
    for before, token in pairwise(tokens):
        if token.type == "inline" and before.type == "heading_open":
            text = _plain(token)
            anchor = heading_anchor(text)
            again = anchors[anchor] = anchors.get(anchor, -1) + 1
            anchor = f"{anchor}-{again}" if again else anchor
            found.append((SpecHeading(int(before.tag[1]), text, anchor), []))
        elif token.type == "inline" and found:
            found[-1][1].append(_plain(token))
        elif token.type == "fence" and found:
            found[-1][1].append(token.content)
    return [SpecSection(name, heading, "\n".join(texts)) for heading, texts in found]


def _plain(token: Token) -> str:
    parts = (" " if child.type == "softbreak" else child.content for child in token.children or ())
    return "".join(parts)


def _shown(
    tokens: Sequence[Token], sections: Sequence[SpecSection], linked: "_LinkedWords"
) -> Iterator[Token]:
    """The tokens as they are shown: without the title, with anchors, and tables that scroll by themselves."""
    headings = iter(sections[1:])
    tables: dict[str, int] = {}
    current, in_heading = sections[0], False
    for token in tokens[3:]:  # the first three are the title
        match token.type:
            case "heading_open":
                current, in_heading = next(headings), True
                token.attrSet("id", current.heading.anchor)
                linked.begin(current.heading)
            case "heading_close":
                yield _heading_link(current.heading)
                in_heading = False
            case "inline" if not in_heading:
                token.children = list(linked.link(token.children or []))
            case "table_open":
                number = tables[current.heading.text] = tables.get(current.heading.text, 0) + 1
                start = Markup('<div class="scroll" tabindex="0" role="region" aria-label="{}">')
                yield _raw("html_block", start.format(f"{current.heading.text}, table {number}"))
            case "th_open":
                token.attrSet("scope", "col")
            case "html_block":
                token = _raw("html_block", _fold(token.content))
            case "fence":
                block = Markup('<pre class="code" tabindex="0"><code>{}</code></pre>\n')
                token = _raw("html_block", block.format(token.content))
        yield token
        if token.type == "table_close":
            yield _raw("html_block", Markup("</div>\n"))


def _fold(html: str) -> Markup:
    """The beginning or the end of a part that is folded; code hosts know it, too."""
    found = _FOLD.fullmatch(html)
    if found is None:
        raise ValueError(f"this HTML folds nothing: {html}")
    if found["summary"] is None:
        return Markup("</details>\n")
    return Markup('<details>\n<summary>{}</summary>\n').format(found["summary"])


def _raw(kind: str, html: str) -> Token:
    return Token(kind, "", 0, content=str(html))


def _heading_link(heading: SpecHeading) -> Token:
    link = Markup(' <a class="anchor" href="#{}" aria-label="Link to “{}”">#</a>')
    return _raw("html_inline", link.format(heading.anchor, heading.text))


class _LinkedWords:
    """Links in the text of a page: its own, and those to laws, findings and the first mentions of words."""

    def __init__(self, page: str) -> None:
        self.page = page
        self.heading: SpecHeading | None = None
        self.mentioned: set[str] = set()

    def begin(self, heading: SpecHeading) -> None:
        """A section begins; in a new chapter every word is mentioned anew."""
        self.heading = heading
        if heading.level < _DEEPEST_LISTED:
            self.mentioned = set()

    def link(self, children: Sequence[Token]) -> Iterator[Token]:
        """The parts of a paragraph, with links."""
        inside, dropped = 0, 0
        for child in children:
            if child.type == "link_open":
                address = spec_link(self.page, str(child.attrGet("href")))
                inside, dropped = inside + 1, dropped + (address is None)
                child.attrSet("href", address or "")
                if address is not None:
                    yield child
            elif child.type == "link_close":
                inside -= 1
                if not dropped:
                    yield child
                dropped = max(0, dropped - 1)
            elif child.type == "text" and not inside:
                yield _raw("html_inline", self._link_text(child.content))
            elif child.type == "code_inline" and not inside and child.content in FINDING_CODES:
                link = Markup('<a href="/findings/{0}"><code>{0}</code></a>')
                yield _raw("html_inline", link.format(child.content))
            else:
                yield child

    def _link_text(self, text: str) -> Markup:
        parts, end = [], 0
        for found in _WORD.finditer(text):
            link = self._law(found["law"]) if found["law"] else self._term(found)
            if link is not None:
                parts += [escape(text[end : found.start()]), link]
                end = found.end()
        return Markup("").join([*parts, escape(text[end:])])

    def _law(self, number: str) -> Markup | None:
        anchor = heading_anchor(number)
        here = self.heading is not None and self.heading.anchor == anchor
        if number not in read_laws() or (self.page == "rulings" and here):
            return None
        page = "" if self.page == "rulings" else page_path("rulings")
        return Markup('<a href="{}#{}">{}</a>').format(page, anchor, number)

    def _term(self, found: re.Match[str]) -> Markup | None:
        word = found["term"].lower()
        if word in self.mentioned or self.page == "glossary":
            return None
        self.mentioned.add(word)
        link = Markup('<a class="term" href="/glossary#{}">{}</a>')
        return link.format(find_entry(word).anchor, found.group())


def page_path(name: str) -> str:
    """The address of a page of the specification."""
    return "/glossary" if name == "glossary" else SPEC_ADDRESS + name


def spec_link(page: str, address: str) -> str | None:
    """Where a link of a page leads on the site; None for a file that the site does not have.

    Raises ValueError for any other address.
    """
    path, mark, anchor = address.partition("#")
    if not path:
        return address
    name, _, ending = path.partition(".")
    if ending == "md" and name in SPEC_PAGE_NAMES:
        return f"{page_path(name)}{mark}{anchor}"
    if (SPEC_FOLDER / path).is_file() and ending in ("json", "schema.json"):
        return SPEC_ADDRESS + path
    if path.startswith(_SAMPLES) and ".." not in path.removeprefix(_SAMPLES):
        broken = _BROKEN_SAMPLE.fullmatch(path.removeprefix(_SAMPLES))
        return f"/findings/{broken[1]}/sample.json" if broken else None
    raise ValueError(f"{page}.md leads to {address}, which the site does not have")
