"""Points as text with their sign; minus is the typographic `−`."""


def signed_points(points: float) -> str:
    """Points with their sign: `+40`, `−10`, `−2.5`, `0`."""
    return f"{points:+g}".replace("-", "−") if points else "0"


def signed_tenths(points: float) -> str:
    """Points to one decimal with their sign: `+12.5`, `−3.0`."""
    return f"{points:+.1f}".replace("-", "−")
