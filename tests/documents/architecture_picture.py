"""The picture of the architecture, drawn from the import contracts of `pyproject.toml`."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from webui.display.documents.page_markup import PICTURE_SIZE

PROJECT_FILE = Path(__file__).parents[2] / "pyproject.toml"
PURPOSES = {
    "bezique": ("what programs import",),
    "webui": ("the site and", "the command line"),
    "analyzer": ("the database, statistics", "and reviews"),
    "records": ("the format, the rules,", "the engine, the validator"),
}
"""What each package is for, in lines; the one that imports the others first."""
COLOURS = {
    "": {"surface": "#f7f4ec", "box": "#fffdf8", "ink": "#20231f", "muted": "#5c5e54", "line": "#d9d2c1", "chip": "#ece7da", "accent": "#7a1f3a"},
    "-dark": {"surface": "#161917", "box": "#1f2421", "ink": "#ebe8dd", "muted": "#a9ac9f", "line": "#363d38", "chip": "#2b312d", "accent": "#e8b75f"},
}  # fmt: skip
"""The colours of the site in each scheme, by what the name of the picture ends with."""

_MARGIN, _ROW, _GAP, _LETTER = 24, 38, 8, 9.6
_LEFT = 260
"""Where the modules begin; before them stands the name of the package."""


def layers(package: str) -> list[str]:
    """The parts of a package, those that import the others first."""
    contracts = tomllib.loads(PROJECT_FILE.read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    rows = next(each["layers"] for each in contracts if each.get("containers") == [package])
    return [name for row in rows for name in re.findall(r"\w+", row) if not name.startswith("__")]


def picture(ending: str) -> str:
    """The picture as SVG in the colours of a scheme."""
    width, height = PICTURE_SIZE
    colours = COLOURS[ending]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f'<rect width="{width}" height="{height}" fill="{colours["surface"]}"/>',
    ]
    rows = {package: list(_wrap(layers(package))) for package in PURPOSES}
    used = sum(len(each) for each in rows.values()) * _ROW
    padding = (height - 2 * _MARGIN - used - 3 * 2 * _MARGIN) / len(rows)
    top = float(_MARGIN)
    for number, (package, lines) in enumerate(rows.items()):
        tall = len(lines) * _ROW + padding
        if number:
            parts.append(_arrow(width / 2, top - 2 * _MARGIN, top, colours["accent"]))
        parts += _box(package, lines, top, tall, colours)
        top += tall + 2 * _MARGIN
    return "\n".join([*parts, "</svg>\n"])


def _wrap(names: Sequence[str]) -> Iterator[list[tuple[float, float, str]]]:
    """Rows of names, each with its left edge and its width."""
    row: list[tuple[float, float, str]] = []
    left = float(_LEFT)
    for name in names:
        wide = len(name) * _LETTER + 22
        if left + wide > PICTURE_SIZE[0] - 2 * _MARGIN:
            yield row
            row, left = [], float(_LEFT)
        row.append((left, wide, name))
        left += wide + _GAP
    yield row


def _box(
    package: str,
    lines: Sequence[Sequence[tuple[float, float, str]]],
    top: float,
    tall: float,
    colours: dict[str, str],
) -> Iterator[str]:
    """A package: its name and purpose on the left, its parts on the right."""
    wide = PICTURE_SIZE[0] - 2 * _MARGIN
    yield f'<rect x="{_MARGIN}" y="{top:g}" width="{wide}" height="{tall:g}" rx="10" fill="{colours["box"]}" stroke="{colours["line"]}"/>'
    middle = top + tall / 2
    said = PURPOSES[package]
    above = middle + 6 - 11 * len(said)
    yield f'<text x="{2 * _MARGIN}" y="{above:g}" font-family="monospace" font-size="22" font-weight="700" fill="{colours["accent"]}">{package}</text>'
    for number, line in enumerate(said, start=1):
        yield f'<text x="{2 * _MARGIN}" y="{above + 22 * number:g}" font-family="sans-serif" font-size="14" fill="{colours["muted"]}">{line}</text>'
    start = middle - len(lines) * _ROW / 2
    for number, line in enumerate(lines):
        y = start + number * _ROW
        for left, chip, name in line:
            yield f'<rect x="{left:g}" y="{y + 4:g}" width="{chip:g}" height="{_ROW - 8}" rx="6" fill="{colours["chip"]}"/>'
            yield f'<text x="{left + chip / 2:g}" y="{y + 24:g}" font-family="monospace" font-size="15" text-anchor="middle" fill="{colours["ink"]}">{name}</text>'


def _arrow(x: float, top: float, end: float, colour: str) -> str:
    return (
        f'<path d="M{x:g} {top + 6:g}V{end - 8:g}m-7 -7l7 7l7 -7" fill="none" stroke="{colour}"'
        ' stroke-width="2.5" stroke-linecap="round"/>'
    )
