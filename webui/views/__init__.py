"""The views: one blueprint a noun."""

from typing import cast

from flask import current_app

from analyzer.db.store import Store
from webui.games.cache import Shelf
from webui.jobs.imports import Imports
from webui.jobs.rollouts import Rollings


def store() -> Store:
    """The store of the application at work."""
    return cast(Store, current_app.extensions["store"])


def shelf() -> Shelf:
    """The shelf of the application at work."""
    return cast(Shelf, current_app.extensions["shelf"])


def background() -> Imports:
    """The imports behind the application at work."""
    return cast(Imports, current_app.extensions["imports"])


def rollings() -> Rollings:
    """The roll-outs behind the application at work."""
    return cast(Rollings, current_app.extensions["rollings"])
