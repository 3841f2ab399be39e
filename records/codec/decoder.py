"""Bytes to record: the fast path. What is wrong with a text is found by `diagnosis`."""

import re
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from records.codec.diagnosis import locate
from records.codec.encoder import DEALS_MEMBER, ENCODER, digest_from
from records.codec.location import tell
from records.codec.semantics import check_all, has_extension
from records.record import MAX_RECORD_BYTES, Record
from records.validate.finding import Finding

_DECODER = msgspec.json.Decoder(Record)
_ANYTHING = msgspec.json.Decoder()
_TOP = msgspec.json.Decoder(dict[str, msgspec.Raw])
_BOM = b"\xef\xbb\xbf"
_TEN = re.compile(rb'(?<!\\)"10(?=[SHDC?](?:\.[1-6])?")')
_TEN_AS_TEXT = re.compile(rb'"T[SHDC?](?:\.[1-6])?"')


@dataclass(frozen=True, slots=True)
class Decoded:
    """A record, or none, and what was found; `deals` are the record's deals in canonical form."""

    record: Record | None
    findings: list[Finding]
    deals: bytes = b""

    def digest(self) -> str | None:
        """The record's digest, without writing its deals a second time."""
        return None if self.record is None else digest_from(self.record, self.deals)


def decode(data: bytes, *, line: int | None = None, strict: bool = True) -> Decoded:
    """The record that a text holds, with every error of it located; never raises for what it holds.

    In lenient reading (`strict=False`) unknown members are warnings and left out. `line` is the number
    of the line in its file, for the findings.
    """
    if len(data) > MAX_RECORD_BYTES:
        message = f"The record has {len(data):,} bytes; it may have {MAX_RECORD_BYTES:,}."
        decoded = Decoded(None, [tell("record-too-large", (), message)])
    elif data.startswith(_BOM):
        mark = tell(
            "byte-order-mark", (), "The text starts with a byte order mark, which is skipped."
        )
        rest = decode(data[len(_BOM) :], strict=strict)
        decoded = Decoded(rest.record, [mark, *rest.findings], rest.deals)
    elif not data or data.isspace():
        decoded = Decoded(None, [tell("empty-file", (), "There is nothing here to read.")])
    else:
        decoded = _decode_fast(data) or _decode_slowly(data, strict=strict)
    if line is not None and decoded.findings:
        return Decoded(decoded.record, [_on_line(f, line) for f in decoded.findings], decoded.deals)
    return decoded


def _on_line(finding: Finding, line: int) -> Finding:
    return replace(finding, at=replace(finding.at, line=line))


def _decode_fast(data: bytes) -> Decoded | None:
    """A record whose types are right in one call; None where a closer look is needed."""
    try:
        record = _DECODER.decode(data)
        deals = ENCODER.encode(record.deals)
        if not _is_whole(data, deals):
            return None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _decode_tens(data)
    findings = list(check_all(record, deals))
    return Decoded(_unless_unreadable(record, findings), findings, deals)


def _unless_unreadable(record: Record, findings: list[Finding]) -> Record | None:
    return None if any(finding.severity == "unreadable" for finding in findings) else record


def _is_whole(data: bytes, deals: bytes) -> bool:
    """Whether every member of the text is in what was decoded: like-named members are lost silently.

    `deals` are the deals as decoded, written again; where they stand in the text letter by letter they
    lack nothing, and otherwise they are compared by their quotes.
    """
    start = data.find(DEALS_MEMBER) + len(DEALS_MEMBER)
    if start >= len(DEALS_MEMBER) and data.startswith(deals, start):
        return _loses_nothing(data[:start] + b"[]" + data[start + len(deals) :])
    members = _TOP.decode(data)
    names = 2 * ("deals" in members)
    inside = bytes(members.pop("deals", b"[]"))
    outside = ENCODER.encode(members)
    return (
        _quotes(data) == _quotes(outside) + _quotes(inside) + names
        and _loses_nothing(outside)
        and (_quotes(inside) == _quotes(deals) or _loses_nothing(inside))
    )


def _loses_nothing(text: bytes) -> bool:
    """Whether plain decoding keeps every member: one lost takes the two quotes of its name along."""
    return _quotes(text) == _quotes(ENCODER.encode(_ANYTHING.decode(text)))


def _quotes(text: bytes) -> int:
    """The number of quotes around texts, not those inside."""
    if b"\\" not in text:
        return text.count(b'"')
    # Escaped backslashes taken away, whatever backslash is left escapes the character after it.
    text = text.replace(rb"\\", b"")
    return text.count(b'"') - text.count(rb"\"")


def _decode_tens(data: bytes) -> Decoded | None:
    """A record that writes `10S` for `TS`; None where that is not all, or may not be a card."""
    if not _TEN.search(data):
        return None
    decoded = _decode_fast(_TEN.sub(b'"T', data))
    if (
        decoded is None
        or decoded.record is None
        or decoded.record.lines
        or has_extension(decoded.deals)
    ):
        return None
    rest = ENCODER.encode(replace(decoded.record, deals=[]))
    texts = _TEN_AS_TEXT.search(rest) or re.search(rb'"text":"T', decoded.deals)
    return None if texts else decoded


def _decode_slowly(data: bytes, *, strict: bool) -> Decoded:
    """Every error of a text, or the record that it is after all."""
    located = locate(data, strict=strict)
    findings, record = located.findings, located.record
    if record is None:
        return Decoded(None, findings)
    deals = ENCODER.encode(record.deals)
    findings += [
        finding
        for finding in check_all(record, deals, located.broken)
        if not _hangs_on(finding, located.broken)
    ]
    return Decoded(_unless_unreadable(record, findings), findings, deals)


def _hangs_on(finding: Finding, broken: set[str]) -> bool:
    """Whether a finding is about what could not be read, or about a value that has such a part."""
    pointer = finding.at.pointer
    steps = pointer.split("/")
    return any("/".join(steps[:end]) in broken for end in range(1, len(steps) + 1)) or (
        finding.code == "bad-anchor" and any(part.startswith(pointer + "/") for part in broken)
    )
