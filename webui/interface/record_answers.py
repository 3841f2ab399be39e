"""A record as its reader wants it: as JSON, or in the notation."""

from collections.abc import Callable

from flask import Response, current_app, request

from records.notation import write_notation
from records.phrases import join_words
from records.record import Record
from webui.http.answers.problems import ProblemRaised
from webui.interface.operation import JSON_MEDIA_TYPE, NOTATION_MEDIA_TYPE, OperationAnswer

NOTATION_CONTENT = {"type": "string", "description": "A record in the notation."}
RECORD_ANSWERS = (
    OperationAnswer(200, Record),
    OperationAnswer(200, NOTATION_CONTENT, NOTATION_MEDIA_TYPE),
)
"""The answers of an operation that answers with a record."""


def record_answer(record: Record, write_json: Callable[[], bytes]) -> Response:
    """A record as the header `Accept` wants it, JSON first; raises ProblemRaised if it wants neither."""
    offered = [answer.media_type for answer in RECORD_ANSWERS]
    wanted = request.accept_mimetypes
    media_type = wanted.best_match(offered) if wanted else JSON_MEDIA_TYPE
    if media_type is None:
        detail = f"A record is sent as {join_words(offered, 'or')}."
        raise ProblemRaised("not-acceptable", detail)
    data = write_json() if media_type == JSON_MEDIA_TYPE else write_notation(record).encode()
    response: Response = current_app.response_class(data, mimetype=media_type)
    response.vary.add("Accept")
    return response
