"""Reading a request of the interface: parameters and bodies become the structs that operations name."""

import re
import zlib
from difflib import get_close_matches
from io import BytesIO
from typing import Annotated, Any, get_origin

import msgspec
import zstandard
from flask import request
from werkzeug.exceptions import RequestEntityTooLarge

from records import codec
from records.phrases import join_words, size_in_units
from records.record import Record
from webui.display.words.verdict_words import sentence
from webui.http.answers.problems import ProblemRaised
from webui.interface.operation import (
    JSON_MEDIA_TYPE,
    LINES_MEDIA_TYPE,
    NOTATION_MEDIA_TYPE,
    RECORD_MEDIA_TYPES,
    Operation,
    SentFile,
    SentRecords,
)
from webui.views.api import admitted_records

LARGEST_BODY_BYTES = 64 * 1024
"""The most bytes that a body which holds no records may have, and may expand to."""
LARGEST_WINDOW_BYTES = 8 * 1024 * 1024
"""The most that expanding zstd may keep in memory; encoders ask for as much without being told to."""
MAGIC_BYTES = {"gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f\xfd"}
"""The encodings of bodies that are understood, and how each begins."""
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


def read_body(operation: Operation) -> Any:
    """The body of the current request, as its operation wants it; raises ProblemRaised."""
    if operation.body is None:
        if request.content_length:
            raise ProblemRaised("invalid-body", "This address takes no body.")
        return None
    if operation.body in (SentRecords, SentFile):
        _require_media_type(RECORD_MEDIA_TYPES)
        _require_utf8()
        _check_encoding(request.headers.get("Content-Encoding", ""))
        return _read_records() if operation.body is SentRecords else SentFile()
    _require_media_type((JSON_MEDIA_TYPE,))
    data = _read_small_body()
    try:
        body = msgspec.json.decode(data, type=operation.body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ProblemRaised("invalid-body", _explain(error)[0]) from None
    # The decoder takes the last of two members with one name, where another reader might take the first.
    if (finding := codec.find_double_member(data)) is not None:
        raise ProblemRaised("invalid-body", finding.message)
    return body


def only_record(sent: SentRecords) -> Record:
    """The one record of a body; raises ProblemRaised if it cannot be read, or has company."""
    if sent.records > 1:
        raise ProblemRaised("invalid-body", f"Send one record, not {sent.records:,}.")
    entry = next(iter(codec.read_entries(BytesIO(sent.data))))
    decoded = None if entry.findings else codec.decode(entry.data)
    if decoded is None or decoded.record is None:
        findings = decoded.findings if decoded else entry.findings
        detail = findings[0].message if findings else "This is no record."
        raise ProblemRaised("unreadable-record", detail, findings=findings)
    return decoded.record


def _is_list(kind: Any) -> bool:
    """Whether a parameter may be given several times."""
    return get_origin(kind.__origin__ if get_origin(kind) is Annotated else kind) is list


def _read_records() -> SentRecords:
    data, encoding = request.get_data(), request.headers.get("Content-Encoding", "").lower()
    if encoding in MAGIC_BYTES and not data.startswith(MAGIC_BYTES[encoding]):
        raise ProblemRaised("invalid-body", f"The body is not compressed with {encoding}.")
    if not data:
        raise ProblemRaised("invalid-body", "The body is empty. Send a record.")
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
