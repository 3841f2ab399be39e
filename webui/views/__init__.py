"""The views: one blueprint per subject."""

from collections.abc import Callable
from typing import TypeVar, cast

from flask import current_app

from analyzer.sql.pool import StatementPool
from analyzer.store.processes import ProcessPool
from analyzer.store.store import Store
from webui.server.analysed_games import AnalysedGames
from webui.server.animation_jobs import AnimationQueue
from webui.server.game_cache import GameCache
from webui.server.game_jobs import ReviewDesk, RolloutQueue, WeighingQueue
from webui.server.imports_queue import ImportQueue
from webui.server.looks_queue import LookQueue
from webui.server.private_uploads import PrivateUploads
from webui.server.shown_steps import ReadersTogether

Extension = TypeVar("Extension")


def _extension(kind: type[Extension], name: str) -> Callable[[], Extension]:
    """What gives the extension of this name that the current application has."""
    return lambda: cast(Extension, current_app.extensions[name])


store = _extension(Store, "store")
"""The store of the current application."""
game_cache = _extension(GameCache, "game_cache")
"""The cache of games of the current application."""
analysed_games = _extension(AnalysedGames, "analysed_games")
"""What was computed about games that are in no collection."""
animation_queue = _extension(AnimationQueue, "animations")
"""The animations of the current application."""
import_queue = _extension(ImportQueue, "imports")
"""The import queue of the current application."""
look_queue = _extension(LookQueue, "looks")
"""The looks at uploads of the current application."""
rollout_queue = _extension(RolloutQueue, "rollouts")
"""The roll-out queue of the current application."""
weighing_queue = _extension(WeighingQueue, "weighing")
"""The queue of reviews to be weighed of the current application."""
review_desk = _extension(ReviewDesk, "reviews")
"""The reviews of the current application, stored and in the making."""
statement_pool = _extension(StatementPool, "statements")
"""The processes that run readers' SQL on the store of the current application."""
processes_on_call = _extension(ProcessPool, "processes_on_call")
"""The processes of the current application for what takes seconds of a processor."""
private_uploads = _extension(PrivateUploads, "private_uploads")
"""The private uploads of the current application."""
readers_together = _extension(ReadersTogether, "together")
"""The readers of the current application who show their steps to others."""
