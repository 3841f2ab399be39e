"""What if: a deal gone on with by hand from a step, every way lawful by the rules as the server reads them."""

from flask import Blueprint, Response, abort, request
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from records import codec
from records.event_words import say
from records.record import Line
from records.replay import Match
from webui.games.cache import Reading
from webui.http.responses import attachment, json_response
from webui.replay.comments import judged, short
from webui.replay.line_url import Unlawful, write_line, written
from webui.replay.visibility import SEEN_BY_ALL, Sight
from webui.replay.what_if import Tried, with_line
from webui.rooms import OfRecord, Path, WhatIfPage
from webui.views import shelf
from webui.views.deals import STEP, asked, asked_least, asked_near, asked_sight

LONGEST = 2000
"""Characters of a comment on a line."""
blueprint = Blueprint("what_if", __name__, url_prefix="/games/<digest>/deals/<int:deal>")


@blueprint.get("/what-if")
def what_if(digest: str, deal: int) -> ResponseReturnValue:
    """The table after a line, and everything that may come next."""
    return page_of(shelf().book(digest), deal).render()


@blueprint.get("/what-if.json")
def what_if_json(digest: str, deal: int) -> ResponseReturnValue:
    """The same as data: the events tried, the step they come to, and the choices."""
    return data_of(shelf().book(digest), deal)


@blueprint.get("/what-if/record.json")
def record(digest: str, deal: int) -> ResponseReturnValue:
    """The record with the line among its `lines`, checked; the one that is stored stays as it is."""
    return with_line_of(shelf().book(digest), deal)


def page_of(book: Reading, deal: int) -> WhatIfPage:
    """The page of a line in a deal (counted from 1), which the address spells or names."""
    sight = asked_sight(len(book.record.players))
    found, opened = _tried(book, deal, sight)
    return WhatIfPage(
        digest=book.digest,
        carried=book.carried,
        deal=found.deal,
        sight=sight,
        near=asked_near(len(book.record.players), sight),
        number=found.number,
        least=asked_least(),
        tried=found,
        line=write_line(found.line),
        path=_path(found),
        recorded=_recorded(book, deal, found) if sight.until is None else "",
        opened=opened,
    )


def data_of(book: Reading, deal: int) -> Response:
    """The same as data."""
    found, opened = _tried(book, deal, asked_sight(len(book.record.players)))
    told = {
        "deal": deal,
        "step": found.start,
        "line": found.line,
        "table": found.deal.steps[found.number],
        "choices": found.choices,
        "unseen": found.unseen,
        "opened": opened,
    }
    return json_response(told)


def with_line_of(book: Reading, deal: int) -> Response:
    """The record with the line, as a file."""
    found, _ = _tried(book, deal, asked_sight(len(book.record.players)))
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
    return attachment(data, f"{codec.digest(book.record)[:12]}-line.json")


def _comment(name: str) -> str:
    text = request.args.get(name, "").strip()
    if len(text) > LONGEST:
        abort(400, f"A comment on a line has {LONGEST:,} characters at most.")
    return text


def _tried(book: Reading, deal: int, sight: Sight) -> tuple[Tried, OfRecord | None]:
    """The line that the address spells, or the one of the record that it names by its number.

    Where something is hidden there are no lines of the record; where that is what comes, nothing of it is told.
    """
    kept = asked("kept", "A line of the record is named by a number: 0 is the first.")
    try:
        if kept is not None and sight == SEEN_BY_ALL:
            return _opened(book, deal - 1, kept)
        if kept is not None:
            abort(404)
        start = asked("step", STEP) or 0
        if sight.until is None:
            return book.tried(deal - 1, start, _asked_line()), None
        found = book.tried(deal - 1, min(start, sight.until), _asked_line())
        choices = [replace(choice, recorded=False) for choice in found.choices]
        return replace(found, choices=choices), None
    except Unlawful as wrong:
        abort(400, str(wrong))


def _opened(book: Reading, deal: int, number: int) -> tuple[Tried, OfRecord]:
    """A line of the record, gone on with as far as it is lawful; answers 404 where there is none such."""
    lines = book.record.lines or []
    if number >= len(lines) or lines[number].at[0] != deal:
        abort(404)
    line = lines[number]
    at, wrong = judged(book.record, Match(book.record, book.resolved), line) or (None, "")
    events, done = written(line.events[:at])
    start = line.at[1] if len(line.at) > 1 else 0
    found = book.tried(deal, start, write_line(events))
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


def _recorded(book: Reading, deal: int, found: Tried) -> str:
    """What was done at the table at the step where the line leaves the deal."""
    steps = book.deal(deal - 1).deal.steps
    after = found.start + 1
    return steps[after].say if after < len(steps) - 1 else ""
