"""A request of the interface: parameters and bodies become the structs that operations name."""

import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from http import HTTPMethod
from inspect import getdoc
from io import BytesIO
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import Annotated, Any, BinaryIO, TypeAlias, cast, get_origin, get_type_hints

import msgspec
import zstandard
from flask import Response, current_app, request
from msgspec import Meta
from werkzeug.exceptions import RequestEntityTooLarge

from records.format import codec
from records.format.files import read_entries
from records.format.notation_writer import write_notation
from records.format.text_places import find_double_member
from records.phrases import join_words, sentence, size_in_units
from records.record import Record
from webui.server.actions import Action
from webui.server.error_pages import ProblemRaised
from webui.server.request_kinds import RequestKind
from webui.views.api import admitted_records

# What the interface knows of an operation: its address, the structs that read the request, its answers.

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


class SentStruct(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Parameters or a body, in which nothing may stand that is not known."""


class NoParameters(SentStruct, frozen=True):
    """The parameters of an operation that has none."""


@dataclass(frozen=True, slots=True)
class SentRecords:
    """A body that holds records: its bytes as they were sent, which may be compressed, and how many records it has.

    `as_lines` says that it was sent as lines or in the notation, so that each record has an answer of its own. Where a
    stream was asked for, the bytes are in `stream`, to be closed by whoever reads it, and no record has been counted.
    """

    data: bytes
    records: int
    as_lines: bool
    stream: BinaryIO | None = None


class SentFile:
    """A body that holds records and may be large; it is read by whoever stores it."""


@dataclass(frozen=True, slots=True)
class OperationAnswer:
    """One of the answers of an operation: its status, its type, and the struct or the schema of its content.

    One of several lines has such a content on each; the last may be one of the structs of `last_lines` instead.
    """

    status: int
    content: Any
    media_type: str = JSON_MEDIA_TYPE
    words: str = ""
    last_lines: Sequence[Any] = ()

    @property
    def contents(self) -> list[Any]:
        """The structs and schemas in it."""
        return [self.content, *self.last_lines]


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation: `call` gets its parameters, and its body if it has one, and returns a value or a response.

    The types of the parameters and the body are those that `call` names, so that what is read, what is refused and
    what OpenAPI says are one. `answers` are those of success; without them it is the type that `call` returns.
    """

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

    @property
    def name(self) -> str:
        """Its name: that of what is called."""
        return self.call.__name__

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


# A record as its reader wants it: as JSON, or in the notation.

NOTATION_CONTENT = {"type": "string", "description": "A record in the notation."}
RECORD_ANSWERS = (
    OperationAnswer(200, Record),
    OperationAnswer(200, NOTATION_CONTENT, NOTATION_MEDIA_TYPE),
)
"""The answers of an operation that answers with a record."""


def record_answer(record: Record, write_json: Callable[[], bytes]) -> Response:
    """A record as the header `Accept` wants it, JSON first; raises ProblemRaised if it wants neither."""
    offered = [answer.media_type for answer in RECORD_ANSWERS]
    wanted = request.accept_mimetypes
    media_type = wanted.best_match(offered) if wanted else JSON_MEDIA_TYPE
    if media_type is None:
        detail = f"A record is sent as {join_words(offered, 'or')}."
        raise ProblemRaised("not-acceptable", detail)
    data = write_json() if media_type == JSON_MEDIA_TYPE else write_notation(record).encode()
    response: Response = current_app.response_class(data, mimetype=media_type)
    response.vary.add("Accept")
    return response


@contextmanager
def refusals_as(problem: str, refused: type[Exception]) -> Iterator[None]:
    """Answer with a problem of this name, in the words of what is refused."""
    try:
        yield
    except refused as error:
        raise ProblemRaised(problem, str(error)) from error


# Reading a request.

LARGEST_BODY_BYTES = 64 * 1024
"""The most bytes that a body which holds no records may have, and may expand to."""
LARGEST_WINDOW_BYTES = 8 * 1024 * 1024
"""The most that expanding zstd may keep in memory; encoders ask for as much without being told to."""
MAGIC_BYTES = {"gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f\xfd"}
"""The encodings of bodies that are understood, and how each begins."""
LONGEST_MAGIC = max(map(len, MAGIC_BYTES.values()))
EMPTY_BODY = "The body is empty. Send a record."
BYTES_IN_MEMORY = 1024 * 1024
"""A longer body that is stored or streamed waits in a file."""
_WRONG_PLACE = re.compile(r" - at `\$\.?([^`]*)`$")


def read_parameters(operation: Operation) -> msgspec.Struct:
    """The parameters of the current request; raises ProblemRaised for one that is unknown, repeated or wrong."""
    kind = operation.parameters
    fields = {each.encode_name: each for each in msgspec.structs.fields(kind)}
    given: dict[str, Any] = dict(request.view_args or {})
    for name, texts in request.args.lists():
        if name not in fields or name in operation.path_parts:
            known = [each for each in fields if each not in operation.path_parts]
            raise ProblemRaised("unknown-parameter", _unknown(name, known), parameter=name[:100])
        if _is_list(fields[name].type):
            given[name] = texts
        elif len(texts) > 1:
            detail = f"{name} was given {len(texts)} times; give it once."
            raise ProblemRaised("invalid-parameter", detail, parameter=name)
        else:
            given[name] = texts[0]
    for name, each in fields.items():
        if each.required and name not in given:
            detail = f"{name} is missing; give it."
            raise ProblemRaised("invalid-parameter", detail, parameter=name)
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        detail, name = _explain(error)
        raise ProblemRaised("invalid-parameter", detail, parameter=name) from None


def read_body(operation: Operation, *, as_stream: bool) -> Any:
    """The body of the current request, as its operation wants it, or records as a stream; raises ProblemRaised."""
    if operation.body is None:
        if request.content_length:
            raise ProblemRaised("invalid-body", "This address takes no body.")
        return None
    if operation.body in (SentRecords, SentFile):
        _require_media_type(RECORD_MEDIA_TYPES)
        _require_utf8()
        _check_encoding(request.headers.get("Content-Encoding", ""))
        if operation.body is SentFile:
            return SentFile()
        return _open_stream() if as_stream else _read_records()
    _require_media_type((JSON_MEDIA_TYPE,))
    data = _read_small_body()
    try:
        body = msgspec.json.decode(data, type=operation.body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ProblemRaised("invalid-body", _explain(error)[0]) from None
    # The decoder takes the last of two members with one name, where another reader might take the first.
    if (finding := find_double_member(data)) is not None:
        raise ProblemRaised("invalid-body", finding.message)
    return body


def only_record(sent: SentRecords) -> Record:
    """The one record of a body; raises ProblemRaised if it cannot be read, or has company."""
    if sent.records > 1:
        raise ProblemRaised("invalid-body", f"Send one record, not {sent.records:,}.")
    entry = next(iter(read_entries(BytesIO(sent.data))))
    decoded = None if entry.findings else codec.decode(entry.data)
    if decoded is None or decoded.record is None:
        findings = decoded.findings if decoded else entry.findings
        detail = findings[0].message if findings else "This is no record."
        raise ProblemRaised("unreadable-record", detail, findings=findings)
    return decoded.record


def _is_list(kind: Any) -> bool:
    """Whether a parameter may be given several times."""
    return get_origin(kind.__origin__ if get_origin(kind) is Annotated else kind) is list


def spool_body() -> BinaryIO:
    """The body of the current request in a file, at its beginning; raises ProblemRaised if it is empty."""
    file = SpooledTemporaryFile(max_size=BYTES_IN_MEMORY)  # noqa: SIM115
    copyfileobj(request.stream, file)
    if not file.tell():
        raise ProblemRaised("invalid-body", EMPTY_BODY)
    file.seek(0)
    return cast("BinaryIO", file)


def _open_stream() -> SentRecords:
    request.max_content_length = current_app.config["MAX_UPLOAD_LENGTH"]
    file = spool_body()
    _check_magic(file.read(LONGEST_MAGIC))
    file.seek(0)
    return SentRecords(b"", 0, as_lines=True, stream=file)


def _check_magic(start: bytes) -> None:
    """Raise ProblemRaised if a body that starts so is not compressed as it says."""
    encoding = request.headers.get("Content-Encoding", "").lower()
    if encoding in MAGIC_BYTES and not start.startswith(MAGIC_BYTES[encoding]):
        raise ProblemRaised("invalid-body", f"The body is not compressed with {encoding}.")


def _read_records() -> SentRecords:
    data = request.get_data()
    _check_magic(data[:LONGEST_MAGIC])
    if not data:
        raise ProblemRaised("invalid-body", EMPTY_BODY)
    records, as_lines = admitted_records(data), request.mimetype != JSON_MEDIA_TYPE
    if records > 1 and not as_lines:
        detail = f"{JSON_MEDIA_TYPE} is one record, and these are {records:,}. Send them as {LINES_MEDIA_TYPE}."
        raise ProblemRaised("invalid-body", detail)
    return SentRecords(data, records, as_lines)


def _read_small_body() -> bytes:
    request.max_content_length = LARGEST_BODY_BYTES
    try:
        data = request.get_data()
    except RequestEntityTooLarge:
        detail = f"A body without records may have up to {size_in_units(LARGEST_BODY_BYTES)}."
        raise ProblemRaised("too-large", detail) from None
    encoding = request.headers.get("Content-Encoding", "").lower()
    _check_encoding(encoding)
    if encoding in ("", "identity"):
        return data
    if not data.startswith(MAGIC_BYTES[encoding]):
        raise ProblemRaised("invalid-body", f"The body is not compressed with {encoding}.")
    return _expand(data, encoding)


def _expand(data: bytes, encoding: str) -> bytes:
    """The bytes that were compressed, if they are not too many; raises ProblemRaised."""
    try:
        if encoding == "gzip":
            expanded = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS).decompress(
                data, LARGEST_BODY_BYTES + 1
            )
        else:
            reader = zstandard.ZstdDecompressor(max_window_size=LARGEST_WINDOW_BYTES)
            expanded = reader.stream_reader(data).read(LARGEST_BODY_BYTES + 1)
    except (zlib.error, zstandard.ZstdError):
        raise ProblemRaised("invalid-body", f"The {encoding} of the body is damaged.") from None
    if len(expanded) > LARGEST_BODY_BYTES:
        detail = f"The body expands to more than {size_in_units(LARGEST_BODY_BYTES)}."
        raise ProblemRaised("too-large", detail)
    return expanded


def _require_media_type(known: tuple[str, ...]) -> None:
    if request.mimetype in known:
        return
    detail = f"Send the body as {join_words(known, 'or')}."
    if request.mimetype == "multipart/form-data":
        detail += " Forms with files are not understood here: send the file itself as the body."
    elif request.mimetype == "application/x-www-form-urlencoded":
        detail += f" curl says so with -H 'Content-Type: {known[0]}'."
    raise ProblemRaised("unsupported-media-type", detail)


def _require_utf8() -> None:
    charset = request.mimetype_params.get("charset", "utf-8")
    if request.mimetype == NOTATION_MEDIA_TYPE and charset.lower() not in ("utf-8", "us-ascii"):
        raise ProblemRaised("unsupported-media-type", "Send the notation in UTF-8.")


def _check_encoding(encoding: str) -> None:
    if encoding.lower() not in ("", "identity", *MAGIC_BYTES):
        detail = "A body may be compressed with gzip or zstd, once."
        raise ProblemRaised("unsupported-media-type", detail)


def _unknown(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    if not hint:
        hint = f" There are {join_words(known)}." if known else " This address takes none."
    return f"There is no parameter “{name[:100]}”.{hint}"


def _explain(error: Exception) -> tuple[str, str]:
    """What is wrong, as a sentence, and the member that is wrong if that is known."""
    text = str(error)
    place = _WRONG_PLACE.search(text)
    if place is None:
        return sentence(text), ""
    words = text[: place.start()]
    return sentence(f"{place[1]}: {words[0].lower()}{words[1:]}" if place[1] else words), place[1]
