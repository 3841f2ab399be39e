"""The options of `bezique annotate --deep`; nothing that works is loaded for them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from analyzer.review import MOST_WORLDS, WIDTHS, Width
from webui.cli.main import Refusal


class WorldsType(click.ParamType[Width | int]):
    """A width by its name, or a number of worlds."""

    name = "worlds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Width | int:
        """The width or the number; fails for anything else."""
        for width in WIDTHS:
            if value == width:
                return width
        is_number = str(value).isascii() and str(value).isdigit()
        if not is_number or not 2 <= int(value) <= MOST_WORLDS:
            words = f"{', '.join(WIDTHS)} or a number from 2 to {MOST_WORLDS}"
            self.fail(f"{value!r} is not {words}", param, ctx)
        return int(value)


@dataclass(frozen=True, slots=True)
class DeepWidth:
    """In how many worlds choices are tried at most, and what these are drawn from."""

    worlds: Width | int
    seed: int


def deep_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command `--deep` with its width and seed; it takes them as one argument, None without `--deep`."""

    @click.option(
        "--deep", is_flag=True,
        help="Weigh every choice, from the first card: exactly after the close, and before it in possible deals.",
    )  # fmt: skip
    @click.option(
        "--worlds", type=WorldsType(), metavar="WIDTH",
        help="With --deep, how many possible deals each choice is tried in at most: quick, default, deep, or a number.  [default: default]",
    )  # fmt: skip
    @click.option(
        "--seed", type=click.IntRange(min=0), metavar="N",
        help="With --deep, draw other possible deals.  [default: 0]",
    )  # fmt: skip
    @wraps(command)
    def with_width(
        *arguments: Any, deep: bool, worlds: Width | int | None, seed: int | None, **options: Any
    ) -> None:
        if not deep and (worlds, seed) != (None, None):
            raise Refusal("--worlds and --seed belong to --deep.")
        width = DeepWidth(worlds or "default", seed or 0) if deep else None
        command(*arguments, deep=width, **options)

    return with_width


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """What to print: which record, which deal, in which form."""

    record: int | None
    deal: int | None
    form: str


@dataclass(frozen=True, slots=True)
class DeepOptions:
    """What is asked of a deep review; `least` is None where nothing was said."""

    width: DeepWidth
    positions: int
    least: int | None
