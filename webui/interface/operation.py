"""What the interface knows of an operation: its address, the structs that read the request, its answers."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPMethod
from inspect import getdoc
from typing import Annotated, Any, TypeAlias, get_type_hints

import msgspec
from msgspec import Meta

from webui.access.actions import Action
from webui.http.request_kinds import RequestKind

BLUEPRINT_NAME = "interface"
JSON_MEDIA_TYPE, LINES_MEDIA_TYPE = "application/json", "application/x-ndjson"
"""One value, and one value per line."""
NOTATION_MEDIA_TYPE = "text/vnd.bezique"
"""Records in the notation, one after the other, in UTF-8."""
LINES_MEDIA_TYPES = (LINES_MEDIA_TYPE, "application/jsonl")
RECORD_MEDIA_TYPES = (JSON_MEDIA_TYPE, *LINES_MEDIA_TYPES, NOTATION_MEDIA_TYPE)
"""The types of bodies that hold records: one record, one per line under either of two names, or the notation."""
_PATH_PART = re.compile(r"\{(\w+)\}")


FromZero: TypeAlias = Annotated[int, Meta(ge=0)]
FromOne: TypeAlias = Annotated[int, Meta(ge=1)]


class NoParameters(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The parameters of an operation that has none."""


@dataclass(frozen=True, slots=True)
class SentRecords:
    """A body that holds records: its bytes as they were sent, which may be compressed, and how many records it has.

    `as_lines` says that it was sent as lines or in the notation, so that each record has an answer of its own.
    """

    data: bytes
    records: int
    as_lines: bool


class SentFile:
    """A body that holds records and may be large; it is read by whoever stores it."""


@dataclass(frozen=True, slots=True)
class OperationAnswer:
    """One of the answers of an operation: its status, its type, and the struct or the schema of its content."""

    status: int
    content: Any
    media_type: str = JSON_MEDIA_TYPE
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """An operation: `call` gets its parameters, and its body if it has one, and returns a value or a response.

    The types of the parameters and the body are those that `call` names, so that what is read, what is refused and
    what OpenAPI says are one. `answers` are those of success; without them it is the type that `call` returns.
    """

    name: str
    method: HTTPMethod
    path: str
    subject: str
    action: Action
    cost: RequestKind
    call: Callable[..., Any]
    answers: Sequence[OperationAnswer] = ()
    problems: Sequence[str] = ()
    """Names of problems beside those that follow from the address, the body and the rates."""
    example: Any = None
    """An example of the body."""
    parameter_examples: Mapping[str, Any] = field(default_factory=dict)

    @property
    def rule(self) -> str:
        """Its path as Flask writes it."""
        fields = {each.encode_name: each.type for each in msgspec.structs.fields(self.parameters)}

        def converted(found: re.Match[str]) -> str:
            is_number = msgspec.json.schema(fields[found[1]])["type"] == "integer"
            return f"<{'int:' if is_number else ''}{found[1]}>"

        return _PATH_PART.sub(converted, self.path)

    @property
    def path_parts(self) -> list[str]:
        """The parameters in its path."""
        return _PATH_PART.findall(self.path)

    @property
    def parameters(self) -> type[msgspec.Struct]:
        """The struct that reads its parameters."""
        return self._argument_type(0) or NoParameters

    @property
    def body(self) -> Any:
        """What its body is: `SentRecords`, `SentFile`, a type that decodes JSON, or None."""
        return self._argument_type(1)

    @property
    def summary(self) -> str:
        """What it does, in a line."""
        return (getdoc(self.call) or "").partition("\n")[0]

    @property
    def description(self) -> str:
        """What else there is to say of it."""
        return (getdoc(self.call) or "").partition("\n")[2].strip()

    @property
    def successes(self) -> Sequence[OperationAnswer]:
        """Its answers of success."""
        return self.answers or (OperationAnswer(200, get_type_hints(self.call)["return"]),)

    def _argument_type(self, number: int) -> Any:
        hints = get_type_hints(self.call, include_extras=True)
        hints.pop("return")
        return [*hints.values(), None, None][number]
