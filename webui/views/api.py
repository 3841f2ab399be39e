"""The API: records in, reports out; nothing is stored."""

from collections.abc import Iterator
from io import BytesIO

import msgspec
from flask import abort, current_app, request
from flask.typing import ResponseReturnValue

from records.format.files import count_entries, read_entries
from records.phrases import size_in_units
from records.validate.finding import RequestBudget
from records.validate.report import Report
from records.validator import check_entry
from webui.server.actions import Action
from webui.server.page import Page, Views
from webui.server.request_kinds import PAGES, VALIDATIONS

DATA_ENDINGS = (".json", ".jsonl", ".jsonl.gz", ".csv", ".txt", ".svg", ".png")
"""The endings of addresses that answer with data."""
blueprint = Views("api", __name__)


class ApiPage(Page):
    """How programs use this server; `largest` is the most that a body may have."""

    template = "api/api.html"
    host: str
    largest: str
    rate: str

    @property
    def data(self) -> object:
        """Every address that answers with data, and what it answers."""
        views = current_app.view_functions
        addresses = {
            str(rule): (views[rule.endpoint].__doc__ or "").strip()
            for rule in current_app.url_map.iter_rules()
            if str(rule).endswith(DATA_ENDINGS) or rule.endpoint == "api.validate"
        }
        return {
            "largest": current_app.config["MAX_CONTENT_LENGTH"],
            "rate": self.rate,
            "addresses": dict(sorted(addresses.items())),
        }


@blueprint.page("/api", Action.LOOK, PAGES)
def api() -> ApiPage:
    """How to use the API."""
    largest = size_in_units(current_app.config["MAX_CONTENT_LENGTH"])
    rate = current_app.config["RATELIMIT_UPLOADS"]
    return ApiPage(host=request.root_url.rstrip("/"), largest=largest, rate=rate)


@blueprint.address(
    "/api/validate", Action.VALIDATE, VALIDATIONS, method="POST", needs_form_token=False
)
def validate() -> ResponseReturnValue:
    """The reports on the records in the body, in order; `?strict=0` reads leniently."""
    if request.mimetype == "multipart/form-data":
        abort(415, "Send the file itself as the body, not a form with it.")
    data = request.get_data()
    if not data:
        abort(400, "Send a record as the body: JSON, JSON Lines, plain or compressed.")
    strict = request.args.get("strict", "1") != "0"
    records = admitted_records(data)
    return current_app.response_class(
        _answer(data, records, strict=strict), mimetype="application/json"
    )


def admitted_records(data: bytes) -> int:
    """How many records a body has; answers 413 if they are too many or if it expands too far."""
    most = int(current_app.config["MAX_REQUEST_RECORDS"])
    totals = count_entries(BytesIO(data), most=most)
    if totals is None:
        abort(413, "The compressed records expand too far. The format page gives the limit.")
    if totals.records > most:
        abort(
            413, f"This server checks up to {most:,} records in one request. Send fewer at a time."
        )
    return totals.records


def _answer(data: bytes, records: int, *, strict: bool) -> Iterator[bytes]:
    """The answer piece by piece, never more than one report in memory.

    Where the records would cost more than a request may, the answer ends with how many are not examined.
    """
    examined = 0
    yield b'{"records":%d,"reports":[' % records
    for report in reports_of_request(data, strict=strict):
        yield (b"," if examined else b"") + msgspec.json.encode(report)
        examined += 1
    yield b"]}" if examined == records else b'],"not_examined":%d}' % (records - examined)


def reports_of_request(data: bytes, *, strict: bool) -> Iterator[Report]:
    """The reports on the records of a request, in their order, up to what a request may cost."""
    budget = RequestBudget()
    for entry in read_entries(BytesIO(data)):
        if not budget.admit(len(entry.data)):
            return
        yield check_entry(entry, strict=strict, identify=True, budget=budget)
