"""The codes of rules that cannot be resolved, so that nothing can be replayed: stable, never reused."""

from records.errors import RULES_MESSAGES
from records.validate.codes.code import FindingCode

_ROWS = (
    (
        "unknown-sheet", "There is no rule sheet of this name",
        "`rules.id` names one of the rule sheets, such as bezique or zetema; the finding lists them.",
    ),
    (
        "unknown-edition", "The rule sheet has no such edition",
        "`rules.edition` counts from 1. A record without it is judged by the only edition there is.",
    ),
    (
        "unknown-option", "The rule sheet has no such option",
        "Each sheet has the options that make sense for its game; the finding lists them.",
    ),
    (
        "bad-option-value", "A value that the option cannot have",
        "An option has one of a few values, or a whole number within limits. true is not 1, and 8 is not"
        " \"8\".",
    ),
    (
        "contradictory-options", "Two options set the same thing",
        "Where two options would both change one part of the sheet, give only one of them. Writing out a"
        " default never contradicts anything.",
    ),
)  # fmt: skip

RULES_CODES: dict[str, FindingCode] = {
    code: FindingCode(
        code=code,
        severity="unreadable",
        title=title,
        message=RULES_MESSAGES[code],
        meaning=meaning,
    )
    for code, title, meaning in _ROWS
} | {
    "wrong-number-of-players": FindingCode(
        code="wrong-number-of-players",
        severity="unreadable",
        article="deal",
        title="The game is not played by this number of players",
        message="{sheet} is a game for {players} players; the record has {found}.",
        meaning="The rule sheet says how many can play. Most games of the family are for two.",
    )
}
