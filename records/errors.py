"""The exceptions of the project, all below one root.

BeziqueError
├── CardError        a text is not a card
├── RulesError       the record names rules that cannot be resolved
└── StoreError       the statistics database cannot be used
"""


class BeziqueError(Exception):
    """Anything this project raises on purpose."""


class CardError(BeziqueError):
    """A text is not a card of the format."""


class RulesError(BeziqueError):
    """A rule sheet, edition or option cannot be resolved.

    `code` is the finding's code; `pointer` is where in the record's `rules` the cause stands;
    `found` is what stood there and `candidates` what could have stood there.
    """

    def __init__(
        self, code: str, message: str, *, pointer: str, found: str, candidates: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.code = code
        self.pointer = pointer
        self.found = found
        self.candidates = candidates


class StoreError(BeziqueError):
    """The statistics database cannot be opened, read or written."""
