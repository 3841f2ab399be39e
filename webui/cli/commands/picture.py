"""`bezique picture`: a step of a game as a picture, or a trick, a moment or a whole deal as an animation."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from records.phrases import join_words
from webui.cli.main import FROM_ONE, FROM_ZERO, FilePath, ProgressBar, Refusal
from webui.cli.own_sheets import own_sheets_option
from webui.cli.sources import (
    check_deal_number,
    decode_input_record,
    find_input_record,
    record_option,
    telling_replaced,
)

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from records.record import Record
    from webui.replay.steps import DealSteps

STILL_ENDINGS, MOVING_ENDINGS = (".png", ".svg"), (".gif", ".webp")
FRAMES_AT_ONCE = 8
"""So many are drawn before the bar moves on."""
SpanName = Literal["trick", "moment", "deal"]
SizeName = Literal["small", "large"]


@click.command()
@click.argument("file", type=FilePath())
@record_option("Draw")
@click.option(
    "--deal", type=FROM_ONE, default=1, metavar="N",
    help="Draw the N-th deal.  [default: 1]",
)  # fmt: skip
@click.option(
    "--step", type=FROM_ZERO, metavar="N",
    help="Draw the table after the N-th event of the deal, or what is around it.",
)  # fmt: skip
@click.option(
    "--span", type=click.Choice(["trick", "moment", "deal"]),
    help="What moves: the trick of the step, what led to it, or the deal.  [default: trick; without --step, deal]",
)  # fmt: skip
@click.option(
    "--seat", type=FROM_ZERO, metavar="SEAT",
    help="Show only the cards that this seat can see: 0 is the first player.  [default: all]",
)  # fmt: skip
@click.option(
    "--size", type=click.Choice(["small", "large"]), default="large",
    help="600 or 1200 pixels wide.  [default: large]",
)  # fmt: skip
@click.option(
    "-o", "--out", required=True, metavar="FILE", type=FilePath(),
    help="The file to write; its ending says how: .png or .svg stands still, .gif or .webp moves.",
)  # fmt: skip
@own_sheets_option
def picture(
    file: str,
    *,
    number: int,
    deal: int,
    step: int | None,
    span: SpanName | None,
    seat: int | None,
    size: SizeName,
    out: str,
) -> None:
    """Draw a game as a picture.

    FILE holds one or more records; - is standard input. Draws the table after one event as PNG or SVG, or as GIF
    or WebP a trick, what led to a step, or a whole deal.

    \b
      bezique picture game.json --deal 2 --step 34 --out table.png
      bezique picture game.json --deal 2 --step 34 --out trick.gif
      bezique picture games.jsonl --record 7 --seat 0 --size small --out deal.webp
    """
    ending = _picture_ending(out)
    if span and ending in STILL_ENDINGS:
        raise click.UsageError(f"--span is for what moves; {ending} is the table at one step.")
    record = decode_input_record(find_input_record(file, number))
    check_deal_number(record, deal)
    steps = _visible_steps(record, deal - 1, seat)
    last = len(steps.steps) - 1
    if step is not None and step > last:
        raise Refusal(f"Step {step} does not exist; deal {deal} ends at step {last}.")
    if ending in STILL_ENDINGS:
        data = _still(steps, step or 0, seat or 0, size, ending)
    else:
        span = span or ("deal" if step is None else "trick")
        data = _moving(record, steps, span, step or 0, seat or 0, size, ending)
    _write(out, data)


def _picture_ending(out: str) -> str:
    ending = Path(out).suffix.lower()
    if ending not in STILL_ENDINGS + MOVING_ENDINGS:
        endings = join_words((*STILL_ENDINGS, *MOVING_ENDINGS), "or")
        raise Refusal(f"{out}: a picture ends in {endings}.")
    return ending


def _visible_steps(record: "Record", deal: int, seat: int | None) -> "DealSteps":
    from records.rules.registry import resolve_rules
    from webui.replay.steps import Visibility, read_deal_steps

    if seat is not None and seat >= len(record.players):
        raise Refusal(f"Seat {seat} does not exist; the seats are 0 to {len(record.players) - 1}.")
    return read_deal_steps(record, resolve_rules(record.rules), deal, Visibility(seat=seat))


def _still(steps: "DealSteps", step: int, near: int, size: SizeName, ending: str) -> bytes:
    from webui.replay.pictures import PREVIEW_WIDTHS, draw_png, render_preview_svg

    svg = render_preview_svg(steps, step, near)
    return draw_png(svg, PREVIEW_WIDTHS[size]) if ending == ".png" else svg.encode()


def _moving(
    record: "Record",
    steps: "DealSteps",
    span: SpanName,
    step: int,
    near: int,
    size: SizeName,
    ending: str,
) -> bytes:
    from webui.replay.moving_pictures import Format, Span, plan_animation
    from webui.replay.pictures import PREVIEW_WIDTHS

    animation = plan_animation(
        steps,
        record.deals[steps.deal].events,
        span=Span(span),
        number=step,
        near=near,
        width=PREVIEW_WIDTHS[size],
        kind=Format(ending[1:]),
    )
    frames, pictures = animation.frames, list[bytes]()
    with ProgressBar("drawing", len(frames)) as bar:
        while len(pictures) < len(frames):
            pictures += animation.draw(frames[len(pictures) :][:FRAMES_AT_ONCE])
            bar.show(len(pictures), f"{len(pictures)} of {len(frames)} frames")
    return animation.write(pictures)


def _write(out: str, data: bytes) -> None:
    from analyzer.store.durable_files import open_named_file

    with telling_replaced(Path(out)), open_named_file(Path(out)) as stream:
        stream.write(data)
    click.echo(f"Wrote {len(data) / 1000:,.0f} kB to {out}.", err=True)
