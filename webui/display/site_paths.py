"""Addresses that were written without regard to where the site is: a proxy may show it under a path of its own."""

import re

from flask import request
from markupsafe import Markup

_OWN_LINK = re.compile(r'(?:(?<=\shref=")|(?<=\ssrc=")|(?<=\ssrcset="))(?=/)')


def site_path(path: str) -> str:
    """The address of a path of this site, for the current request."""
    return f"{request.script_root}{path}"


def site_links(html: Markup) -> Markup:
    """HTML whose links to this site, and pictures from it, lead there."""
    return Markup(_OWN_LINK.sub(request.script_root, html)) if request.script_root else html
