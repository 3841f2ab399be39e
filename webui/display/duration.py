"""Durations in words."""


def format_duration(seconds: float) -> str:
    """A duration as minutes and seconds: `1:05`."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"
