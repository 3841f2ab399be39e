"""The other addresses of a page that its head names: its JSON, with `.json` behind the path, and the one that stands for it."""

from flask import Flask, current_app, request, url_for

from webui.http.page import declared_address

HOME_JSON_PATH = "/index.json"
"""The first page as JSON: its own address has no name that could end in `.json`."""


def init_app(app: Flask) -> None:
    """Give templates both addresses of their page; all views must be registered."""
    app.extensions["json_endpoints"] = map_json_endpoints(app)
    app.context_processor(
        lambda: {"json_address": json_address, "canonical_address": canonical_address}
    )


def map_json_endpoints(app: Flask) -> dict[str, str]:
    """The endpoint of each page's JSON, by the page's own."""
    found = {
        str(rule): rule.endpoint
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ())
    }
    wanted = {path: HOME_JSON_PATH if path == "/" else f"{path}.json" for path in found}
    return {found[path]: found[to] for path, to in wanted.items() if to in found}


def json_address() -> str:
    """The address of the current page's JSON; empty if it has none."""
    name = current_app.extensions["json_endpoints"].get(request.endpoint or "")
    if name is None or request.method == "POST":
        return ""
    query = request.query_string.decode("ascii", "replace")
    return url_for(name, **(request.view_args or {})) + (f"?{query}" if query else "")


def canonical_address(*, whole: bool = False) -> str:
    """The address of the current page without its query, `whole` with the host; empty where none may stand for it.

    A page that answers a form, an error, a page behind a private link and, with its query, a page that is about it have none.
    """
    declared, values = declared_address(request.endpoint), request.view_args or {}
    if declared is None or request.method != "GET" or "sent" in values:
        return ""
    if declared.about_query and request.query_string:
        return ""
    return url_for(str(request.endpoint), **values, _external=whole)
