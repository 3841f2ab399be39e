"""The colours of series, for figures, pages and the terminal."""

SERIES_COLOURS = (
    ("#3907f5", "#1e6cca"),
    ("#fd470b", "#da9f0f"),
    ("#006387", "#23fbb6"),
    ("#bb51ff", "#de9dff"),
    ("#560d07", "#af5405"),
    ("#fb2fc5", "#9b5783"),
    ("#54584a", "#aeb7c8"),
    ("#b68057", "#e9f809"),
    ("#5e00aa", "#8c37ff"),
    ("#1a1a5c", "#5fc065"),
    ("#9c2800", "#6b7b57"),
    ("#3b1631", "#b9fe7a"),
)
"""Each colour for a light and for a dark page; there is one for every rulebook.

On its page each has a contrast of at least 3:1, and any two differ by more than 25 units of CIELAB, for normal
vision and for red, green and blue colour blindness. They were found by a search: one that is changed by hand will
hardly keep that distance.
"""


def series_css() -> str:
    """The colours as custom properties of a page: `--series-1` and so on."""
    lines = "".join(
        f"  --series-{number}: light-dark({light}, {dark});\n"
        for number, (light, dark) in enumerate(SERIES_COLOURS, start=1)
    )
    return f":root {{\n{lines}}}\n"
