"""Every shape of input, and the doors of the program through which it goes."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from tests.fuzz import record_shapes, sql_shapes, stream_shapes
from tests.fuzz.plans import Plan


class Shape(NamedTuple):
    """How inputs are made; the doors, a frequent one more than once."""

    name: str
    make: Callable[[Random], Plan]
    doors: tuple[str, ...]


SHAPES = {
    shape.name: shape
    for shape in (
        Shape("setups", record_shapes.setups, ("check",)),
        Shape("records", record_shapes.any_record, ("check",)),
        Shape("games", record_shapes.games, ("check",)),
        Shape("partial", record_shapes.partial, ("check",)),
        Shape("lines", record_shapes.lines, ("check",)),
        Shape("texts", stream_shapes.texts, ("check", "check", "api", "pasted")),
        Shape("notations", stream_shapes.notations, ("check", "check", "blocks", "api", "pasted")),
        Shape(
            "files",
            stream_shapes.files,
            ("stream", "blocks", "api", "upload", "form", "recorder-file"),
        ),
        Shape(
            "packed",
            stream_shapes.packed,
            ("stream", "blocks", "api", "upload", "form", "recorder-file"),
        ),
        Shape("evenings", stream_shapes.evening_forms, ("evening",)),
        Shape("drafts", record_shapes.drafts, ("recorder",)),
        Shape("links", stream_shapes.links, ("link",)),
        Shape(
            "pages", record_shapes.some_record, ("game", "deal", "what-if", "review", "narrative")
        ),
        Shape("positions", record_shapes.setups, ("deal", "what-if", "review")),
        Shape("identify", record_shapes.some_record, ("identify",)),
        Shape("sql", sql_shapes.statements, ("sql",)),
    )
}
