"""Records that are judged, and not stored."""

from collections.abc import Iterator
from io import BytesIO
from typing import Annotated

import msgspec
from flask import Response, current_app

from records import codec
from records.validate.shared_budget import SharedBudget
from webui.http.responses import json_response
from webui.interface.operation import LINES_MEDIA_TYPE, SentRecords
from webui.views.api import report_on_entry


class ValidationParameters(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """How to read the records."""

    lenient: Annotated[
        bool, msgspec.Meta(description="Warn about unknown members instead of refusing the record.")
    ] = False


def validate(given: ValidationParameters, sent: SentRecords) -> Response:
    """Judge records by the rules that they name; nothing is stored.

    A record has its report. Lines, and records in the notation, have a report each, in their order, sent as soon as the
    record is judged. What cannot be read has a report, too, with the verdict `unreadable`.
    """
    reports = _reports(sent, strict=not given.lenient)
    if not sent.as_lines:
        return json_response(msgspec.Raw(next(reports)))
    return current_app.response_class(
        (report + b"\n" for report in reports), mimetype=LINES_MEDIA_TYPE
    )


def _reports(sent: SentRecords, *, strict: bool) -> Iterator[bytes]:
    """The reports as JSON: never more than one in memory, and one budget for all records."""
    budget = SharedBudget.of_request(len(sent.data))
    for entry in codec.read_entries(BytesIO(sent.data)):
        yield msgspec.json.encode(report_on_entry(entry, budget, strict=strict))
