"""The direction of a text that people typed, what stays in one line, and columns in a terminal where signs take two places or none."""

import re

# Names and texts in Hebrew, Arabic and their like, isolated from the English text around them.
#
# Beside them, numbers and separators would change places: of two players and their points, each would seem to have the
# other's. In a page whose every such text is isolated, all else stands in the order in which it was written.

RIGHT_TO_LEFT = (
    "\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
)
"""The blocks of all letters and digits that are written from right to left, and the mark that acts as one."""
DIRECTION_CONTROLS = "\u202a-\u202e\u2066-\u2069"
"""Characters that change the direction of what follows, to the end of the paragraph if nothing closes them."""
FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"

_AS_ISOLATE = rf"{FIRST_STRONG_ISOLATE}\g<0>{POP_ISOLATE}"
_WITHIN_TEXT = "(?:[ \u00a0\"'’.\u2010\u2011\u200c\u200d-]|&#3[49];)"
_ISOLATED = re.compile(f"[{RIGHT_TO_LEFT}]+(?:{_WITHIN_TEXT}[{RIGHT_TO_LEFT}]+)*")
"""Words that belong together. One space joins them, as in a name; a comma, a dash or the end of a sentence does not."""
_COPIED = re.compile(f"{FIRST_STRONG_ISOLATE}({_ISOLATED.pattern}){POP_ISOLATE}")
_CONTROL = re.compile(f"[{DIRECTION_CONTROLS}]")
_TURNING = re.compile(f"[{RIGHT_TO_LEFT}{DIRECTION_CONTROLS}]")
_TAG = r"""<(?:"[^"]*"|'[^']*'|[^<>"'])*>"""
_MARKUP = re.compile(
    f"(?P<kept><(script|style|textarea|option)\\b.*?</\\2>|<!--.*?-->)|(?P<tag>{_TAG})|[^<]+|<",
    re.DOTALL,
)
_SHOWN_ATTRIBUTE = re.compile(r'(?<=\s)(?:aria-label|title|alt|content)="[^"]*"')
"""Attributes that people are shown or told. All others are for programs."""


def isolate_text(text: str) -> str:
    """A text whose parts that are written from right to left move nothing around them."""
    return _ISOLATED.sub(_AS_ISOLATE, _CONTROL.sub(" ", text)) if _TURNING.search(text) else text


def isolate_markup(markup: str) -> str:
    """HTML or SVG with such a text in every place where people read it.

    Characters isolate, and not `<bdi>`: they may stand in a title, an attribute and a picture, too, they stay when a
    script reads a text and writes it again, and they are no boxes in a row of boxes. The text of fields and of their
    options is left as it is, since it is sent back.
    """
    return _MARKUP.sub(_isolate_part, markup) if _TURNING.search(markup) else markup


def without_isolates(text: str) -> str:
    """A text that may have been copied from a page, as it was before it was isolated there."""
    return _COPIED.sub(r"\1", text)


def _isolate_part(found: re.Match[str]) -> str:
    if found["kept"] or not _TURNING.search(found[0]):
        return found[0]
    if found["tag"]:
        return _SHOWN_ATTRIBUTE.sub(lambda attribute: isolate_text(attribute[0]), found[0])
    return isolate_text(found[0])


# A number and the sign behind it.

_PERCENT = re.compile(
    rf"<(script|style|textarea|option|pre|code)\b.*?</\1>|<!--.*?-->|{_TAG}|(?<=[0-9]) %", re.DOTALL
)
"""A number's percent sign in HTML, or what may have one that stays as it is: it is sent back, or copied."""


def join_percents(markup: str) -> str:
    """HTML in which no line ends between a number and its percent sign."""
    if " %" not in markup:
        return markup
    return _PERCENT.sub(lambda found: "\u00a0%" if found[0] == " %" else found[0], markup)


# Columns of text in a terminal, where some signs take two places and others none.


def text_width(text: str) -> int:
    """How many columns of a terminal a text takes; what cannot be printed takes none."""
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth, wcwidth  # few texts need it, and a command should start at once

    width = wcswidth(text)
    return width if width >= 0 else sum(max(0, wcwidth(sign)) for sign in text)


def pad_text(text: str, width: int, *, right: bool = False) -> str:
    """A text with blanks behind it, or before it to stand at the right, as far as it is narrower than so many columns."""
    blanks = " " * (width - text_width(text))
    return blanks + text if right else text + blanks


def cut_text(text: str, width: int) -> str:
    """The beginning of a text with an ellipsis, if it takes more than so many columns."""
    if text_width(text) <= width:
        return text
    from wcwidth import clip

    return f"{clip(text, 0, width - 1).rstrip()}…"


def wrap_text(text: str, width: int) -> list[str]:
    """The lines of a text, each of so many columns at most."""
    from wcwidth import wrap

    return wrap(text, width)
