"""What if: a deal gone on with by hand from a step, every way lawful by the rules as the server reads them."""

import msgspec
from flask import Blueprint, abort, current_app, request
from flask.typing import ResponseReturnValue

from records.frames import Match
from records.record import Line
from records.rules.registry import get
from records.rules.vocabulary import MeldsFrom
from records.words import say
from webui.lines import Unlawful, write_line, written
from webui.margin import judged, short
from webui.rooms import OfRecord, Path, WhatIfPage
from webui.shelf import Book, NotOnShelf
from webui.views import shelf
from webui.views.deals import STEP, asked, asked_seat
from webui.whatif import Tried, with_line

LONGEST = 2000
"""Characters of a comment on a line."""
blueprint = Blueprint("whatif", __name__, url_prefix="/games/<digest>/deals/<int:deal>")


@blueprint.get("/what-if")
def what_if(digest: str, deal: int) -> ResponseReturnValue:
    """The table after a line, and everything that may come next."""
    book = shelf().book(digest)
    found, opened = _tried(book, deal)
    sheet = get(found.deal.sheet)
    near = asked_seat("near", len(book.record.players))
    return WhatIfPage(
        game=book.game,
        sheet=sheet,
        captures=sheet.melds_from is MeldsFrom.CAPTURED,
        deal=found.deal,
        near=near or 0,
        number=found.number,
        tried=found,
        line=write_line(found.line),
        path=_path(found),
        recorded=_recorded(book, deal, found),
        opened=opened,
    ).render()


@blueprint.get("/what-if.json")
def what_if_json(digest: str, deal: int) -> ResponseReturnValue:
    """The same as data: the events tried, the step they come to, and the choices."""
    found, opened = _tried(shelf().book(digest), deal)
    told = {
        "deal": deal,
        "step": found.start,
        "line": found.line,
        "table": found.deal.steps[found.number],
        "choices": found.choices,
        "unseen": found.unseen,
        "opened": opened,
    }
    return current_app.response_class(msgspec.json.encode(told), mimetype="application/json")


@blueprint.get("/what-if/record.json")
def record(digest: str, deal: int) -> ResponseReturnValue:
    """The record with the line among its `lines`, checked; the one that is stored stays as it is."""
    book = shelf().book(digest)
    found, _ = _tried(book, deal)
    if not found.line:
        abort(400, "The line has no event yet: play a card first.")
    line = Line(
        at=[deal - 1, found.start],
        events=found.line,
        text=_comment("text") or None,
        by=_comment("by") or None,
    )
    try:
        data = with_line(book.record, line)
    except Unlawful as wrong:
        abort(400, str(wrong))
    response = current_app.response_class(data, mimetype="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="{digest[:12]}-line.json"'
    return response


def _comment(name: str) -> str:
    text = request.args.get(name, "").strip()
    if len(text) > LONGEST:
        abort(400, f"A comment on a line has {LONGEST:,} characters at most.")
    return text


def _tried(book: Book, deal: int) -> tuple[Tried, OfRecord | None]:
    """The line that the address spells, or the one of the record that it names by its number."""
    if not 1 <= deal <= len(book.record.deals):
        raise NotOnShelf(book.game.digest)
    kept = asked("kept", "A line of the record is named by a number: 0 is the first.")
    try:
        if kept is not None:
            return _opened(book, deal - 1, kept)
        start = asked("step", STEP) or 0
        return shelf().tried(book.game.digest, deal - 1, start, _asked_line()), None
    except Unlawful as wrong:
        abort(400, str(wrong))


def _opened(book: Book, deal: int, number: int) -> tuple[Tried, OfRecord]:
    """A line of the record, gone on with as far as it is lawful; answers 404 where there is none such."""
    lines = book.record.lines or []
    if number >= len(lines) or lines[number].at[0] != deal:
        abort(404)
    line = lines[number]
    at, wrong = judged(book.record, Match(book.record, book.resolved), line) or (None, "")
    events, done = written(line.events[:at])
    start = line.at[1] if len(line.at) > 1 else 0
    found = shelf().tried(book.game.digest, deal, start, write_line(events))
    left = [say(event, found.deal.names) for event in line.events[done:]]
    return found, OfRecord(short(line.by), short(line.text), wrong, left)


def _asked_line() -> str:
    """The line in the address, and behind it the card or the cut that the reader names in a form."""
    asked_for = request.args.get
    line, draws, card = (asked_for(name, "") for name in ("line", "draws", "card"))
    dealer, packet, guess = (asked_for(name, "") for name in ("cuts", "packet", "guess"))
    drawn = f"draw-{draws}-{card}" if card else ""
    cut = "-".join(filter(None, ("cut", dealer, packet, guess))) if packet else ""
    return "~".join(filter(None, (line, cut, drawn)))


def _path(found: Tried) -> list[Path]:
    """What was tried so far, each event with the line up to it and the points it made."""
    steps = found.deal.steps[found.start + 1 :]
    return [
        Path(
            say=step.say,
            gains=[(found.deal.names[gain.seat], gain.points) for gain in step.gains],
            line=write_line(found.line[: number + 1]),
        )
        for number, step in enumerate(steps[: len(found.line)])
    ]


def _recorded(book: Book, deal: int, found: Tried) -> str:
    """What was done at the table at the step where the line leaves the deal."""
    steps = shelf().deal(book.game.digest, deal - 1).deal.steps
    after = found.start + 1
    return steps[after].say if after < len(steps) - 1 else ""
