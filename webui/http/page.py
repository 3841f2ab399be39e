"""A page and its address, declared once, at the view: who may ask for it, what it costs, and what it is as JSON."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, ClassVar, TypeVar, get_type_hints

from flask import Blueprint, Flask, Response, current_app, render_template
from flask.sansio.app import App
from flask.typing import ResponseReturnValue

from webui.access.actions import Action
from webui.display.text_direction import isolate_markup
from webui.http.request_kinds import PAGES, RequestKind
from webui.http.responses import json_response

ViewFunction = TypeVar("ViewFunction", bound=Callable[..., Any])


@dataclass(frozen=True, kw_only=True)
class Page:
    """A template and the values it shows."""

    template: ClassVar[str]

    def render(self) -> str:
        """The page as HTML."""
        return isolate_markup(render_template(self.template, page=self))

    @property
    def data(self) -> object:
        """The page for programs, which gives what may be encoded as JSON."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class DeclaredAddress:
    """What was declared of a view: the action that it belongs to, and what it costs.

    One that `takes_files` may be sent more than others. One that `needs_form_token` is refused to forms of other sites.
    One that is `about_query` is another page without its query.
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
