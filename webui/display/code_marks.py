"""Backticks of a text as code, for pages."""

import re

from markupsafe import Markup, escape

_CODE = re.compile(r"`([^`]+)`")


def mark_code(text: str) -> Markup:
    """A text, or the HTML of one, with what stands between backticks as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))
