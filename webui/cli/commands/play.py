"""`bezique play`: complete games by self-play."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

import click

from records.phrases import pluralize
from webui.cli.main import (
    FROM_ONE,
    FilePath,
    ProgressBar,
    Refusal,
    WholeNumber,
    complete_sheets,
)
from webui.cli.own_sheets import sheet_id_of
from webui.cli.sources import JSON_ENDINGS, STDIN, record_file, telling_replaced

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from records.record import Record
    from records.selfplay import PlayingStyle

STDOUT = STDIN
STYLES = ("simple", "casual", "random", "expert")
"""The styles of `records.selfplay` are here once more, so that the help loads no player; a test compares them."""
SIMPLE, GREEDY = "simple", "greedy"
"""What people call the style, and what records and `records.selfplay` do: either may be typed."""


class StyleChoice(click.Choice[str]):
    """The styles as people call them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The style as records call it; fails for any other."""
        if value == GREEDY:
            return GREEDY
        chosen = super().convert(value, param, ctx)
        return GREEDY if chosen == SIMPLE else chosen


@click.command()
@click.option(
    "--rules",
    "sheet_id",
    required=True,
    metavar="ID|FILE",
    shell_complete=complete_sheets,
    help="The rulebook to play by; `bezique rules` lists them, and a .json or .toml file may have one of your own.",
)
@click.option("--games", type=FROM_ONE, default=1, show_default=True, help="The number of games.")
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="The seed of the first game; each further game adds 1.",
)
@click.option(
    "--style",
    type=StyleChoice(STYLES),
    default=SIMPLE,
    show_default=True,
    help="simple melds what it can and saves good cards; random does anything the rules allow; casual is between. "
    "expert weighs each choice in many possible deals of the cards it cannot see: a deal takes about six seconds, with "
    "four packs half a minute, with six forty seconds.",
)
@click.option(
    "--players",
    type=WholeNumber(2, 6),
    help="The number of players, where the rulebook allows several.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="Apply this option; may be repeated.",
)
@click.option(
    "--bare", is_flag=True,
    help="Write records that only name a rulebook of your own; others have it inside.",
)  # fmt: skip
@click.option(
    "-o", "--out", default=STDOUT, metavar="FILE", type=FilePath(),
    help="The file to write, one record per line: .jsonl, .jsonl.gz or .jsonl.zst.  [default: standard output]",
)  # fmt: skip
def play(
    *,
    sheet_id: str,
    games: int,
    seed: int,
    style: "PlayingStyle | Literal['expert']",
    players: int | None,
    options: tuple[str, ...],
    bare: bool,
    out: str,
) -> None:
    """Let programs play complete games.

    The records contain every event, and a rulebook of your own itself, so that whoever has the record can read it. The
    same seed gives the same game. FILE appears only when all games are written.

    \b
      bezique play --rules zique
      bezique play --rules bezique --games 1000 --option hand_size=9 --out games.jsonl.zst
      bezique play --rules marjolet --style random | bezique validate -
      bezique play --rules zique --style expert
      bezique play --rules ours.toml | bezique validate -
    """
    from records.format import codec
    from records.rules.registry import get_sheet, read_options
    from records.selfplay import play_game

    sheet_id = sheet_id_of(sheet_id)
    sheet = get_sheet(sheet_id)
    _check_bare(sheet_id, bare=bare)
    chosen = read_options(sheet, options)
    # `play_game` takes the number as it is; a wrong one would fail in the middle of the deal.
    if players is not None and players not in sheet.rules.players:
        allowed = " or ".join(map(str, sheet.rules.players))
        raise Refusal(f"{sheet.name} is for {allowed} players, not {players}.")
    play_one = _expert_game if style == "expert" else partial(play_game, style=style)
    with open_output(out) as stream, ProgressBar("playing", games) as bar:
        for number in range(games):
            given: dict[str, Any] = {"seed": seed + number, "options": chosen, "players": players}
            stream.write(codec.encode(play_one(sheet_id, **given, carry=not bare)) + b"\n")
            bar.show(number + 1, f"{number + 1:,} of {games:,} games")
    if out != STDOUT:
        click.echo(f"Wrote {pluralize(games, 'record')} to {out}.", err=True)


def _check_bare(sheet_id: str, *, bare: bool) -> None:
    from records.rules.registry import SHEETS_BY_ID

    if bare and sheet_id in SHEETS_BY_ID:
        raise Refusal("--bare is for a rulebook of your own: records only name a published one.")


def _expert_game(sheet_id: str, **given: Any) -> "Record":
    """A game of experts."""
    from analyzer.play.expert import expert_for
    from records.rules.registry import get_sheet
    from records.selfplay import play_game

    sheet = get_sheet(sheet_id)
    try:
        expert = expert_for(sheet)
    except ValueError as error:
        raise Refusal(str(error)) from None
    experts = dict.fromkeys(range(given["players"] or sheet.rules.players[0]), expert)
    return play_game(sheet_id, seat_players=experts, program="bezique play (expert)", **given)


@contextmanager
def open_output(name: str, plain: tuple[str, ...] = JSON_ENDINGS) -> Iterator[BinaryIO]:
    """A stream to a file with one of these endings, or compressed; the file appears whole, or not at all.

    When it has appeared it survives a power loss. A device or pipe receives the bytes as they come. Raises OSError.
    """
    from analyzer.store.durable_files import open_named_file

    if name == STDOUT:
        yield sys.stdout.buffer
        return
    path = record_file(name, plain)
    with telling_replaced(path), open_named_file(path) as stream:
        yield stream
