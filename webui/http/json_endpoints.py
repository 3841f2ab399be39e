"""The JSON twin of every page: the same address with `.json` behind it, which the page names in its head."""

from flask import Flask, current_app, request, url_for

HOME_JSON_PATH = "/index.json"
"""The twin of the first page, whose address has no name to put it behind."""


def init_app(app: Flask) -> None:
    """Let every template ask for the twin of its page, now that all views are there."""
    app.extensions["twins"] = map_json_endpoints(app)
    app.context_processor(lambda: {"twin": json_address})


def map_json_endpoints(app: Flask) -> dict[str, str]:
    """The endpoint of the twin of each page, by the page's own."""
    found = {
        str(rule): rule.endpoint
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ())
    }
    wanted = {path: HOME_JSON_PATH if path == "/" else f"{path}.json" for path in found}
    return {found[path]: found[to] for path, to in wanted.items() if to in found}


def json_address() -> str:
    """Where the page that is being answered is as data; empty where it is none."""
    name = current_app.extensions["twins"].get(request.endpoint or "")
    if name is None or request.method == "POST":
        return ""
    query = request.query_string.decode("ascii", "replace")
    return url_for(name, **(request.view_args or {})) + (f"?{query}" if query else "")
