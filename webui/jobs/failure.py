"""Why background work failed, in words for the page."""

import logging

from records.errors import BeziqueError
from webui.display.words.verdict_words import sentence

log = logging.getLogger(__name__)


def failure_reason(error: Exception, what: str) -> str:
    """Why a job could not continue; an error of this program is written to the log."""
    if isinstance(error, BeziqueError | OSError):
        return sentence(str(error))
    log.exception("%s failed", what, exc_info=error)
    return "The server has an error. Details are in its log."
