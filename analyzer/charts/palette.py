"""The colours of series, for figures, pages and the terminal."""

SERIES_COLOURS = (
    ("#4259cf", "#3884f5"),
    ("#d86e18", "#fd910f"),
    ("#269d5e", "#a9deab"),
    ("#550f75", "#7f74ad"),
    ("#712919", "#d53429"),
    ("#083a42", "#3cf3f4"),
    ("#a1619a", "#98616b"),
)
"""Each colour for a light and for a dark page.

On its page each has a contrast of at least 3:1, and any two differ by more than 25 units of CIELAB, for normal
vision and for red, green and blue colour blindness.
"""


def series_css() -> str:
    """The colours as custom properties of a page: `--series-1` and so on."""
    lines = "".join(
        f"  --series-{number}: light-dark({light}, {dark});\n"
        for number, (light, dark) in enumerate(SERIES_COLOURS, start=1)
    )
    return f":root {{\n{lines}}}\n"
