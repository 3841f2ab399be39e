"""Uploads: bytes into the store, and what became of each record for the page."""

from collections import Counter
from collections.abc import Iterable

from analyzer.ingest.batch import Outcome
from analyzer.ingest.loader import ingest_bytes
from records.validate.finding import Finding
from records.validate.report import Report
from webui.games.cache import Shelf
from webui.pages import Judged, Remark, Verdicts


def judge(shelf: Shelf, files: Iterable[tuple[str, bytes]], most: int) -> Verdicts:
    """Store what can be stored of these files (name, bytes), and show the first `most` records."""
    store = shelf.store
    outcomes = [outcome for name, data in files for outcome in ingest_bytes(store, name, data)]
    return Verdicts(
        records=len(outcomes),
        judged=[_judged(shelf, outcome) for outcome in outcomes[:most]],
        tally=Counter(outcome.verdict for outcome in outcomes),
    )


def _judged(shelf: Shelf, outcome: Outcome) -> Judged:
    report = outcome.report or Report(verdict="unreadable")
    digest = outcome.digest if outcome.state != "rejected" else None
    if digest is None:
        return Judged(outcome, report, None, [Remark.on(finding) for finding in report.findings])
    game = shelf.store.game(digest)
    return Judged(outcome, report, game, remarks(shelf, digest, report.findings))


def remarks(shelf: Shelf, digest: str, findings: Iterable[Finding]) -> list[Remark]:
    """What is to be said on a stored game's page, with the way to each step."""
    game = shelf.store.game(digest)
    names = game.names if game else ()
    return [Remark.on(finding, names, step=shelf.step_of(digest, finding)) for finding in findings]
