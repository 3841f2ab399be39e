"""Uploads: bytes into the store, and what became of each record for the page."""

from collections import Counter
from collections.abc import Iterable

from analyzer.ingest.batch import RecordOutcome
from analyzer.ingest.loader import ingest_bytes
from records.validate.finding import Finding
from records.validate.report import Report
from webui.games.cache import GameCache
from webui.pages import ShownFinding, UploadedRecord, UploadVerdicts


def store_upload(shelf: GameCache, files: Iterable[tuple[str, bytes]], most: int) -> UploadVerdicts:
    """Store what can be stored of these files (name, bytes), and show the first `most` records."""
    store = shelf.store
    outcomes = [outcome for name, data in files for outcome in ingest_bytes(store, name, data)]
    return UploadVerdicts(
        records=len(outcomes),
        judged=[_uploaded_record(shelf, outcome) for outcome in outcomes[:most]],
        tally=Counter(outcome.verdict for outcome in outcomes),
    )


def _uploaded_record(shelf: GameCache, outcome: RecordOutcome) -> UploadedRecord:
    report = outcome.report or Report(verdict="unreadable")
    digest = outcome.digest if outcome.state != "rejected" else None
    if digest is None:
        return UploadedRecord(
            outcome, report, None, [ShownFinding.on(finding) for finding in report.findings]
        )
    game = shelf.store.game(digest)
    return UploadedRecord(outcome, report, game, shown_findings(shelf, digest, report.findings))


def shown_findings(
    shelf: GameCache, digest: str, findings: Iterable[Finding]
) -> list[ShownFinding]:
    """What is to be said on a stored game's page, with the way to each step."""
    game = shelf.store.game(digest)
    names = game.names if game else ()
    return [
        ShownFinding.on(finding, names, step=shelf.step_of(digest, finding)) for finding in findings
    ]
