"""The recorder: a page on which people enter a game by tapping, and what it asks of the server at every step."""

from io import BytesIO

import msgspec
from flask import Response, abort, current_app, request, url_for

from records.format import codec
from records.format.files import Entry, read_entries
from records.format.notation_writer import write_notation
from records.phrases import join_words, pluralize
from records.record import Record
from records.rules.english import option_value_text
from records.rules.registry import ALL_SHEETS, ResolvedSheet, own_sheets, resolve_sheet
from records.rules.vocabulary import ChoiceOption, Option, RuleOptionValue, RuleSheet
from records.validator import Validator
from webui.display.markup import json_in_page
from webui.display.words import option_value_words, place_words, sheet_name
from webui.replay.recording import RecorderSheet, recorder_sheet, recording_state
from webui.server.access import may
from webui.server.actions import Action
from webui.server.game_cache import encode_permalink
from webui.server.page import Page, Views
from webui.server.request_kinds import FILES, PAGES, PERMALINKS, UPLOADS
from webui.server.responses import json_response
from webui.views import game_cache, store

LARGEST_DRAFT = 512 * 1024
"""The most bytes of a record that the recorder looks at: a match of sixty deals has a fifth of it."""
TOO_LARGE_TEXT = f"The recorder takes records of up to {LARGEST_DRAFT // 1024} KiB."
LONGEST_FILE_NAME = 200
MOST_RECORDS_LISTED = 30
"""Of a file with several records, so many are offered to go on with."""
NO_DEAL_TEXT = "The record has no deal yet: send one with its dealer."
blueprint = Views("recorder", __name__)


class OptionValueChoice(msgspec.Struct):
    """A value of an option as a record writes it, and in words; `hand` are the sizes of the hands that it sets, if it does."""

    value: str
    words: str
    hand: dict[str, int] | None = None


class OptionChoice(msgspec.Struct):
    """An option of a sheet, as the page asks for it; without `values` it is a number from `low` to `high`."""

    name: str
    says: str
    default: str
    values: list[OptionValueChoice]
    low: int = 0
    high: int = 0


class SheetChoice(msgspec.Struct):
    """A sheet to choose, with its options."""

    sheet: RecorderSheet
    options: list[OptionChoice]


class RecordOrigin(msgspec.Struct):
    """The list of what somebody sent from which a record was opened: its upload, the record there, and the page it is on."""

    sent: str
    content: str
    page: int


class RecorderData(msgspec.Struct):
    """What the page's script needs: every sheet, and the record that the address names, with where it stands."""

    sheets: list[SheetChoice]
    record: Record | None
    digest: str
    origin: RecordOrigin | None


class RecorderPage(Page):
    """The recorder; `opened` is the record that the address names, with its digest.

    One that is not stored yet has its `origin` in the list of what was sent.
    """

    template = "recorder/recorder.html"
    opened: Record | None
    digest: str
    origin: RecordOrigin | None = None

    @property
    def data(self) -> RecorderData:
        """Every sheet with its options in words and its points, and the record that the address names."""
        sheets = list(map(_sheet_choice, self.offered))
        return RecorderData(sheets, self.opened, self.digest, self.origin)

    @property
    def offered(self) -> tuple[RuleSheet, ...]:
        """The published sheets, then those that the site keeps."""
        return (*ALL_SHEETS, *own_sheets())

    @property
    def ranks(self) -> str:
        """The ranks of all sheets together: the cards that the page draws."""
        return "".join(
            dict.fromkeys(rank for sheet in self.offered for rank in sheet.rules.pack.ranks)
        )

    @property
    def json(self) -> str:
        """The data as JSON that may stand inside a page."""
        return json_in_page(self.data)


@blueprint.page("/record", Action.VALIDATE, PAGES, about_query=True)
def record() -> RecorderPage:
    """Enter a game by tapping, or go on with the stored one that the address names as `game`."""
    digest = request.args.get("game", "")
    if not digest:
        return RecorderPage(opened=None, digest="")
    if not may("read"):
        abort(404)
    game = game_cache().game(digest)
    return RecorderPage(opened=game.record, digest=game.digest)


def page_with_unstored(data: bytes, origin: RecordOrigin) -> RecorderPage:
    """The recorder with a record that is not stored; answers 413 if it is too large, 400 if it cannot be read."""
    if len(data) > LARGEST_DRAFT:
        abort(413, TOO_LARGE_TEXT)
    record = codec.decode(data).record or abort(400)
    return RecorderPage(opened=record, digest=codec.digest(record), origin=origin)


@blueprint.address("/record/worker.js", Action.VALIDATE, FILES)
def worker() -> Response:
    """The script by which browsers open the page without a connection; it may stand for this page alone."""
    response = current_app.send_static_file("js/record/worker.js")
    response.headers["Service-Worker-Allowed"] = url_for("recorder.record")
    return response


@blueprint.address(
    "/record/next", Action.VALIDATE, PERMALINKS, method="POST", needs_form_token=False
)
def following() -> Response:
    """What may come next in the record of the body, which is read and not stored.

    `?report=1` adds the validator's report, the notation and the address of the replay.

    `stored` is the address of the replay where this game is stored, for those who may read it.
    """
    written, resolved = _sent_record()
    state = recording_state(written, resolved, with_report=request.args.get("report") == "1")
    sheet = recorder_sheet(resolved)
    digest = codec.digest(written)
    stored = _stored_address(digest, len(written.deals))
    answer = {"state": state, "sheet": sheet, "digest": digest, "stored": stored}
    if state.report is not None:
        answer |= {"notation": write_notation(written), "replay": _replay_address(written)}
    return json_response(answer)


def _stored_address(digest: str, deal: int) -> str:
    stored = may("read") and store().game(digest) is not None
    return url_for("deals.replay", digest=digest, deal=deal) if stored else ""


def _replay_address(written: Record) -> str:
    """The replay of the last deal, by an address that holds the record; empty if the record is too long for one."""
    permalink = encode_permalink(codec.encode(written))
    number = len(written.deals)
    return url_for("permalinks.replay", deal=number, record=permalink) if permalink else ""


class ListedRecord(msgspec.Struct):
    """A record of a file, with its digest, and what it is in words."""

    words: str
    digest: str
    record: Record


class RecordsOfFile(msgspec.Struct):
    """The first records of a file, and in words why others cannot be read; `further` says that there are more."""

    records: list[ListedRecord]
    problems: list[str]
    further: bool = False


@blueprint.address("/record/file", Action.VALIDATE, UPLOADS, method="POST", needs_form_token=False)
def read_file() -> Response:
    """The records of the file in the body, whose name may be given as `name`; nothing is stored."""
    found = RecordsOfFile([], [])
    name, left = request.args.get("name", "")[:LONGEST_FILE_NAME], LARGEST_DRAFT
    for number, entry in enumerate(read_entries(BytesIO(_sent_bytes()), name=name or None)):
        left -= len(entry.data)
        if number == MOST_RECORDS_LISTED or (left < 0 and number):
            found.further = True
            break
        _list_record(found, entry)
    return json_response(found)


def _list_record(found: RecordsOfFile, entry: Entry) -> None:
    decoded = codec.decode(entry.data, line=entry.line) if not entry.findings else None
    if decoded is not None and decoded.record is not None:
        record = decoded.record
        found.records.append(ListedRecord(_record_words(record), codec.digest(record), record))
        return
    finding = (entry.findings or (decoded.findings if decoded is not None else []))[0]
    found.problems.append(f"{finding.message} ({place_words(finding.at)})")


def _record_words(record: Record) -> str:
    names = join_words([player.name for player in record.players])
    day = (record.meta or {}).get("date")
    deals = pluralize(len(record.deals), "deal")
    return ", ".join(filter(None, [names, day, sheet_name(record.rules.id), deals]))


def _sent_bytes() -> bytes:
    """The body; answers 413 if it is too large."""
    data = request.get_data()
    if len(data) > LARGEST_DRAFT:
        abort(413, TOO_LARGE_TEXT)
    return data


def _sent_record() -> tuple[Record, ResolvedSheet]:
    """The record of the body; answers 413 if it is too large, 400 if it cannot be read or has no deal."""
    decoded = codec.decode(_sent_bytes())
    if decoded.record is None:
        finding = decoded.findings[0]
        abort(400, f"{finding.message} ({place_words(finding.at)})")
    validator = Validator(decoded.record)
    if validator.resolved is None or validator.match is None:
        abort(400, validator.findings[0].message)
    if not decoded.record.deals:
        abort(400, NO_DEAL_TEXT)
    return decoded.record, validator.resolved


def _sheet_choice(sheet: RuleSheet) -> SheetChoice:
    resolved = resolve_sheet(sheet.id, None, {})
    shown = recorder_sheet(resolved)
    return SheetChoice(shown, [_option_choice(shown, option) for option in resolved.sheet.options])


def _option_choice(sheet: RecorderSheet, option: Option) -> OptionChoice:
    default = option_value_text(option.default)
    if isinstance(option, ChoiceOption):
        values = [_option_value(sheet, option.name, value) for value in option.permitted]
        return OptionChoice(option.name, option.says, default, values)
    return OptionChoice(option.name, option.says, default, [], option.least, option.most)


def _option_value(sheet: RecorderSheet, name: str, value: RuleOptionValue) -> OptionValueChoice:
    hand = recorder_sheet(resolve_sheet(sheet.id, None, {name: value})).hand
    return OptionValueChoice(
        option_value_text(value), option_value_words(value), hand if hand != sheet.hand else None
    )
