"""Documents as HTML: anchors on headings, links to laws, findings and words of the glossary, pictures."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from posixpath import dirname, join, normpath

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from records.documents.glossary import find_entry
from records.documents.schemas import SPEC_ADDRESS, SPEC_FOLDER
from records.rules.registry import LAW_NUMBER_PATTERN, read_laws
from records.validate.codes import FINDING_CODES
from webui.display.markup import LINKED_TERMS, mark_matches

# Where a link of a document leads on the site: documents name each other as files of the repository.

DOCUMENT_ADDRESS = "/docs/"
"""Below it are the pages of the documents folder."""
DOCUMENT_FOLDER = Path(__file__).parents[1] / "documents"
"""The Markdown of the documents; in a wheel, too."""
DOCUMENT_FILES = "webui/documents/"
SPEC_FILES = "records/spec/"
"""Where the repository has both."""

_STATIC_FOLDER = Path(__file__).parents[1] / "static"
_STATIC_FILES = "webui/static/"
_BROKEN_SAMPLE = re.compile(r"samples/broken/([a-z0-9-]+)\.json")
_SAMPLE = re.compile(r"samples/(?:good|logs|partial|rulebooks)/[a-z0-9-]+\.[a-z]+")
_KIT_FILE = re.compile(r"samples/(conformance/[a-z-]+\.[a-z]+)")
_ONLY_IN_THE_REPOSITORY = re.compile(r"samples/.*|[A-Z]+\.md")


def page_path(name: str) -> str:
    """The address of a page of the specification."""
    return "/glossary" if name == "glossary" else SPEC_ADDRESS + name


def document_link(file: str, address: str) -> str | None:
    """Where a link in a file of the repository leads on the site; None to a file that only the repository has.

    Raises ValueError for any other address.
    """
    path, mark, anchor = address.partition("#")
    if not path:
        return address
    target = normpath(join(dirname(file), path))
    if (place := _page_place(target) or _data_place(target)) is not None:
        return place + mark + anchor
    if _ONLY_IN_THE_REPOSITORY.fullmatch(target):
        return None
    raise ValueError(f"{file} leads to {address}, which the site does not have")


def _page_place(target: str) -> str | None:
    """The address of a page."""
    name = target.rpartition("/")[2].removesuffix(".md")
    if target == f"{SPEC_FILES}{name}.md" and (SPEC_FOLDER / f"{name}.md").is_file():
        return page_path(name)
    if target == f"{DOCUMENT_FILES}{name}.md" and (DOCUMENT_FOLDER / f"{name}.md").is_file():
        return DOCUMENT_ADDRESS + name
    return None


def _data_place(target: str) -> str | None:
    """The address of a schema, a rule sheet, a sample, a file of the kit or a picture."""
    inside = target.removeprefix(SPEC_FILES)
    if inside != target and target.endswith(".json") and (SPEC_FOLDER / inside).is_file():
        return SPEC_ADDRESS + inside
    inside = target.removeprefix(_STATIC_FILES)
    if inside != target and (_STATIC_FOLDER / inside).is_file():
        return f"/static/{inside}"
    if broken := _BROKEN_SAMPLE.fullmatch(target):
        return f"/findings/{broken[1]}/sample.json"
    if _SAMPLE.fullmatch(target):
        return SPEC_ADDRESS + target
    if kit_file := _KIT_FILE.fullmatch(target):
        return SPEC_ADDRESS + kit_file[1]
    return None


PICTURE_SIZE = (1200, 750)
"""Width and height of every picture, in pixels."""

_DEEPEST_LISTED = 3
_FOLD = re.compile(r"<details>\n<summary>(?P<summary>[^<]*)</summary>\n|</details>\n")
_RULINGS = page_path("rulings")
_GLOSSARY = page_path("glossary")
_WORD = re.compile(
    rf"(?P<law>{LAW_NUMBER_PATTERN.pattern})|\b(?P<term>{'|'.join(LINKED_TERMS)})s?\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.?!]) (?=[A-Z])")
LONGEST_SUMMARY = 220
"""So many letters of a page's first paragraph stand in lists, if its first sentence is not longer."""
_PLACE_ON_THE_SITE = re.compile(r"/(?:[a-z][a-z/-]*)?")


@dataclass(frozen=True, slots=True)
class DocumentHeading:
    """A heading: its level (1 to 4), its text, and its anchor on the page."""

    level: int
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class DocumentSection:
    """What stands below one heading, up to the next, as text without marks; `page` is the address of its page."""

    page: str
    heading: DocumentHeading
    text: str

    @property
    def address(self) -> str:
        """Where the section stands on the site; of the first of a page, the page itself."""
        return self.page + (f"#{self.heading.anchor}" if self.heading.level > 1 else "")


@dataclass(frozen=True, slots=True)
class DocumentMarkup:
    """A document: its address, its HTML without the title, and its sections; the first has the title."""

    address: str
    html: Markup
    sections: Sequence[DocumentSection]

    @property
    def title(self) -> str:
        """The title of the page."""
        return self.sections[0].heading.text

    @property
    def summary(self) -> str:
        """The beginning of the first paragraph, as lists have it."""
        return shorten_summary(self.sections[0].text.partition("\n")[0])

    @property
    def contents(self) -> list[tuple[DocumentHeading, list[DocumentHeading]]]:
        """The chapters, each with its sections."""
        chapters: list[tuple[DocumentHeading, list[DocumentHeading]]] = []
        for section in self.sections[1:]:
            if section.heading.level < _DEEPEST_LISTED:
                chapters.append((section.heading, []))
            elif section.heading.level == _DEEPEST_LISTED and chapters:
                chapters[-1][1].append(section.heading)
        return chapters


def heading_anchor(text: str) -> str:
    """The anchor of a heading, as code hosts make it: `after-an-illegal-event`."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def render_document(file: str, address: str, text: str) -> DocumentMarkup:
    """The Markdown of a file of the repository as the page at an address, with no HTML but what folds a part of it.

    Raises ValueError for a link that leads nowhere on the site, and for other HTML.
    """
    parser = MarkdownIt("commonmark", {"html": True}).enable("table").disable("html_inline")
    tokens = parser.parse(text)
    sections = _sections(address, tokens)
    linked = _LinkedWords(file, address)
    shown = list(_shown(tokens, sections, linked))
    html = parser.renderer.render(shown, parser.options, {})
    return DocumentMarkup(address, Markup(html), sections)


def plain_text(text: str) -> str:
    """A heading or a paragraph of Markdown, without its marks."""
    return next(_plain(token) for token in MarkdownIt("commonmark").parse(text) if token.children)


def shorten_summary(text: str) -> str:
    """The first sentences of a paragraph, as many as a list has room for, at least one; none that ends in a colon."""
    sentences = _SENTENCE_END.split(text)
    shown = sentences[0]
    for sentence in sentences[1:]:
        if len(shown) + len(sentence) >= LONGEST_SUMMARY or sentence.endswith(":"):
            break
        shown = f"{shown} {sentence}"
    return shown


def _sections(address: str, tokens: Sequence[Token]) -> list[DocumentSection]:
    """The headings with their texts; like headings get numbered anchors."""
    found: list[tuple[DocumentHeading, list[str]]] = []
    anchors: dict[str, int] = {}
    for before, token in pairwise(tokens):
        if token.type == "inline" and before.type == "heading_open":
            text = _plain(token)
            anchor = heading_anchor(text)
            again = anchors[anchor] = anchors.get(anchor, -1) + 1
            anchor = f"{anchor}-{again}" if again else anchor
            found.append((DocumentHeading(int(before.tag[1]), text, anchor), []))
        elif token.type == "inline" and found:
            found[-1][1].append(_plain(token))
        elif token.type == "fence" and found:
            found[-1][1].append(token.content)
    return [DocumentSection(address, heading, "\n".join(texts)) for heading, texts in found]


def _plain(token: Token) -> str:
    parts = (" " if child.type == "softbreak" else child.content for child in token.children or ())
    return "".join(parts)


def _shown(
    tokens: Sequence[Token], sections: Sequence[DocumentSection], linked: "_LinkedWords"
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
            case "html_block" if token.content.startswith("<!--"):
                continue  # a remark for those who edit the file
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
    return Markup("<details>\n<summary>{}</summary>\n").format(found["summary"])


def _raw(kind: str, html: str) -> Token:
    return Token(kind, "", 0, content=str(html))


def _heading_link(heading: DocumentHeading) -> Token:
    link = Markup(' <a class="anchor" href="#{}" aria-label="Link to “{}”">#</a>')
    return _raw("html_inline", link.format(heading.anchor, heading.text))


class _LinkedWords:
    """Links in the text of a page: its own, and those to laws, findings and the first mentions of words."""

    def __init__(self, file: str, address: str) -> None:
        self.file = file
        self.address = address
        self.is_specified = file.startswith(SPEC_FILES)
        self.heading: DocumentHeading | None = None
        self.mentioned: set[str] = set()

    def begin(self, heading: DocumentHeading) -> None:
        """A section begins; in a new chapter of the specification every word is mentioned anew."""
        self.heading = heading
        if self.is_specified and heading.level < _DEEPEST_LISTED:
            self.mentioned = set()

    def link(self, children: Sequence[Token]) -> Iterator[Token]:
        """The parts of a paragraph, with links."""
        inside, dropped = 0, 0
        for child in children:
            if child.type == "link_open":
                address = document_link(self.file, str(child.attrGet("href")))
                inside, dropped = inside + 1, dropped + (address is None)
                child.attrSet("href", address or "")
                if address is not None:
                    yield child
            elif child.type == "link_close":
                inside -= 1
                if not dropped:
                    yield child
                dropped = max(0, dropped - 1)
            elif child.type == "image":
                yield _raw("html_inline", self._picture(child))
            elif child.type == "text" and not inside:
                yield _raw("html_inline", self._link_text(child.content))
            elif child.type == "code_inline" and not inside:
                yield self._link_code(child)
            else:
                yield child

    def _link_code(self, token: Token) -> Token:
        """A finding's code leads to its page, and in the documents a place on the site leads there."""
        if token.content in FINDING_CODES:
            link = Markup('<a href="/findings/{0}"><code>{0}</code></a>')
        elif not self.is_specified and _PLACE_ON_THE_SITE.fullmatch(token.content):
            link = Markup('<a href="{0}"><code>{0}</code></a>')
        else:
            return token
        return _raw("html_inline", link.format(token.content))

    def _picture(self, token: Token) -> Markup:
        """A picture, with the one beside it for who prefers dark colours."""
        source = str(token.attrGet("src"))
        name, dot, ending = source.rpartition(".")
        picture = Markup(
            '<picture><source media="(prefers-color-scheme: dark)" srcset="{}">'
            '<img src="{}" alt="{}" width="{}" height="{}" loading="lazy"></picture>'
        )
        dark = document_link(self.file, f"{name}-dark{dot}{ending}")
        return picture.format(dark, document_link(self.file, source), token.content, *PICTURE_SIZE)

    def _link_text(self, text: str) -> Markup:
        return mark_matches(
            _WORD,
            text,
            lambda found: self._law(found["law"]) if found["law"] else self._term(found),
        )

    def _law(self, number: str) -> Markup | None:
        anchor = heading_anchor(number)
        here = self.heading is not None and self.heading.anchor == anchor
        if number not in read_laws() or (self.address == _RULINGS and here):
            return None
        page = "" if self.address == _RULINGS else _RULINGS
        return Markup('<a href="{}#{}">{}</a>').format(page, anchor, number)

    def _term(self, found: re.Match[str]) -> Markup | None:
        word = found["term"].lower()
        if word in self.mentioned or self.address == _GLOSSARY:
            return None
        self.mentioned.add(word)
        link = Markup('<a class="term" href="{}#{}">{}</a>')
        return link.format(_GLOSSARY, find_entry(word).anchor, found.group())
