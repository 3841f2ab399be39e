"""Rate limits, and a CSRF token in every form."""

from typing import Any

from flask import Flask, current_app, request
from flask_limiter import Limiter
from flask_wtf.csrf import CSRFProtect  # type: ignore[import-untyped]

from webui.http.client import client_address

DEFAULT_RATES = {
    "RATELIMIT_UPLOADS": "60 per minute",
    "RATELIMIT_SQL": "60 per minute",
    "RATELIMIT_REVIEWS": "60 per minute",
}
"""How often one client address may use each group of views, where no setting says otherwise."""

UPLOAD_ENDPOINTS = (
    "home.upload",
    "api.validate",
    "permalinks.replay",
    "permalinks.replay_json",
    "notes.record",
)
"""The views that take records; each client address has one limit for all of them."""

SQL_ENDPOINTS = ("sql.sql", "sql.sql_json", "sql.sql_csv")
"""The views that run a reader's own SQL."""

ANALYSIS_ENDPOINTS = (
    "identify.identify",
    "identify.identify_json",
    "reviews.start_rollouts",
    "reviews.review",
    "reviews.review_json",
    "reviews.review_text",
)
"""The views that compute something long on request."""

CSRF_EXEMPT_ENDPOINTS = ("api.validate", "admin.local_backup", "notes.record")
"""The views that need no CSRF token: `api.validate` reads no cookie, so that a token would guard nothing,
`notes.record` returns what it was sent and stores nothing, and
`admin.local_backup` asks for the key that is in the data folder."""


def init_app(app: Flask) -> None:
    """Guard an application; all its views must be registered."""
    app.before_request(_admit_large_uploads)
    csrf = CSRFProtect(app)
    for endpoint in CSRF_EXEMPT_ENDPOINTS:
        csrf.exempt(app.view_functions[endpoint])
    limiter = Limiter(client_address, app=app)
    app.extensions["upload_limiter"] = limiter  # the views hold it weakly
    upload_limit: Any = limiter.shared_limit(
        lambda: str(app.config["RATELIMIT_UPLOADS"]), scope="uploads"
    )
    for endpoint in UPLOAD_ENDPOINTS:
        app.view_functions[endpoint] = upload_limit(app.view_functions[endpoint])
    sql_limit: Any = limiter.shared_limit(lambda: str(app.config["RATELIMIT_SQL"]), scope="sql")
    analysis_limit: Any = limiter.shared_limit(
        lambda: str(app.config["RATELIMIT_REVIEWS"]), scope="reviews"
    )
    for endpoint in ANALYSIS_ENDPOINTS:
        app.view_functions[endpoint] = analysis_limit(app.view_functions[endpoint])
    for endpoint in SQL_ENDPOINTS:
        app.view_functions[endpoint] = sql_limit(app.view_functions[endpoint])


def _admit_large_uploads() -> None:
    """Let the drop zone take more than other views; must run before anything reads the body."""
    if request.endpoint == "home.upload":
        request.max_content_length = current_app.config["MAX_UPLOAD_LENGTH"]
