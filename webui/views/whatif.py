"""What if: a deal gone on with by hand from a step, every way lawful by the rules as the server reads them."""

import msgspec
from flask import Blueprint, abort, current_app, request
from flask.typing import ResponseReturnValue

from records.record import Line
from records.rules.registry import get
from records.rules.vocabulary import MeldsFrom
from webui.rooms import Path, WhatIfPage
from webui.shelf import Book, NotOnShelf
from webui.views import shelf
from webui.views.deals import STEP, asked, asked_seat
from webui.whatif import Tried, Unlawful, read_line, tried, with_line, write_line

LONGEST = 2000
"""Characters of a comment on a line."""
blueprint = Blueprint("whatif", __name__, url_prefix="/games/<digest>/deals/<int:deal>")


@blueprint.get("/what-if")
def what_if(digest: str, deal: int) -> ResponseReturnValue:
    """The table after a line, and everything that may come next."""
    book = shelf().book(digest)
    found = _tried(book, deal)
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
        ways=[write_line([*found.line, choice.event]) for choice in found.choices],
        recorded=_recorded(book, deal, found),
    ).render()


@blueprint.get("/what-if.json")
def what_if_json(digest: str, deal: int) -> ResponseReturnValue:
    """The same as data: the events tried, the step they come to, and the choices."""
    found = _tried(shelf().book(digest), deal)
    told = {
        "deal": deal,
        "step": found.start,
        "line": found.line,
        "table": found.deal.steps[found.number],
        "choices": found.choices,
        "unseen": found.unseen,
    }
    return current_app.response_class(msgspec.json.encode(told), mimetype="application/json")


@blueprint.get("/what-if/record.json")
def record(digest: str, deal: int) -> ResponseReturnValue:
    """The record with the line among its `lines`, checked; the one that is stored stays as it is."""
    book = shelf().book(digest)
    found = _tried(book, deal)
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


def _tried(book: Book, deal: int) -> Tried:
    if not 1 <= deal <= len(book.record.deals):
        raise NotOnShelf(book.game.digest)
    start = asked("step", STEP) or 0
    try:
        line = read_line(_asked_line(), len(book.record.players))
        return tried(book.record, book.resolved, deal - 1, start, line)
    except Unlawful as wrong:
        abort(400, str(wrong))


def _asked_line() -> str:
    """The line in the address, and behind it the card that the reader names in a form."""
    line, draws, card = (request.args.get(name, "") for name in ("line", "draws", "card"))
    named = f"draw-{draws}-{card}" if card else ""
    return "~".join(filter(None, (line, named)))


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
