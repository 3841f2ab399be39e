"""What guards the doors: a token in every form, and a limit to how often one address may upload or ask in SQL."""

from typing import Any

from flask import Flask, current_app, request
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address
from flask_wtf.csrf import CSRFProtect  # type: ignore[import-untyped]

UPLOAD_ENDPOINTS = (
    "home.upload",
    "api.validate",
    "permalinks.replay",
    "permalinks.replay_json",
    "notes.record",
)
"""The views that take records in; they share one budget an address."""

SQL_ENDPOINTS = ("sql.sql", "sql.sql_json", "sql.sql_csv")
"""The views that run what a reader wrote."""

ANALYSIS_ENDPOINTS = (
    "identify.identify",
    "identify.identify_json",
    "reviews.ask_luck",
    "reviews.review",
    "reviews.review_json",
    "reviews.review_text",
)
"""The views that work something out when they are asked for it."""

CSRF_EXEMPT_ENDPOINTS = ("api.validate", "admin.local_backup", "notes.record")
"""The views that programs post to: `api.validate` reads no cookie, so that a token would guard nothing,
`notes.record` gives back what it was sent and keeps nothing, and
`keeping.local_backup` asks for the key that is in the data folder."""


def init_app(app: Flask) -> None:
    """Guard an application whose views are all there."""
    app.before_request(_admit_large_uploads)
    csrf = CSRFProtect(app)
    for endpoint in CSRF_EXEMPT_ENDPOINTS:
        csrf.exempt(app.view_functions[endpoint])
    limiter = Limiter(get_remote_address, app=app)
    app.extensions["upload_limiter"] = limiter  # the views hold it weakly
    limit: Any = limiter.shared_limit(lambda: str(app.config["RATELIMIT_UPLOADS"]), scope="uploads")
    for endpoint in UPLOAD_ENDPOINTS:
        app.view_functions[endpoint] = limit(app.view_functions[endpoint])
    asking: Any = limiter.shared_limit(lambda: str(app.config["RATELIMIT_SQL"]), scope="sql")
    looking: Any = limiter.shared_limit(
        lambda: str(app.config["RATELIMIT_REVIEWS"]), scope="reviews"
    )
    for endpoint in ANALYSIS_ENDPOINTS:
        app.view_functions[endpoint] = looking(app.view_functions[endpoint])
    for endpoint in SQL_ENDPOINTS:
        app.view_functions[endpoint] = asking(app.view_functions[endpoint])


def _admit_large_uploads() -> None:
    """The drop zone takes more than other views; said before anything reads the body."""
    if request.endpoint == "home.upload":
        request.max_content_length = current_app.config["MAX_UPLOAD_LENGTH"]
