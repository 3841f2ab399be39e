"""A page and its address, declared once at the view: who may ask for it, what it costs, and the same as JSON."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, ClassVar, TypeVar, dataclass_transform, get_type_hints

from flask import Blueprint, Flask, Response, abort, current_app, render_template, request, url_for
from flask.sansio.app import App
from flask.typing import ResponseReturnValue

from records.rules.registry import is_sheet_key
from webui.display.text_layout import isolate_markup, join_percents
from webui.server.actions import Action
from webui.server.request_kinds import PAGES, RequestKind
from webui.server.responses import json_response, with_query

ViewFunction = TypeVar("ViewFunction", bound=Callable[..., Any])


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Page:
    """A template and the values it shows: a page names them as the fields of a dataclass, without a decorator.

    One that is not `at_its_address` is shown in place of what was asked for, and names no address of it.
    """

    template: ClassVar[str]
    at_its_address: ClassVar[bool] = True

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    def render(self) -> str:
        """The page as HTML."""
        return join_percents(isolate_markup(render_template(self.template, page=self)))

    @property
    def data(self) -> object:
        """The page as programs get it: what can be encoded as JSON, or a response.

        A page whose address is declared with a `data` of its own has none.
        """
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class DeclaredAddress:
    """What was declared of a view: the action that it belongs to, and what it costs.

    One that `takes_files` may be sent more than others. One that `needs_form_token` is refused to forms of other sites.
    What one that is `about_query` shows is said by its query: with one, no other address may stand for it.
    """

    action: Action
    cost: RequestKind
    takes_files: bool = False
    needs_form_token: bool = True
    about_query: bool = False


class UndeclaredAddress(LookupError):
    """A view that says neither who may ask for it nor what it costs."""


class Views(Blueprint):
    """The views of a subject; each declares its address, its action and its cost.

    The rates of a view are kept by its module and its qualified name, so that no two may have the same.
    """

    def address(
        self, rule: str, action: Action, cost: RequestKind, *, method: str = "GET", **more: bool
    ) -> Callable[[ViewFunction], ViewFunction]:
        """Declare the address of a view; `more` are further fields of `DeclaredAddress`."""

        def declare(view: ViewFunction) -> ViewFunction:
            declared = DeclaredAddress(action, cost, **more)
            self.declare(rule, view.__name__, view, declared, method=method)
            return view

        return declare

    def form(
        self, rule: str, action: Action, cost: RequestKind, **more: bool
    ) -> Callable[[ViewFunction], ViewFunction]:
        """Declare the address that a form is sent to."""
        return self.address(rule, action, cost, method="POST", **more)

    def page(
        self,
        rule: str,
        action: Action,
        cost: RequestKind,
        *,
        data: Callable[..., object] | None = None,
        **more: bool,
    ) -> Callable[[ViewFunction], ViewFunction]:
        """Declare the address of a page, and the same with `.json` behind it, for programs.

        The view returns the page, or a response. Programs get what `data` returns for the same address, if that is less
        work than the page, or else the `data` of the page. What it is says the docstring of either.
        """

        def declare(view: ViewFunction) -> ViewFunction:
            declared = DeclaredAddress(action, cost, **more)
            as_json = answered_as_json(data or data_of_page(view))
            self.declare(rule, view.__name__, rendered(view), declared)
            self.declare(f"{rule}.json", f"{view.__name__}_json", as_json, declared)
            return view

        return declare

    def declare(
        self,
        rule: str,
        name: str,
        view: Callable[..., ResponseReturnValue],
        declared: DeclaredAddress,
        *,
        method: str = "GET",
    ) -> None:
        """Declare an address of a view under a name."""
        self.add_url_rule(rule, name, view, methods=[method])
        self.record(lambda state: declare(state.app, f"{self.name}.{name}", declared))


def rendered(view: Callable[..., Any]) -> Callable[..., ResponseReturnValue]:
    """A view whose page is answered as HTML."""

    @wraps(view)
    def answer(**parts: Any) -> ResponseReturnValue:
        shown = view(**parts)
        return shown.render() if isinstance(shown, Page) else shown

    return answer


def data_of_page(view: Callable[..., Any]) -> Callable[..., object]:
    """What gives the data of the page that a view returns."""

    def data(**parts: Any) -> object:
        return view(**parts).data

    data.__doc__ = get_type_hints(view)["return"].data.__doc__
    data.__module__, data.__qualname__ = view.__module__, f"{view.__qualname__}_json"
    return data


def answered_as_json(data: Callable[..., object]) -> Callable[..., ResponseReturnValue]:
    """A view that answers with data as JSON."""

    @wraps(data)
    def answer(**parts: Any) -> ResponseReturnValue:
        value = data(**parts)
        return value if isinstance(value, Response) else json_response(value)

    return answer


def declare(app: App, endpoint: str, declared: DeclaredAddress) -> None:
    """Say who may ask for an endpoint and what it costs."""
    app.extensions.setdefault("declared_addresses", {})[endpoint] = declared


def declared_address(endpoint: str | None, app: Flask | None = None) -> DeclaredAddress | None:
    """What was declared of an endpoint; None where there is no such address."""
    known: dict[str, DeclaredAddress] = (app or current_app).extensions["declared_addresses"]
    return known.get(endpoint or "")


def cost_of(endpoint: str | None, app: Flask | None = None) -> RequestKind:
    """What a request costs; what answers 404 costs as much as a page."""
    declared = declared_address(endpoint, app)
    return declared.cost if declared else PAGES


def require_declarations(app: Flask) -> None:
    """Raise UndeclaredAddress if a view was registered without a declaration."""
    missing = sorted(app.view_functions.keys() - app.extensions["declared_addresses"].keys())
    if missing:
        raise UndeclaredAddress(f"nothing says who may ask for {', '.join(missing)}")


MOST_PAGES = 2**32


def requested_page(most: int = MOST_PAGES) -> int:
    """The page of a list that the address asks for, counted from 1."""
    return min(max(request.args.get("page", 1, type=int), 1), most)


def requested_sheet() -> str | None:
    """The rulebook to which the address limits a page; answers 404 for what is no key of one."""
    sheet = request.args.get("sheet") or None
    return sheet if sheet is None or is_sheet_key(sheet) else abort(404)


# The other addresses of a page that its head names: its JSON, with `.json` behind the path, and the one that stands for it.

HOME_JSON_PATH = "/index.json"
"""The first page as JSON: its own address has no name that could end in `.json`."""


def init_json_addresses(app: Flask) -> None:
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
    return with_query(url_for(name, **(request.view_args or {})))


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
