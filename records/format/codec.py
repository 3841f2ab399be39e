"""Bytes to a record and back, in the canonical form, and the digest that names a game.

`records.format.diagnosis` finds what is wrong with a text.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from records.cards import LABEL_PATTERN
from records.format.semantics import check_semantics, has_extension, sides_of
from records.format.text_places import MAX_ERRORS_LISTED, Unreadable, decode_utf8, make_finding
from records.phrases import join_words
from records.record import (
    MAX_RECORD_BYTES,
    NOTATION_START,
    TYPED_START,
    Deal,
    Record,
    Result,
    Rules,
)
from records.validate.finding import Finding

if TYPE_CHECKING:
    from records.format.notation import NotationError
    from records.format.notation_habits import UnderstoodText
    from records.format.notation_reader import DenotedRecord
    from records.format.typed_lines import Understanding

# Record to bytes, and the digest.

ENCODER = msgspec.json.Encoder(order="deterministic")
DEALS_MEMBER = b'"deals":'


def encode(record: Record) -> bytes:
    """The canonical form: members in the order of the structs, defaults left out, no blanks.

    The members of `options`, `meta` and `ext` are sorted. Read and written again it stays the same, byte
    for byte.
    """
    return ENCODER.encode(record)


class _PlayedGame(msgspec.Struct):
    """What identifies a game; the deals follow as its last member.

    Names and `meta` are left out unless the record tells nothing but scores, ids and the result unless it has no deals.
    """

    format: str
    version: str
    rules: Rules
    players: int
    sides: list[list[int]]
    names: list[str] | msgspec.UnsetType = msgspec.UNSET
    ids: list[str | None] | msgspec.UnsetType = msgspec.UNSET
    meta: dict[str, Any] | msgspec.UnsetType | None = msgspec.UNSET
    result: Result | msgspec.UnsetType | None = msgspec.UNSET


def digest(record: Record) -> str:
    """The SHA-256, in hex, of what was played, without comments, times and extensions.

    Names and `meta` count only where every deal is known by its scores alone: such scores come again and again, and
    matches of other players on other days would be one game. Without any deal, ids and the result count, too.
    """
    return digest_from(record, ENCODER.encode(record.deals))


def digest_from(record: Record, deals: bytes) -> str:
    """The digest of a record whose deals have been encoded already."""
    if b'"ms":' in deals or has_extension(deals):
        deals = ENCODER.encode([_bare(deal) for deal in record.deals])
    play = _played(record)
    if all(deal.knowledge == "scores" for deal in record.deals):
        play.names, play.meta = [player.name for player in record.players], record.meta
    if not record.deals:
        play.ids, play.result = [player.id for player in record.players], record.result
    return _digest_of(play, deals)


def digest_with_occasion(record: Record) -> str:
    """The digest with the players' names and ids and `meta`: it tells apart matches with the same cards and acts."""
    deals = ENCODER.encode([_bare(deal) for deal in record.deals])
    play = _played(record)
    play.names, play.meta = [player.name for player in record.players], record.meta
    play.ids = [player.id for player in record.players]
    return _digest_of(play, deals)


def former_digest(record: Record) -> str | None:
    """The digest that a record without deals had before names, ids, `meta` and the result counted; None with deals.

    Links that were made then still name it.
    """
    if record.deals:
        return None
    return _digest_of(_played(record), b"[]")


def _played(record: Record) -> _PlayedGame:
    return _PlayedGame(
        record.format, record.version, record.rules, len(record.players), sides_of(record)
    )


def _digest_of(play: _PlayedGame, deals: bytes) -> str:
    head = ENCODER.encode(play)[:-1]
    return hashlib.sha256(head + b"," + DEALS_MEMBER + deals + b"}").hexdigest()


def _bare(deal: Deal) -> Deal:
    """A deal without times and extensions."""
    events = [
        event if event.ms is None and event.ext is None else replace(event, ms=None, ext=None)
        for event in deal.events
    ]
    return replace(deal, ext=None, events=events)


# Bytes to record: the fast path.

_DECODER = msgspec.json.Decoder(Record)
_ANY_VALUE_DECODER = msgspec.json.Decoder()
_TOP_LEVEL_DECODER = msgspec.json.Decoder(dict[str, msgspec.Raw])
_BOM = b"\xef\xbb\xbf"
_TEN = re.compile(rb'(?<!\\)"10(?=[SHDC?](?:%b)?")' % LABEL_PATTERN.encode())
_TEN_AS_TEXT = re.compile(rb'"T[SHDC?](?:%b)?"' % LABEL_PATTERN.encode())


@dataclass(frozen=True, slots=True)
class DecodedRecord:
    """A record, or None, and the findings; `deals` are the record's deals in canonical form."""

    record: Record | None
    findings: list[Finding]
    deals: bytes = b""

    def digest(self) -> str | None:
        """The record's digest, without writing its deals a second time."""
        return None if self.record is None else digest_from(self.record, self.deals)

    def sheet_read(self, data: bytes) -> bytes:
        """What of this record's `data` was read as a rulebook inside; of a damaged one as much as that may be. Empty without one."""
        if self.record is not None:
            sheet = self.record.rules.sheet
            return b"" if sheet is None else ENCODER.encode(sheet)
        # What reads sheets of one's own takes long to load, and few records need it.
        from records.rules.sheet_text import LARGEST_SHEET_BYTES

        damaged = any([finding.code == "bad-sheet" for finding in self.findings])
        return data[:LARGEST_SHEET_BYTES] if damaged else b""


def decode(data: bytes, *, line: int | None = None, strict: bool = True) -> DecodedRecord:
    """The record in a text, and every error of the text with its place; never raises for any text.

    In lenient reading (`strict=False`) unknown members are warnings and left out. `line` is the line of
    the text in its file, for the findings.
    """
    if len(data) > MAX_RECORD_BYTES:
        limit = f"{MAX_RECORD_BYTES:,}"
        decoded = DecodedRecord(None, [make_finding("record-too-large", limit=limit)])
    elif data.startswith(_BOM):
        # All marks at once: a call for each would end where Python allows no deeper call.
        rest = decode(without_marks(data), line=line, strict=strict)
        findings = [make_finding("byte-order-mark"), *rest.findings]
        decoded = DecodedRecord(rest.record, findings, rest.deals)
    elif not data or data.isspace():
        decoded = DecodedRecord(None, [make_finding("empty-file")])
    else:
        decoded = (
            _decode_fast(data)
            or _decode_notation(data, line or 1, strict=strict)
            or _decode_slowly(data, strict=strict)
        )
    if line is not None and decoded.findings:
        return DecodedRecord(
            decoded.record, [f.on_line(line) for f in decoded.findings], decoded.deals
        )
    return decoded


def is_notation(data: bytes) -> bool:
    """Whether a text is in the notation, as its beginning tells."""
    return (NOTATION_START.match(data) or TYPED_START.match(data)) is not None


def as_json(data: bytes) -> bytes:
    """A record as JSON: the text itself, or what it stands for in the notation, in the canonical form.

    A text in the notation that cannot be read stays as it is.
    """
    record = decode(data).record if is_notation(data) else None
    return data if record is None else ENCODER.encode(record)


def without_marks(data: bytes) -> bytes:
    """A text without the byte order marks at its start."""
    length = 0
    while data.startswith(_BOM, length):
        length += len(_BOM)
    return data[length:]


def _decode_fast(data: bytes) -> DecodedRecord | None:
    """A record whose types are right, in one call; None where a closer look is needed."""
    try:
        record = _DECODER.decode(data)
        deals = ENCODER.encode(record.deals)
        if not _is_whole(data, deals):
            return None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _decode_tens(data)
    findings = _listed(check_semantics(record, deals))
    return DecodedRecord(_unless_unreadable(record, findings), findings, deals)


def _listed(found: Iterable[Finding]) -> list[Finding]:
    """The findings, up to as many as are listed for one record."""
    remaining = iter(found)
    findings = list(islice(remaining, MAX_ERRORS_LISTED))
    if next(remaining, None) is not None:
        findings.append(make_finding("too-many-errors", limit=f"{MAX_ERRORS_LISTED:,}"))
    return findings


def _unless_unreadable(record: Record, findings: list[Finding]) -> Record | None:
    return None if any(finding.severity == "unreadable" for finding in findings) else record


def _is_whole(data: bytes, deals: bytes) -> bool:
    """Whether every member of the text was decoded: of two with the same name, one is lost silently.

    `deals` are the decoded deals, written again. If they stand in the text letter by letter, nothing is
    lost; otherwise the quotes of both are counted.
    """
    start = data.find(DEALS_MEMBER) + len(DEALS_MEMBER)
    if start >= len(DEALS_MEMBER) and data.startswith(deals, start):
        return _loses_nothing(data[:start] + b"[]" + data[start + len(deals) :])
    members = _TOP_LEVEL_DECODER.decode(data)
    names = 2 * ("deals" in members)
    inside = bytes(members.pop("deals", b"[]"))
    outside = ENCODER.encode(members)
    return (
        _quotes(data) == _quotes(outside) + _quotes(inside) + names
        and _loses_nothing(outside)
        and (_quotes(inside) == _quotes(deals) or _loses_nothing(inside))
    )


def _loses_nothing(text: bytes) -> bool:
    """Whether plain decoding keeps every member: a lost one takes the two quotes of its name with it."""
    return _quotes(text) == _quotes(ENCODER.encode(_ANY_VALUE_DECODER.decode(text)))


def _quotes(text: bytes) -> int:
    """The number of quotes around texts, not those inside."""
    if b"\\" not in text:
        return text.count(b'"')
    # Without the escaped backslashes, every backslash left escapes the character after it.
    text = text.replace(rb"\\", b"")
    return text.count(b'"') - text.count(rb"\"")


def _decode_tens(data: bytes) -> DecodedRecord | None:
    """A record that writes `10S` for `TS`; None if more than that is wrong, or if a text looks the same."""
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


def _decode_notation(data: bytes, first_line: int, *, strict: bool) -> DecodedRecord | None:
    """A record in the notation, which is that of the JSON it stands for; None for any other text."""
    if not is_notation(data):
        return None
    # The notation takes a while to load, and few texts are in it.
    from records.format.notation import NotationError, NotationTooLarge
    from records.format.notation_habits import read_as_typed

    try:
        typed = read_as_typed(decode_utf8(data))
    except Unreadable as error:
        return DecodedRecord(None, [error.finding])
    except NotationTooLarge:
        limit = f"{MAX_RECORD_BYTES:,}"
        return DecodedRecord(None, [make_finding("record-too-large", limit=limit)])
    except NotationError as error:
        from records.format.diagnosis import find_rulebook  # it takes long to load

        if (rulebook := find_rulebook(data)) is not None:
            return DecodedRecord(None, [rulebook])
        return DecodedRecord(None, _listed(_findings_of_mistakes(error, first_line)))
    translated = typed.denoted.json.encode()
    decoded = _decode_fast(translated) or _decode_slowly(translated, strict=strict)
    if decoded.record is not None and typed.denoted.leads:
        decoded = _with_leaders(decoded, decoded.record, typed.denoted)
    read_as = [] if typed.typed is None else list(_findings_of_typing(typed.typed, first_line))
    return DecodedRecord(decoded.record, [*decoded.findings, *read_as], decoded.deals)


def _findings_of_mistakes(error: "NotationError", first_line: int) -> Iterator[Finding]:
    """What keeps a text from being in the notation, by its lines."""
    from records.format.notation import SeveralReadings

    for each in error.told:
        line, column = each.line + first_line - 1, each.column
        if isinstance(each, SeveralReadings):
            yield make_finding(
                "several-readings",
                line=line,
                column=column,
                written=each.written,
                readings=join_words(each.readings, "or"),
                candidates=each.readings,
            )
        else:
            yield make_finding(
                "not-notation", wanted=each.expected, there=each.found, line=line, column=column
            )


def _findings_of_typing(typed: "UnderstoodText", first_line: int) -> Iterator[Finding]:
    """What was understood, the first of each kind."""
    for first, others in typed.first_of_each_kind():
        yield _read_as(first, first_line, f", and {others:,} more like it" if others else "")


def _read_as(one: "Understanding", first_line: int = 1, more: str = "") -> Finding:
    kinds = ("sign", "left_out")
    return make_finding(
        "read-as",
        clause=one.kind if one.kind in kinds else "text" if one.written else "added",
        line=one.line + first_line - 1,
        column=one.column,
        written=one.written,
        read=one.read.replace("\n", " "),
        more=more,
    )


def list_understood(text: str) -> list[str]:
    """All that is understood in a text in the notation, in sentences; none if it is not in the notation, or wrong."""
    from records.format.notation import NotationError, NotationTooLarge
    from records.format.notation_habits import read_as_typed

    if not is_notation(text.encode(errors="replace")):
        return []
    try:
        typed = read_as_typed(text).typed
    except (NotationError, NotationTooLarge):
        return []
    return [_read_as(each).message for each in typed.understood] if typed else []


def _with_leaders(
    decoded: DecodedRecord, record: Record, denoted: "DenotedRecord"
) -> DecodedRecord:
    """The record with the seats of cards led that the text leaves to the rules; a finding for each that they do not tell."""
    from records.format.notation_leads import UnsaidSeats, with_leaders

    unsaid = {
        deal: UnsaidSeats(frozenset(leads), frozenset(denoted.follows[deal]))
        for deal, leads in denoted.leads.items()
    }
    record, unknown = with_leaders(record, unsaid)
    if not unknown:
        return DecodedRecord(record, decoded.findings, ENCODER.encode(record.deals))
    findings = [
        make_finding("unknown-lead", ("deals", lead.deal, "events", lead.event)) for lead in unknown
    ]
    return DecodedRecord(None, [*decoded.findings, *findings])


def _decode_slowly(data: bytes, *, strict: bool) -> DecodedRecord:
    """Every error of a text, and its record where it has one after all."""
    # What reads the types of a record one by one takes long to load, and few commands need it.
    from records.format.diagnosis import diagnose_text

    located = diagnose_text(data, strict=strict)
    findings, record = located.findings, located.record
    if record is None:
        return DecodedRecord(None, findings)
    deals = ENCODER.encode(record.deals)
    more = (
        finding
        for finding in check_semantics(record, deals, located.broken)
        if not _depends_on_broken(finding, located.broken)
    )
    findings = _listed(chain(findings, more))
    return DecodedRecord(_unless_unreadable(record, findings), findings, deals)


def _depends_on_broken(finding: Finding, broken: set[str]) -> bool:
    """Whether a finding concerns a value that could not be read, or a part of one."""
    pointer = finding.at.pointer
    steps = pointer.split("/")
    return any("/".join(steps[:end]) in broken for end in range(1, len(steps) + 1)) or (
        finding.code == "bad-anchor" and any(part.startswith(pointer + "/") for part in broken)
    )
