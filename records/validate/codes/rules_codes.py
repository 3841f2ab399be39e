"""The codes of rules that cannot be resolved, so that nothing can be replayed: stable, never reused."""

from records.validate.codes.code import FindingCode

_ROWS = (
    (
        "unknown-sheet", "There is no rule sheet of this name",
        "`rules.id` names one of the rule sheets, such as bezique or zetema; the finding lists them.",
    ),
    (
        "unknown-edition", "The rule sheet has no such edition",
        "`rules.edition` counts from 1. A record without it is judged by the edition there is.",
    ),
    (
        "unknown-option", "The rule sheet has no such option",
        "Each sheet offers the options that make sense for its game; the finding lists them.",
    ),
    (
        "bad-option-value", "A value that the option cannot take",
        "An option takes one of a few values, or a whole number within bounds. true is not 1, and 8 is"
        " not \"8\".",
    ),
    (
        "contradictory-options", "Two options set the same thing",
        "Where two options would both change one field of the sheet, give only one of them. A default"
        " written out contradicts nothing.",
    ),
    (
        "wrong-number-of-players", "The game is not played by so many",
        "The rule sheet says how many play. Most games of the family are for two.",
    ),
)  # fmt: skip

RULES_CODES: dict[str, FindingCode] = {
    code: FindingCode(
        code=code,
        severity="unreadable",
        article="deal" if code == "wrong-number-of-players" else "",
        title=title,
        meaning=meaning,
    )
    for code, title, meaning in _ROWS
}
