"""The picture of the architecture: the packages, one above the other, and the folders of each."""

from collections.abc import Iterator

from webui.display.page_markup import PICTURE_SIZE

PURPOSES = {
    "bezique": ("what programs import",),
    "webui": ("the site and", "the command line"),
    "analyzer": ("the database, statistics", "and reviews"),
    "records": ("the format, the rules,", "the engine, the validator"),
}
"""What each package is for, in lines; the one that imports the others first."""
FOLDERS: dict[str, dict[str, str]] = {
    "bezique": {},
    "webui": {
        "cli": "the command line",
        "views": "what pages show",
        "api": "for programs",
        "server": "access, limits, jobs",
        "replay": "steps, boards, What if",
        "display": "words, cards, pages",
    },
    "analyzer": {
        "ingest": "imports",
        "store": "the database",
        "statistics": "questions, Explore",
        "sql": "statements of readers",
        "players": "ratings, standings",
        "review": "values of choices",
        "solver": "play after the close",
        "play": "players, roll-outs",
        "identify": "rules that fit",
        "lake": "many writers",
        "upkeep": "doctor, upgrade",
    },
    "records": {
        "format": "bytes to records",
        "rules": "the rulebooks",
        "engine": "the table",
        "validate": "checks, findings",
        "partial": "what is left open",
        "conformance": "tests for programs",
        "documents": "pages that are made",
    },
}
"""The folders of each package, and a few words about each."""
COLOURS = {
    "": {"surface": "#f7f4ec", "box": "#fffdf8", "ink": "#20231f", "muted": "#5c5e54", "line": "#d9d2c1", "chip": "#ece7da", "accent": "#7a1f3a"},
    "-dark": {"surface": "#161917", "box": "#1f2421", "ink": "#ebe8dd", "muted": "#a9ac9f", "line": "#363d38", "chip": "#2b312d", "accent": "#e8b75f"},
}  # fmt: skip
"""The colours of the site in each scheme, by what the name of the picture ends with."""

_MARGIN, _ROW, _GAP, _COLUMNS = 24, 52, 8, 5
_LEFT = 250
"""Where the folders begin; before them stands the name of the package."""


def picture(ending: str) -> str:
    """The picture as SVG in the colours of a scheme."""
    width, height = PICTURE_SIZE
    colours = COLOURS[ending]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
        f'<rect width="{width}" height="{height}" fill="{colours["surface"]}"/>',
    ]
    rows = {package: max(1, -(-len(names) // _COLUMNS)) for package, names in FOLDERS.items()}
    padding = (height - 2 * _MARGIN - sum(rows.values()) * _ROW - 3 * 2 * _MARGIN) / len(rows)
    top = float(_MARGIN)
    for number, package in enumerate(PURPOSES):
        tall = rows[package] * _ROW + padding
        if number:
            parts.append(_arrow(width / 2, top - 2 * _MARGIN, top, colours["accent"]))
        parts += _box(package, top, tall, colours)
        parts += _folders(FOLDERS[package], top + padding / 2, colours)
        top += tall + 2 * _MARGIN
    return "\n".join([*parts, "</svg>\n"])


def _box(package: str, top: float, tall: float, colours: dict[str, str]) -> Iterator[str]:
    """A package: its frame, its name and its purpose."""
    wide = PICTURE_SIZE[0] - 2 * _MARGIN
    yield f'<rect x="{_MARGIN}" y="{top:g}" width="{wide}" height="{tall:g}" rx="10" fill="{colours["box"]}" stroke="{colours["line"]}"/>'
    said = PURPOSES[package]
    above = top + tall / 2 + 6 - 11 * len(said)
    yield f'<text x="{2 * _MARGIN}" y="{above:g}" font-family="monospace" font-size="22" font-weight="700" fill="{colours["accent"]}">{package}</text>'
    for number, line in enumerate(said, start=1):
        yield f'<text x="{2 * _MARGIN}" y="{above + 22 * number:g}" font-family="sans-serif" font-size="14" fill="{colours["muted"]}">{line}</text>'


def _folders(folders: dict[str, str], top: float, colours: dict[str, str]) -> Iterator[str]:
    """The folders of a package in rows, each with what it is for."""
    step = (PICTURE_SIZE[0] - 2 * _MARGIN - _LEFT) / _COLUMNS
    for number, (name, said) in enumerate(folders.items()):
        row, column = divmod(number, _COLUMNS)
        left, y = _LEFT + column * step, top + row * _ROW
        middle = left + (step - _GAP) / 2
        yield f'<rect x="{left:g}" y="{y + 2:g}" width="{step - _GAP:g}" height="{_ROW - 6}" rx="6" fill="{colours["chip"]}"/>'
        yield f'<text x="{middle:g}" y="{y + 20:g}" font-family="monospace" font-size="15" font-weight="700" text-anchor="middle" fill="{colours["ink"]}">{name}</text>'
        yield f'<text x="{middle:g}" y="{y + 38:g}" font-family="sans-serif" font-size="13" text-anchor="middle" fill="{colours["muted"]}">{said}</text>'


def _arrow(x: float, top: float, end: float, colour: str) -> str:
    return (
        f'<path d="M{x:g} {top + 6:g}V{end - 8:g}m-7 -7l7 7l7 -7" fill="none" stroke="{colour}"'
        ' stroke-width="2.5" stroke-linecap="round"/>'
    )
