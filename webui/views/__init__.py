"""The views: one blueprint per subject."""

from typing import cast

from flask import current_app

from analyzer.sql.pool import StatementPool
from analyzer.store.processes import ProcessPool
from analyzer.store.store import Store
from webui.server.analysed_games import AnalysedGames
from webui.server.animation_jobs import AnimationQueue
from webui.server.game_cache import GameCache
from webui.server.game_jobs import RolloutQueue, WeighingQueue
from webui.server.imports_queue import ImportQueue
from webui.server.looks_queue import LookQueue
from webui.server.private_uploads import PrivateUploads
from webui.server.review_jobs import ReviewDesk


def store() -> Store:
    """The store of the current application."""
    return cast(Store, current_app.extensions["store"])


def game_cache() -> GameCache:
    """The cache of games of the current application."""
    return cast(GameCache, current_app.extensions["game_cache"])


def analysed_games() -> AnalysedGames:
    """What was computed about games that are in no collection."""
    return cast(AnalysedGames, current_app.extensions["analysed_games"])


def animation_queue() -> AnimationQueue:
    """The animations of the current application."""
    return cast(AnimationQueue, current_app.extensions["animations"])


def import_queue() -> ImportQueue:
    """The import queue of the current application."""
    return cast(ImportQueue, current_app.extensions["imports"])


def look_queue() -> LookQueue:
    """The looks at uploads of the current application."""
    return cast(LookQueue, current_app.extensions["looks"])


def rollout_queue() -> RolloutQueue:
    """The roll-out queue of the current application."""
    return cast(RolloutQueue, current_app.extensions["rollouts"])


def weighing_queue() -> WeighingQueue:
    """The queue of reviews to be weighed of the current application."""
    return cast(WeighingQueue, current_app.extensions["weighing"])


def review_desk() -> ReviewDesk:
    """The reviews of the current application, stored and in the making."""
    return cast(ReviewDesk, current_app.extensions["reviews"])


def statement_pool() -> StatementPool:
    """The processes that run readers' SQL on the store of the current application."""
    return cast(StatementPool, current_app.extensions["statements"])


def processes_on_call() -> ProcessPool:
    """The processes of the current application for what takes seconds of a processor."""
    return cast(ProcessPool, current_app.extensions["processes_on_call"])


def private_uploads() -> PrivateUploads:
    """The private uploads of the current application."""
    return cast(PrivateUploads, current_app.extensions["private_uploads"])
