"""What the site answers as CSV."""

from werkzeug.test import TestResponse


def csv_text(answer: TestResponse) -> str:
    """The rows of an answer; it begins with the mark by which spreadsheets know UTF-8, and has no other."""
    text = answer.data.decode("utf-8")
    assert text.startswith("\ufeff")
    assert "\ufeff" not in text[1:]
    return text[1:]
