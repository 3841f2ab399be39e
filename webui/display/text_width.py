"""Columns of text in a terminal, where some signs take two places and others none."""


def text_width(text: str) -> int:
    """How many columns of a terminal a text takes; what cannot be printed takes none."""
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth, wcwidth  # few texts need it, and a command should start at once

    width = wcswidth(text)
    return width if width >= 0 else sum(max(0, wcwidth(sign)) for sign in text)


def pad_text(text: str, width: int, *, right: bool = False) -> str:
    """A text with blanks behind it, or before it to stand at the right, as far as it is narrower than so many columns."""
    blanks = " " * (width - text_width(text))
    return blanks + text if right else text + blanks
