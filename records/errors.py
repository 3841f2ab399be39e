"""The root of the errors that this project raises on purpose, and those that several packages share."""

from typing import Any


class BeziqueError(Exception):
    """Anything this project raises on purpose; two are equal that say the same of the same, and each can be pickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (type(self), self.args, vars(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BeziqueError):
            return NotImplemented
        return (type(self), self.args, vars(self)) == (type(other), other.args, vars(other))

    def __hash__(self) -> int:
        return hash((type(self), str(self)))


def _remade(
    kind: type[BeziqueError], args: tuple[Any, ...], members: dict[str, Any]
) -> BeziqueError:
    """An error made anew with its members, whatever it was made of at first."""
    error = kind.__new__(kind, *args)
    error.args = args
    vars(error).update(members)
    return error


class CardError(BeziqueError):
    """A text is not a card of the format."""


RULES_MESSAGES = {
    "unknown-sheet": "There is no rule sheet {sheet}; the sheets are {known}.",
    "bad-sheet": "{says}",
    "unknown-edition": "{sheet} has no edition {edition}; it has edition {known}.",
    "unknown-option": "{sheet} has no option {option}; its options are {known}.",
    "bad-option-value": "The option {option} can be {allowed}, not {found}.",
    "contradictory-options": "The options {first} ({value}) and {second} ({found}) contradict each other: both"
    " set {field}, to different values. Give only one of them.",
}
"""The sentence of each code of rules that cannot be resolved; its places are the facts of the error."""


class SheetIdTaken(BeziqueError):
    """A rulebook of one's own has the id of another of one's own, or one that would be read as that of a published one."""

    def __init__(self, sheet_id: str, published: str | None) -> None:
        super().__init__(
            f"Two different sheets have the id {sheet_id}."
            if published is None
            else f"The id {sheet_id} is read as that of the published rulebook {published}; give the sheet one of its own."
        )


class RulesError(BeziqueError):
    """A rule sheet, edition or option cannot be resolved.

    `code` is the finding's code; `pointer` is where in the record's `rules` the cause stands, empty where there is no record;
    `found` is what stands there and `candidates` what could stand there instead. `words` tell it to somebody who writes no
    record; without them the sentence is that of the finding.
    """

    def __init__(
        self,
        code: str,
        *,
        pointer: str,
        found: str,
        candidates: tuple[str, ...] = (),
        words: str = "",
        **facts: object,
    ) -> None:
        super().__init__(words or RULES_MESSAGES[code].format(found=found, **facts))
        self.code = code
        self.pointer = pointer
        self.found = found
        self.candidates = candidates


OPTION_TEXT_MESSAGES = {
    "no-value": "Write an option as NAME=VALUE, such as {name}={example}.",
    "twice": "The option {name} is given twice. Give it once.",
}
"""The sentence for each way in which an option is written wrongly; its places are the facts of the error."""


class OptionTextError(BeziqueError):
    """An option is not written as NAME=VALUE, or written twice."""

    def __init__(self, code: str, **facts: str) -> None:
        super().__init__(OPTION_TEXT_MESSAGES[code].format(**facts))


class StoreError(BeziqueError):
    """The statistics database cannot be opened, read or written."""
