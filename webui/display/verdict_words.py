"""Verdicts and severities in words, for pages and commands; it loads next to nothing, so that commands start at once."""

from records.validate.report import Report

VERDICT_WORDS = {
    "legal": "Legal",
    "legal_with_mismatches": "Scores differ",
    "illegal": "Illegal",
    "incomplete": "Legal so far, unfinished",
    "undetermined": "Undetermined",
    "unreadable": "Unreadable",
}
VERDICT_MEANINGS = {
    "legal": "The game follows every rule, and no score in the record is wrong.",
    "legal_with_mismatches": "No broken rule was found, but the record states wrong scores.",
    "illegal": "A rule was broken.",
    "incomplete": "The game follows every rule so far. The record ends before the game does.",
    "undetermined": "Whether a rule was broken depends on what the record does not show.",
    "unreadable": "This is not a readable record.",
}
CUT_SHORT = "Not every option was tried here: that would have cost too much."
"""Said of a rulebook for which the search for fitting options ended before its end."""
VERDICT_TONES = {
    "legal": "good", "legal_with_mismatches": "fair", "illegal": "bad", "incomplete": "plain",
    "undetermined": "plain", "unreadable": "bad",
    "mismatch": "fair", "warning": "fair", "note": "plain",
}  # fmt: skip
"""The tone of a verdict or a severity; pages and the terminal give each tone a colour."""
SEVERITY_WORDS = {
    "unreadable": "Cannot be read",
    "illegal": "Breaks a rule",
    "mismatch": "A score differs",
    "warning": "Warning",
    "note": "Note",
}


def gap_words(report: "Report") -> list[str]:
    """What the verdict of a record does not say of it: that it is unfinished, or not fully known."""
    gaps = []
    if not report.finished and report.verdict not in ("incomplete", "unreadable"):
        gaps.append("unfinished")
    if not report.known and report.verdict not in ("undetermined", "unreadable"):
        gaps.append("not fully known")
    return gaps
