"""Our own answers to what the kit asks: they are what the cases expect, and tests confirm them by other programs."""

import base64
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from records import codec
from records.cards import sorted_faces
from records.conformance.perft import Perft
from records.engine.choices import legal_choices
from records.engine.table import Table, TableStep
from records.errors import BeziqueError
from records.record import Record, Rules
from records.replay import replay
from records.rules.registry import resolve_rules
from records.rules.settlement import settle_deal
from records.rules.vocabulary import OneDeal
from records.validate.report import Report
from records.validate.verdict import WRONG_VERDICTS
from records.validator import check

KitAnswer = dict[str, Any]
Answerer = Callable[[Mapping[str, Any]], KitAnswer]

FAULTS = ("unreadable", "illegal", "mismatch")
"""Severities of findings that make a record wrong."""


class UnansweredError(BeziqueError):
    """Something was asked that makes no sense, such as the settlement of a game that is not settled."""


def validate_given(given: Mapping[str, Any]) -> KitAnswer:
    """The verdict on a record, the first of its faults, and which numbers are open.

    `at` is the place of that fault, deal and event counted from 0; the event is null for a fault of the deal itself,
    and both are for one of the match. `since` is the earliest event from which the fault follows, if it is another.
    """
    return describe_report(check(given_bytes(given)))


def describe_report(report: Report) -> KitAnswer:
    """What the kit compares of a report."""
    answer: KitAnswer = {"right": report.verdict not in WRONG_VERDICTS, "verdict": report.verdict}
    fault = next((finding for finding in report.findings if finding.severity in FAULTS), None)
    if fault is not None:
        answer |= {"code": fault.code, "at": [fault.at.deal, fault.at.event]}
        if fault.since is not None:
            answer["since"] = list(fault.since)
    is_open = [claim.pointer for claim in report.reconciliation if claim.status == "open"]
    if is_open:
        answer["open"] = sorted(set(is_open))
    return answer


def given_bytes(given: Mapping[str, Any]) -> bytes:
    """The text of a record as it is given: a JSON object, or bytes in base64 that may be anything."""
    if "base64" in given:
        return base64.b64decode(given["base64"])
    return msgspec.json.encode(given["record"])


def replay_given(given: Mapping[str, Any]) -> KitAnswer:
    """What every deal of a legal record comes to, event by event, and what could be chosen before each of them."""
    record = _decoded(given)
    steps: list[KitAnswer] = []
    before: KitAnswer = {}
    for frame in replay(record):
        if frame.event is not None:
            steps.append(
                {"at": [frame.deal, frame.index], "scores": list(frame.table.points), **before}
            )
        before = _choices(frame.table)
    return {"steps": steps}


def _choices(table: Table) -> KitAnswer:
    """What may be done at a table; cards and melds by their faces, in an order of their own."""
    if table.step is TableStep.OVER and not table.rules.melds_captured:
        return {}
    found = legal_choices(table)
    melds = sorted({(meld.name, meld.points, *sorted_faces(meld.cards)) for meld in found.melds})
    answer: KitAnswer = {}
    if found.plays:
        answer |= {"seat": table.seat, "plays": sorted({card[:2] for card in found.plays})}
    if melds:
        answer["melds"] = [list(meld) for meld in melds]
    if found.dix:
        answer["dix"] = sorted(found.dix)
    return answer


def canonical_given(given: Mapping[str, Any]) -> KitAnswer:
    """The canonical text of a record, and its digest."""
    decoded = codec.decode(given_bytes(given))
    if decoded.record is None:
        raise UnansweredError("This text is no record.")
    return {"canonical": codec.encode(decoded.record).decode(), "digest": decoded.digest()}


def settle_given(given: Mapping[str, Any]) -> KitAnswer:
    """What a deal of these points and points of brisques comes to, where one deal is the match."""
    sheet = resolve_rules(Rules(id=given["sheet"], options=given.get("options", {}))).sheet
    if not isinstance(sheet.game, OneDeal):
        raise UnansweredError(f"{sheet.name} has no settlement.")
    settled = settle_deal(sheet.game, list(given["points"]), list(given["brisques"]))
    return {"totals": settled.totals, "receives": settled.receives, "winner": settled.winner}


def perft_given(given: Mapping[str, Any]) -> KitAnswer:
    """How many ways to go on there are, and the sums of the points at their ends."""
    counts = Perft(_decoded(given)).count(given["depth"])
    return {"nodes": counts.nodes, "points": counts.points}


OWN_ANSWERS: dict[str, Answerer] = {
    "validate": validate_given,
    "replay": replay_given,
    "canonical": canonical_given,
    "settle": settle_given,
    "perft": perft_given,
}
"""What this package answers by itself; who can value endings adds that."""


def _decoded(given: Mapping[str, Any]) -> Record:
    decoded = codec.decode(given_bytes(given))
    if decoded.record is None:
        raise UnansweredError("This text is no record.")
    return decoded.record
