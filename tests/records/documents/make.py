"""Writes the documents that follow from the program: `python -m tests.records.documents.make`."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.records.documents import architecture_picture, command_page, library_page

SITE_FOLDER = Path(__file__).parents[3] / "webui"
DOCUMENT_FOLDER = SITE_FOLDER / "documents"
MADE_FILES: dict[str, Callable[[], str]] = {
    "documents/commands.md": command_page.text,
    "documents/library.md": library_page.text,
    **{
        f"static/pictures/architecture{ending}.svg": partial(architecture_picture.picture, ending)
        for ending in architecture_picture.COLOURS
    },
}
"""The files below the folder of the site that are made, and what makes their text."""


def main() -> None:
    """Write every file."""
    for name, text in MADE_FILES.items():
        (SITE_FOLDER / name).write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
