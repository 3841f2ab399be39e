"""What stands in the head of a page."""

import re
from html import unescape


def meta(page: str) -> dict[str, list[str]]:
    """What a page says of itself to other programs, by name."""
    found: dict[str, list[str]] = {}
    for name, content in re.findall(r'<meta (?:name|property)="([^"]*)" content="([^"]*)">', page):
        found.setdefault(name, []).append(unescape(content))
    return found
