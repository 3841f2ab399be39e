"""Uploads: bytes into the store, and what became of each record for the page."""

from collections import Counter
from collections.abc import Iterable

from analyzer.load import Outcome, ingest_bytes
from analyzer.store import Store
from records.report import Report
from webui.pages import Judged, Remark, Verdicts


def judge(store: Store, files: Iterable[tuple[str, bytes]], most: int) -> Verdicts:
    """Store what can be stored of these files (name, bytes), and show the first `most` records."""
    outcomes = [outcome for name, data in files for outcome in ingest_bytes(store, name, data)]
    return Verdicts(
        records=len(outcomes),
        judged=[_judged(store, outcome) for outcome in outcomes[:most]],
        tally=Counter(outcome.verdict for outcome in outcomes),
    )


def _judged(store: Store, outcome: Outcome) -> Judged:
    game = store.game(outcome.digest) if outcome.digest and outcome.state != "rejected" else None
    report = outcome.report or Report(verdict="unreadable")
    names = game.names if game else ()
    return Judged(outcome, report, game, [Remark.on(finding, names) for finding in report.findings])
