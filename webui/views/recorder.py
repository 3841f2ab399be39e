"""The recorder: a page on which people enter a game by tapping, and what it asks of the server at every step."""

from dataclasses import dataclass

import msgspec
from flask import Response, abort, request, url_for

from records.format import codec
from records.format.notation_writer import write_notation
from records.record import Record
from records.rules.english import option_value_text
from records.rules.registry import ALL_SHEETS, ResolvedSheet, resolve_sheet
from records.rules.vocabulary import ChoiceOption, Option, RuleSheet
from records.validator import Validator
from webui.display.words import option_value_words, place_words
from webui.replay.recording import RecorderSheet, recorder_sheet, recording_state
from webui.server.access import may
from webui.server.actions import Action
from webui.server.game_cache import encode_permalink
from webui.server.page import Page, Views
from webui.server.request_kinds import PAGES, PERMALINKS
from webui.server.responses import json_response
from webui.views import game_cache

LARGEST_DRAFT = 512 * 1024
"""The most bytes of a record that the recorder looks at: a match of sixty deals has a fifth of it."""
TOO_LARGE_TEXT = f"The recorder takes records of up to {LARGEST_DRAFT // 1024} KiB."
NO_DEAL_TEXT = "The record has no deal yet: send one with its dealer."
blueprint = Views("recorder", __name__)


class OptionValueChoice(msgspec.Struct):
    """A value of an option as a record writes it, and in words."""

    value: str
    words: str


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


class RecorderData(msgspec.Struct):
    """What the page's script needs: every sheet, and the stored record that the address names."""

    sheets: list[SheetChoice]
    record: Record | None
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecorderPage(Page):
    """The recorder; `opened` is the stored record that the address names, with its digest."""

    template = "recorder/recorder.html"
    opened: Record | None
    digest: str

    @property
    def data(self) -> RecorderData:
        """Every sheet with its options in words and its points, and the record that the address names."""
        return RecorderData(list(map(_sheet_choice, ALL_SHEETS)), self.opened, self.digest)

    @property
    def ranks(self) -> str:
        """The ranks of all sheets together: the cards that the page draws."""
        return "".join(dict.fromkeys("".join(sheet.pack.ranks for sheet in ALL_SHEETS)))

    @property
    def json(self) -> str:
        """The data as JSON that may stand inside a page."""
        return msgspec.json.encode(self.data).decode().replace("<", "\\u003c")


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


@blueprint.address(
    "/record/next", Action.VALIDATE, PERMALINKS, method="POST", needs_form_token=False
)
def following() -> Response:
    """What may come next in the record of the body, which is read and not stored; `?report=1` adds the validator's report, the notation and the address of the replay."""
    written, resolved = _sent_record()
    state = recording_state(written, resolved, with_report=request.args.get("report") == "1")
    sheet = recorder_sheet(resolved)
    answer = {"state": state, "sheet": sheet, "digest": codec.digest(written)}
    if state.report is not None:
        answer |= {"notation": write_notation(written), "replay": _replay_address(written)}
    return json_response(answer)


def _replay_address(written: Record) -> str:
    """The replay of the last deal, by an address that holds the record; empty if the record is too long for one."""
    permalink = encode_permalink(codec.encode(written))
    number = len(written.deals)
    return url_for("permalinks.replay", deal=number, record=permalink) if permalink else ""


def _sent_record() -> tuple[Record, ResolvedSheet]:
    """The record of the body; answers 413 if it is too large, 400 if it cannot be read or has no deal."""
    if (request.content_length or 0) > LARGEST_DRAFT:
        abort(413, TOO_LARGE_TEXT)
    decoded = codec.decode(request.get_data())
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
    return SheetChoice(shown, list(map(_option_choice, resolved.sheet.options)))


def _option_choice(option: Option) -> OptionChoice:
    default = option_value_text(option.default)
    if isinstance(option, ChoiceOption):
        values = [
            OptionValueChoice(option_value_text(value), option_value_words(value))
            for value in option.values
        ]
        return OptionChoice(option.name, option.says, default, values)
    return OptionChoice(option.name, option.says, default, [], option.low, option.high)
