"""`bezique --server ADDRESS ingest`: files are sent as they are, and stored there."""

import time
from io import SEEK_END
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile, gettempdir
from typing import BinaryIO

import msgspec

from analyzer.durable_files import errors_about
from analyzer.ingest.loader import IngestCounts
from webui.cli.progress_bar import ProgressBar
from webui.cli.refusal import Refusal
from webui.cli.remote.site_client import SiteClient, requested_site
from webui.cli.sources import CommandInput
from webui.interface.calls.uploads import ImportAnswer, ImportState, UploadAnswer

SECONDS_BETWEEN_LOOKS = 0.5


def send_files(sources: list[CommandInput]) -> IngestCounts:
    """Store the records of these files at the chosen site; returns what became of them. Raises Refusal."""
    site, counts = requested_site(), IngestCounts()
    with ProgressBar("sending", total=len(sources)) as bar:
        for number, source in enumerate(sources):
            bar.show(number, source.name)
            with source.opened() as stream:
                if source.size is None:
                    with TemporaryFile() as whole:
                        with errors_about(Path(gettempdir())):
                            copyfileobj(stream, whole)
                        _send(site, whole, counts, bar)
                else:
                    _send(site, stream, counts, bar)
    return counts


def _send(site: SiteClient, stream: BinaryIO, counts: IngestCounts, bar: ProgressBar) -> None:
    size = stream.seek(0, SEEK_END)
    if not size:
        return
    with site.open("POST", "games", body=stream, size=size) as answer:
        data, in_background = answer.read(), answer.status == 202
    if in_background:
        _wait(site, msgspec.json.decode(data, type=ImportAnswer).upload, counts, bar)
        return
    for record in msgspec.json.decode(data, type=UploadAnswer).records:
        counts.records += 1
        counts.states[record.state] += 1
        counts.deals += record.deals
        counts.findings += record.findings


def _wait(site: SiteClient, upload: str, counts: IngestCounts, bar: ProgressBar) -> None:
    """Wait for an import in the background, and count what it stored."""
    while True:
        job = msgspec.convert(site.get("imports", upload), ImportState)
        if job.state not in ("waiting", "running"):
            break
        bar.show(round(100 * job.share), f"{job.share:.0%} of a file is stored")
        time.sleep(SECONDS_BETWEEN_LOOKS)
    counts.records += job.counts.records
    for state in ("stored", "known", "rejected"):
        counts.states[state] += getattr(job.counts, state)
    counts.deals += job.counts.deals
    counts.findings += job.counts.findings
    if job.state != "done":
        raise Refusal(f"The import at {site.address}/imports/{upload} is {job.state}.")
