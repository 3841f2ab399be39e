"""PNG pictures, for programs that show no SVG: they are drawn by resvg, with the one font that lies beside this file."""

from functools import lru_cache
from pathlib import Path

from resvg_py import svg_to_bytes

FONT_FILE, FONT_NAME = Path(__file__).with_name("DejaVuSerif.ttf"), "DejaVu Serif"
MOST_PICTURES_CACHED = 64
"""A picture takes some 100 kB, and its text as many: together they stay below 16 MB."""


@lru_cache(maxsize=MOST_PICTURES_CACHED)
def draw_png(svg: str) -> bytes:
    """A picture of the size that its view box has; the last ones are kept.

    The fonts of the machine are not asked, so that a picture is the same everywhere: nothing is drawn of letters that
    are not Latin, Greek or Cyrillic.
    """
    return svg_to_bytes(
        svg_string=svg,
        skip_system_fonts=True,
        font_files=[str(FONT_FILE)],
        serif_family=FONT_NAME,
    )
