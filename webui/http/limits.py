"""Rate limits."""

from typing import Any

from flask import Flask, current_app, request
from flask_limiter import Limiter

from webui.http.client import client_address

DEFAULT_RATES = {
    "RATELIMIT_UPLOADS": "60 per minute",
    "RATELIMIT_SQL": "60 per minute",
    "RATELIMIT_REVIEWS": "60 per minute",
    "RATELIMIT_LOGINS": "5 per minute; 30 per hour",
}
"""How often one client address may use each group of views, where no setting says otherwise."""

UPLOAD_ENDPOINTS = (
    "home.upload",
    "home.check",
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
    "private_games.review_text",
)
"""The views that compute something long on request."""

LOGIN_ENDPOINTS = ("login.check_password",)
"""The views that check a password."""


def init_app(app: Flask) -> None:
    """Guard an application; all its views must be registered."""
    app.before_request(_admit_large_uploads)
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
    login_limit: Any = limiter.shared_limit(
        lambda: str(app.config["RATELIMIT_LOGINS"]), scope="logins"
    )
    for endpoint in LOGIN_ENDPOINTS:
        app.view_functions[endpoint] = login_limit(app.view_functions[endpoint])
    for endpoint in SQL_ENDPOINTS:
        app.view_functions[endpoint] = sql_limit(app.view_functions[endpoint])


def _admit_large_uploads() -> None:
    """Let the drop zone take more than other views; must run before anything reads the body."""
    if request.endpoint == "home.upload":
        request.max_content_length = current_app.config["MAX_UPLOAD_LENGTH"]
