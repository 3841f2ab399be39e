"""What guards the doors: a token in every form, and a limit to how often one address may upload."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from flask import Flask, current_app
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_wtf.csrf import CSRFProtect  # type: ignore[import-untyped]

View = TypeVar("View", bound=Callable[..., Any])

csrf = CSRFProtect()
limiter = Limiter(get_remote_address)


def init_app(app: Flask) -> None:
    """Guard an application."""
    csrf.init_app(app)
    limiter.init_app(app)


def _uploads() -> str:
    return str(current_app.config["RATELIMIT_UPLOADS"])


_upload_limit = limiter.shared_limit(_uploads, scope="uploads")


def limit_uploads(view: View) -> View:
    """Mark a view that takes records in; all such views share one budget an address."""
    return cast(View, _upload_limit(view))


def without_token(view: View) -> View:
    """Mark a view that programs post to: it reads no cookie, so that a token guards nothing."""
    return cast(View, csrf.exempt(view))
