from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace
from werkzeug.routing import Rule

from analyzer.store.store import Store
from records.events import Meld
from records.format import codec
from records.record import Record
from records.selfplay import play_game
from tests.machine.waiting import PATIENCE_SECONDS
from tests.make.empty_store import with_empty_database
from tests.make.stored_games import store_game
from tests.webui.public_site import public_site
from webui import create_app
from webui.application import close_app
from webui.server import game_cache
from webui.server.request_kinds import DEFAULT_RATES

ENDLESS_RATES = dict.fromkeys(DEFAULT_RATES, "100000 per minute")
"""All tests that share an application are one client to it: none may find that the others have used up a rate."""


@pytest.fixture(scope="session", autouse=True)
def patient_search() -> Iterator[None]:
    """Pages search for rules and corrections to the end, however busy the machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game_cache, "SEARCH_SECONDS", PATIENCE_SECONDS)
        yield


@pytest.fixture(scope="session", autouse=True)
def addresses_compiled_once() -> Iterator[None]:
    """Every application has the same addresses: what Werkzeug compiles to write them needs half the time of building one.

    What it compiles takes the rule as an argument and depends on nothing but the pieces of its path and their defaults.
    """
    compile_builder, known = Rule._compile_builder, dict[object, Callable[..., tuple[str, str]]]()

    def compile_once(rule: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:  # noqa: FBT001, FBT002
        key = rule.rule, tuple(rule._trace), repr(rule.defaults), append_unknown
        if key not in known:
            known[key] = compile_builder(rule, append_unknown)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rule, "_compile_builder", compile_once)
        yield


@pytest.fixture(scope="session")
def app(
    tmp_path_factory: pytest.TempPathFactory, legal: Record, illegal: Record
) -> Iterator[Flask]:
    """An application with a legal and an illegal game, for tests that only read."""
    app = create_app(
        data=with_empty_database(tmp_path_factory.mktemp("house")),
        testing=True,
        wtf_csrf_enabled=False,
        **ENDLESS_RATES,
    )
    for record in (legal, illegal):
        store_game(app, record)
    yield app
    close_app(app)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Flask]:
    """An application with an empty store."""
    app = create_app(
        data=with_empty_database(tmp_path / "data"), testing=True, wtf_csrf_enabled=False
    )
    yield app
    close_app(app)


@pytest.fixture
def fresh_client(fresh: Flask) -> FlaskClient:
    return fresh.test_client()


@pytest.fixture
def open_site(tmp_path: Path) -> Iterator[Callable[..., Flask]]:
    """Opens a public site with these settings, which is closed at the end."""
    with ExitStack() as stack:

        def opened(**settings: object) -> Flask:
            app = public_site(tmp_path, **settings)
            stack.callback(close_app, app)
            return app

        yield opened


@pytest.fixture
def store(fresh: Flask) -> Store:
    """The empty store."""
    return fresh.extensions["store"]


@pytest.fixture(scope="session")
def legal() -> Record:
    return play_game("bezique", seed=3, names=["Ann", "<Bob>"])


@pytest.fixture(scope="session")
def illegal() -> Record:
    """The reply to the first card is played by who led it."""
    record = play_game("bezique", seed=3)
    events = record.deals[0].events
    events[1] = replace(events[1], seat=events[0].seat)
    return record


@pytest.fixture(scope="session")
def miscounted() -> Record:
    """The first meld claims 10 points too many."""
    record = play_game("bezique", seed=3)
    events = record.deals[0].events
    at = next(i for i, event in enumerate(events) if isinstance(event, Meld))
    events[at] = replace(events[at], points=events[at].points + 10)
    return record


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """A visitor of a house without games; for tests that only read."""
    app = create_app(data=with_empty_database(tmp_path_factory.mktemp("empty")))
    yield app.test_client()
    close_app(app)


@pytest.fixture
def stored(legal: Record) -> str:
    """The digest of the legal game."""
    return codec.digest(legal)


@pytest.fixture
def stored_illegal(illegal: Record) -> str:
    return codec.digest(illegal)
