"""The web application and the command line."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask

DATA_FOLDER_VARIABLE = "BEZIQUE_DATA"
"""The environment variable that names the data folder."""
DEFAULT_DATA_FOLDER = "var"
"""The data folder of the commands and of the application, where nothing names another."""


def create_app(**settings: Any) -> "Flask":
    """The web application; see `webui.application.build_app`. The command line need not load it."""
    from webui.application import build_app

    return build_app(**settings)
