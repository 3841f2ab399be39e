"""The protocol of live programs: a line is a record's head, a deal, an event or a command, and each gets one answer.

`records/spec/live.md` describes it.
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from records.errors import BeziqueError
from records.events import AnyEvent
from records.format import codec
from records.live_referee import LiveError, LiveReferee, Ruling
from records.record import Record
from records.validate.finding import Finding
from records.validate.report import Report
from records.validator import check_record
from webui.replay.next_events import legal_choices

LONGEST_LINE = 1024 * 1024
"""The most bytes of a line."""


class LiveAnswer(msgspec.Struct, omit_defaults=True):
    """The answer to a line: whether it was `taken`, what was found, or an `error` where the line says nothing that can be.

    `scores` are those of the sides so far, None where the cards leave them open. `seat` acts next, `step` is what is due:
    `play`, `draw`, or `over` once the deal can end. `choices` are the events that the rules allow it, melds first; the
    card of a draw is `??` where it lies face down. At the end of the match there is the `report`, and the digest.
    """

    line: int
    taken: bool
    error: str = ""
    findings: list[Finding] = []
    scores: list[int] | None = None
    seat: int | None = None
    step: str = ""
    choices: list[AnyEvent] = []
    report: Report | None = None
    digest: str = ""


class FollowedGame:
    """One connection: the lines of one game after the other, numbered from 1."""

    def __init__(self, *, keep: bool = False, tells_choices: bool = True) -> None:
        self._keep, self._tells_choices = keep, tells_choices
        self._line = 0
        self._referee: LiveReferee | None = None
        self._open_deal = b""

    def answer(self, line: bytes) -> bytes:
        """The answer to a line, with a line feed at its end; never raises for what the line holds."""
        self._line += 1
        return codec.ENCODER.encode(self._answered(line)) + b"\n"

    def _answered(self, line: bytes) -> LiveAnswer:
        if len(line) > LONGEST_LINE:
            return self._refused(f"A line has at most {LONGEST_LINE:,} bytes.")
        try:
            line.decode()  # texts inside are looked at later
            members = _MEMBERS.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return self._refused("This line is no JSON object.")
        try:
            return self._taken(line, members)
        except BeziqueError as error:
            return self._refused(str(error))

    def _taken(self, line: bytes, members: dict[str, msgspec.Raw]) -> LiveAnswer:
        if "type" in members:
            return self._event(line)
        if "format" in members:
            return self._head(line)
        if "dealer" in members:
            return self._deal(line)
        if "end" in members:
            return self._end(members)
        if "back" in members:
            self._open.take_back(
                _command(members["back"], int, "The number of events to take back")
            )
            return self._state(Ruling(True))
        return self._refused("A line is a record, a deal, an event, or has “end” or “back”.")

    @property
    def _open(self) -> LiveReferee:
        if self._referee is None:
            raise LiveError("The first line is a record with the rules and the players.")
        return self._referee

    def _head(self, line: bytes) -> LiveAnswer:
        decoded = codec.decode(line)
        if decoded.record is None:
            return LiveAnswer(self._line, False, findings=decoded.findings)
        told = check_record(replace(decoded.record, deals=[], notes=None, lines=None, result=None))
        if told.verdict == "unreadable":
            return LiveAnswer(self._line, False, findings=told.findings)
        self._referee = LiveReferee(decoded.record, keep=self._keep)
        return self._state(Ruling(True, tuple(decoded.findings)))

    def _deal(self, line: bytes) -> LiveAnswer:
        referee, number = self._open, len(self._open.record.deals)
        decoded = codec.decode(_head_of(referee.record) + line.strip() + b"]}")
        if decoded.record is None:
            return self._unreadable(decoded.findings, "/deals/0", f"/deals/{number}")
        (deal,) = decoded.record.deals
        if deal.events or deal.claims:
            return self._refused(
                "A deal comes without its events and claims: they follow, a line each."
            )
        ruling = referee.begin(deal)
        self._open_deal = _head_of(referee.record) + codec.ENCODER.encode(deal)[:-1]
        return self._state(ruling)

    def _event(self, line: bytes) -> LiveAnswer:
        referee = self._open
        if referee.table is None:
            raise LiveError("No deal is open: begin one first.")
        decoded = codec.decode(self._open_deal + b',"events":[' + line.strip() + b"]}]}")
        if decoded.record is None:
            number, event = len(referee.record.deals) - 1, referee.table.index + 1
            at = f"/deals/{number}/events/{event}"
            return self._unreadable(decoded.findings, "/deals/0/events/0", at)
        return self._state(referee.take(decoded.record.deals[0].events[0]))

    def _end(self, members: dict[str, msgspec.Raw]) -> LiveAnswer:
        what, referee = _command(members["end"], str, "What ends"), self._open
        if what == "deal":
            return self._end_deal(members.get("claims", _NULL))
        if what != "match":
            return self._refused("What ends is the “deal” or the “match”.")
        result = members.get("result", _NULL)
        decoded = codec.decode(_head_of(referee.record) + b'],"result":' + result + b"}")
        if decoded.record is None:
            return LiveAnswer(self._line, False, findings=decoded.findings)
        report = referee.end_match(decoded.record.result)
        answer = self._state(Ruling(True))
        answer.report, answer.digest = report, codec.digest(referee.record)
        self._referee = None
        return answer

    def _end_deal(self, claims: msgspec.Raw) -> LiveAnswer:
        referee = self._open
        if referee.table is None:
            raise LiveError("No deal is open: begin one first.")
        decoded = codec.decode(self._open_deal + b',"claims":' + claims + b"}]}")
        if decoded.record is None:
            at = f"/deals/{len(referee.record.deals) - 1}"
            return self._unreadable(decoded.findings, "/deals/0", at)
        return self._state(Ruling(True, referee.end_deal(decoded.record.deals[0].claims)))

    def _state(self, ruling: Ruling) -> LiveAnswer:
        referee = self._open
        answer = LiveAnswer(self._line, ruling.taken, findings=list(ruling.findings))
        answer.scores, answer.seat, table = referee.scores, referee.seat, referee.table
        if table is not None:
            answer.step = "over" if referee.is_deal_over else table.step.name.lower()
            if self._tells_choices:
                answer.choices = [*legal_choices(table, is_fresh=referee.is_fresh)]
        return answer

    def _refused(self, error: str) -> LiveAnswer:
        return LiveAnswer(self._line, False, error=error)

    def _unreadable(self, findings: list[Finding], before: str, at: str) -> LiveAnswer:
        """Findings of a line that was read as if it stood alone, at its place in the record."""
        moved = [
            replace(each, at=replace(each.at, pointer=each.at.pointer.replace(before, at, 1)))
            for each in findings
        ]
        return LiveAnswer(self._line, False, findings=moved)


_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_NULL = msgspec.Raw(b"null")


def _head_of(record: Record) -> bytes:
    """The beginning of a record of these players and rules, up to its first deal."""
    bare = codec.ENCODER.encode(
        replace(record, deals=[], notes=None, lines=None, meta=None, ext=None)
    )
    return bare[:-1] + b',"deals":['


def _command(raw: msgspec.Raw, kind: Any, what: str) -> Any:
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise LiveError(f"{what} cannot be read.") from None
