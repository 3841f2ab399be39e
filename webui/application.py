"""The web application: settings, store, guards, views."""

import logging
import os
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

from flask import Flask
from jinja2 import StrictUndefined

from analyzer.players.expectancy import ChanceTrusts, shipped_models
from analyzer.players.ratings import Ratings
from analyzer.players.winning_model import ChanceModels
from analyzer.sql.pool import StatementPool
from analyzer.statistics.traces import GAME_FILTERS, games_query
from analyzer.store.durable_files import make_private_folder, remove_drafts
from analyzer.store.games import remove_passing_copies
from analyzer.store.lake_place import folder_for
from analyzer.store.processes import ProcessPool
from analyzer.store.reserve import keep_reserve
from analyzer.store.store import Store
from analyzer.store.store_folders import open_store
from analyzer.upkeep.trash import TRASH_DAYS, empty_trash
from analyzer.upkeep.upgrade import remove_unfinished_upgrade
from records.cards import FACE_OF
from records.record import NOTE_MARKS
from records.rules.registry import SHEETS_BY_ID, is_sheet_key
from webui import DATA_FOLDER_VARIABLE, DEFAULT_DATA_FOLDER
from webui.api import operations
from webui.display import markup
from webui.display.card_svg import card_sprite
from webui.display.script_imports import scripts_with
from webui.display.text_layout import isolate_text
from webui.display.words import TEMPLATE_FILTERS
from webui.server import access, client, error_pages, game_cache, limits, logins, page, responses
from webui.server.actions import Action
from webui.server.analysed_games import AnalysedGames
from webui.server.animation_jobs import AnimationQueue
from webui.server.data_files import problems_of_files
from webui.server.game_cache import GameCache
from webui.server.game_jobs import ReadingQueue, ReviewDesk, RolloutQueue, WeighingQueue
from webui.server.imports_queue import IMPORT_ROOM, ImportQueue
from webui.server.known_rulebooks import known_rulebook_name, offered_rulebooks
from webui.server.looks_queue import LookQueue
from webui.server.page import DeclaredAddress, declare
from webui.server.private_links import mask_keys_in_logs
from webui.server.private_uploads import PRIVATE_ROOM, PrivateUploads
from webui.server.request_kinds import FILES
from webui.server.responses import is_scripted, site_links, site_path
from webui.server.serving import RequestTally
from webui.server.shown_steps import ReadersTogether
from webui.views import (
    admin,
    api,
    deal_addresses,
    documents,
    drills,
    evenings,
    events,
    explore,
    games,
    health,
    home,
    imports,
    looks,
    notes,
    own_rulebooks,
    players,
    plotly_bundle,
    recorder,
    reviews,
    rules,
    sent,
    specification,
    sql,
    statistics,
    studies,
    study_forms,
    together,
    unstored,
)

log = logging.getLogger(__name__)

VIEWS = (
    home.blueprint,
    home.verdicts_blueprint,
    games.blueprint,
    events.blueprint,
    evenings.blueprint,
    deal_addresses.STORED_DEALS.blueprint,
    deal_addresses.embed_blueprint,
    drills.blueprint,
    drills.daily_blueprint,
    games.identify_blueprint,
    statistics.expectancy_blueprint,
    imports.blueprint,
    sent.blueprint,
    looks.blueprint,
    unstored.private_blueprint,
    admin.blueprint,
    admin.login_blueprint,
    health.blueprint,
    statistics.blueprint,
    explore.blueprint,
    sql.blueprint,
    players.blueprint,
    reviews.blueprint,
    own_rulebooks.blueprint,
    rules.blueprint,
    rules.findings_blueprint,
    documents.glossary_blueprint,
    documents.blueprint,
    specification.blueprint,
    api.blueprint,
    unstored.permalinks_blueprint,
    unstored.examples_blueprint,
    notes.blueprint,
    studies.blueprint,
    study_forms.blueprint,
    together.blueprint,
    recorder.blueprint,
)
"""What makes up the site."""

DEFAULT_SETTINGS: Mapping[str, Any] = {
    "DATA": None,
    "READ_ONLY": False,
    "MAX_CONTENT_LENGTH": 64 * 1024 * 1024,
    "MAX_FORM_MEMORY_SIZE": 9 * 1024 * 1024,
    "MAX_FORM_PARTS": 1000,
    "MAX_UPLOAD_LENGTH": 1024 * 1024 * 1024,
    "LARGE_UPLOAD": 1024 * 1024,
    "IMPORT_PROCESSES": None,
    "PAGE_PROCESSES": 0,
    "IMPORT_ROOM": IMPORT_ROOM,
    "PRIVATE_ROOM": PRIVATE_ROOM,
    "BEHIND_PROXY": 0,
    "LOCAL_KEY": "",
    "PUBLIC": False,
    "SITE_HOSTS": (),
    "ALLOWED_ORIGINS": (),
    "VISITORS_MAY": ("read", "validate", "upload"),
    "PLAIN_HTTP": False,
    "MAX_SHOWN_RECORDS": 100,
    "MAX_REQUEST_RECORDS": 10_000,
    "STREAM_SECONDS": 60.0,
    **limits.DEFAULT_SETTINGS,
    "SESSION_COOKIE_SAMESITE": "Lax",
    "WTF_CSRF_TIME_LIMIT": None,
}
"""Every setting and its default. Sizes are in bytes.

`DATA` is the data folder, or the address of a lake; None means the one that the commands use. With `READ_ONLY` nothing is written into it.
`MAX_UPLOAD_LENGTH` is what the drop zone takes, `MAX_CONTENT_LENGTH` everything else. From `LARGE_UPLOAD` on, records are imported in the background, in
`IMPORT_PROCESSES` (one fewer than there are processors). `MAX_REQUEST_RECORDS` is the most that a program may have
checked in one request, and `STREAM_SECONDS` how long a request may take that sends any number. The files of uploads that are not imported have `IMPORT_ROOM` together, and private uploads
`PRIVATE_ROOM`. Reviews are made, and rules identified, in `PAGE_PROCESSES`, or in the thread of the page if that is 0.

A server that is not `PUBLIC` answers only to its own machine. One that is has a password for its admin, answers to
the names `SITE_HOSTS`, over https unless `PLAIN_HTTP`, and lets visitors do what `VISITORS_MAY` names. Scripts on pages
of `ALLOWED_ORIGINS` may ask its interface.
`BEHIND_PROXY` is the number of proxies in front of it whose word on the client is taken. Whoever knows `LOCAL_KEY`
may copy the database."""


def build_app(**settings: Any) -> Flask:
    """Build the application; settings are those of `DEFAULT_SETTINGS` or of Flask, in either case.

    Opens the store in the data folder; `close_app` closes it. Raises PasswordError for a public application whose
    admin has no password.
    """
    mask_keys_in_logs()
    app = Flask(__name__)
    app.config.from_mapping(DEFAULT_SETTINGS)
    app.config.update({name.upper(): value for name, value in settings.items()})
    folder = app.config["DATA"] = folder_for(
        app.config["DATA"] or os.environ.get(DATA_FOLDER_VARIABLE) or DEFAULT_DATA_FOLDER
    )
    app.extensions["store"] = store = _open_folder(folder, read_only=app.config["READ_ONLY"])
    app.config["SECRET_KEY"] = app.config["SECRET_KEY"] or logins.session_secret(
        folder, keep=not store.read_only
    )
    app.extensions["request_tally"] = RequestTally()
    _open_services(app, store)
    client.init_app(app)
    _set_up_templates(app)
    responses.init_headers(app)
    error_pages.init_app(app)
    plotly_bundle.init_app(app)
    for blueprint in VIEWS:
        app.register_blueprint(blueprint)
    app.register_blueprint(operations.make_blueprint())
    declare(app, "static", DeclaredAddress(Action.LOOK, FILES))
    page.init_json_addresses(app)
    _guard(app)
    return app


def _open_services(app: Flask, store: Store) -> None:
    """Open what the views share, and take up again what was being computed when the site ended."""
    folder = app.config["DATA"]
    app.extensions["processes_on_call"] = processes = ProcessPool(
        app.config["PAGE_PROCESSES"], presence=client.client_presence
    )
    app.extensions["game_cache"] = GameCache(store, processes)
    app.extensions["analysed_games"] = AnalysedGames(processes)
    app.extensions["animations"] = AnimationQueue(processes)
    app.extensions["together"] = ReadersTogether()
    app.extensions["ratings"] = Ratings(store)
    shipped = shipped_models()
    app.extensions["chance_models"] = models = ChanceModels(store, shipped)
    app.extensions["chance_trusts"] = ChanceTrusts(models, shipped)
    app.extensions["statements"] = StatementPool(folder)
    app.extensions["imports"] = ImportQueue(
        store, folder, app.config["IMPORT_PROCESSES"], app.config["IMPORT_ROOM"]
    )
    app.extensions["looks"] = LookQueue(
        store,
        folder,
        app.config["IMPORT_PROCESSES"],
        app.config["IMPORT_ROOM"],
        asks=not app.config["PUBLIC"] or "read" in app.config["VISITORS_MAY"],
    )
    app.extensions["private_uploads"] = PrivateUploads(folder, app.config["PRIVATE_ROOM"])
    app.extensions["rollouts"] = RolloutQueue(store, processes)
    app.extensions["weighing"] = weighing = WeighingQueue(store, models)
    app.extensions["readings"] = readings = ReadingQueue(store, models, processes)
    app.extensions["reviews"] = ReviewDesk(store, readings, weighing)
    if not store.read_only:
        app.extensions["rollouts"].resume()
        app.extensions["weighing"].resume()


def _guard(app: Flask) -> None:
    """Let every request pass the gate and the limits; all views must be registered."""
    access.init_cross_origin(app)
    access.init_gate(app)
    operations.init_app(app)  # what follows is done before it to an answer
    limits.init_app(app)
    access.guard_forms(app)
    game_cache.init_app(app)


def _open_folder(folder: Path, *, read_only: bool) -> Store:
    """The store of a data folder, in which nothing is left of what was being written when a process ended."""
    if not read_only:
        make_private_folder(folder)
    store = open_store(folder, read_only=read_only)
    for _, message in problems_of_files(folder):
        log.warning("%s: %s", folder, message)
    if not store.read_only:
        remove_drafts(folder)
        remove_passing_copies(folder)
        remove_unfinished_upgrade(folder)
        empty_trash(folder, older_than=timedelta(days=TRASH_DAYS))
        keep_reserve(folder)
    return store


def close_app(app: Flask) -> None:
    """Stop background work and close the store."""
    # A thread at work keeps the process alive, so every queue is closed even if a wait is cut short by Ctrl-C.
    with ExitStack() as queues:
        for name in (
            "together",
            "ratings",
            "statements",
            "processes_on_call",
            "animations",
            "rollouts",
            "weighing",
            "readings",
            "looks",
            "imports",
        ):
            queues.callback(app.extensions[name].close)
    app.extensions["store"].close()


def _set_up_templates(app: Flask) -> None:
    env = app.jinja_env
    env.undefined = StrictUndefined
    env.trim_blocks = env.lstrip_blocks = True
    env.filters.update(TEMPLATE_FILTERS)
    env.filters.update(linked=markup.link_laws, paragraphs=markup.law_paragraphs)
    env.filters["games_query"] = lambda row, columns: games_query(
        dict(zip(columns, row, strict=True))
    )
    env.filters.update(site_path=site_path, site_links=site_links, isolated=isolate_text)
    env.filters["sheet_name"] = known_rulebook_name
    env.tests["sheet_key"] = is_sheet_key
    env.tests["published"] = SHEETS_BY_ID.__contains__
    env.tests["card"] = FACE_OF.__contains__
    env.tests["game_filter"] = GAME_FILTERS.__contains__
    env.globals.update(
        sprite=card_sprite,
        is_scripted=is_scripted,
        note_marks=NOTE_MARKS,
        rulebooks=offered_rulebooks,
        scripts_with=scripts_with,
    )
