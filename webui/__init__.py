"""The web application and the command line."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask


def create_app(**settings: Any) -> "Flask":
    """The web application; see `webui.application.build_app`. The command line need not load it."""
    from webui.application import build_app

    return build_app(**settings)
