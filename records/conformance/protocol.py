"""The protocol between the kit and a program: JSON lines with a `seq`, first of all a handshake."""

from typing import Any, Literal, get_args

import msgspec

from records.conformance.cases import Case, Feature, KitAsk, Level
from records.validate.verdict import WRONG_VERDICTS, Verdict

PROTOCOL_VERSION = "1.0"

Detail = Literal["right", "verdict", "place", "code"]
"""How much of a judgement a program tells: right or wrong, the verdict, the place of the first fault, its code."""

COMPARED_BY_DETAIL: dict[Detail, tuple[str, ...]] = {
    "right": ("right",),
    "verdict": ("right", "verdict"),
    "place": ("right", "verdict", "at"),
    "code": ("right", "verdict", "at", "code", "since", "open"),
}
"""The members of an expected judgement that are compared."""


VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


class Hello(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a program can do: the answer to the request `hello`. What it does not name is not asked."""

    seq: int
    protocol: str
    program: str
    version: str | None = None
    asks: list[KitAsk]
    sheets: list[str]
    levels: list[Level]
    features: list[Feature] = []
    detail: Detail = "verdict"

    def can(self, case: Case) -> bool:
        """Whether a case is one for this program."""
        return (
            case.ask in self.asks
            and (case.sheet is None or case.sheet in self.sheets)
            and case.level in self.levels
            and set(case.features) <= set(self.features)
        )


class Request(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A line to the program: `given` is that of the case."""

    seq: int
    ask: str
    case: str | None = None
    given: dict[str, Any] | None = None


def hello_request() -> bytes:
    """The first line to a program."""
    return msgspec.json.encode(Request(seq=0, ask="hello")) + b"\n"


def request_line(seq: int, case: Case) -> bytes:
    """The line that asks a case."""
    return (
        msgspec.json.encode(Request(seq=seq, ask=case.ask, case=case.id, given=case.given)) + b"\n"
    )


def expected_of(case: Case, detail: Detail) -> dict[str, Any]:
    """What an answer is compared with: of a judgement as much as the program tells."""
    if case.ask != "validate":
        return case.expect
    return {name: case.expect[name] for name in COMPARED_BY_DETAIL[detail] if name in case.expect}


def is_as_expected(answer: dict[str, Any], case: Case, detail: Detail) -> bool:
    """Whether an answer agrees with what is expected; members that nobody asked for are not compared.

    Where a program gives a verdict alone, whether the record is right follows from it.
    """
    expected = expected_of(case, detail)
    verdict = answer.get("verdict")
    if case.ask == "validate" and verdict in VERDICTS:
        answer = {"right": verdict not in WRONG_VERDICTS, **answer}
    return all(answer.get(name) == value for name, value in expected.items())
