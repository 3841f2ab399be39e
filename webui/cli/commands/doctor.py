"""`bezique doctor`: check a data folder, and rescue what can be read of a damaged one."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from records.phrases import pluralize
from webui.cli.main import FOLDER_PATH, ProgressBar, data_option

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from analyzer.upkeep.rescue import FolderReport, RescueSummary

EXIT_FINE, EXIT_WRONG, EXIT_LOST = 0, 1, 2
MOST_DIGESTS_NAMED = 5


@click.command()
@click.argument("place", required=False, type=FOLDER_PATH, metavar="[FOLDER]")
@data_option
@click.option(
    "--rescue", "target", type=FOLDER_PATH, metavar="NEW",
    help="Write every record that can be read into the new data folder NEW.",
)  # fmt: skip
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
    help="text for people, or json: one object with everything that was found.",
)  # fmt: skip
@click.pass_context
def doctor(
    ctx: click.Context,
    place: Path | None,
    *,
    folder: Path,
    target: Path | None,
    form: Literal["text", "json"],
) -> None:
    """Check a data folder, and rescue its records.

    Reads every row and every record, computes the digests of the records and all sums of rows again, and
    compares the numbers of rows. Tells how much disk space private and unfinished uploads take. Nothing in
    FOLDER is changed. FOLDER is --data if it is not given; it may be a backup, or a folder of Parquet files.
    Stop the server first.

    With --rescue, every record that can still be read is stored in a new data folder, with the renames of players, and
    everything else is computed from them again. Reviews, the log of imports and the list of unreadable records are not rescued. If
    the list of stored games is itself damaged, games that were deleted may come back: the command says so.

    \b
      bezique doctor
      bezique doctor backups/today
      bezique doctor --data var --rescue rescued

    \b
    Exit status:
      0  nothing is wrong
      1  something is wrong, and every record that was stored is there; with --rescue, all of them are rescued
      2  a record is lost, nobody can tell whether one is, or the folder cannot be read
    """
    from analyzer.upkeep.doctor import check_folder

    folder = _data_folder(place or folder)
    with ProgressBar("checking") as bar:
        report = check_folder(folder, lambda done, total: _show(bar, done, total))
    check_other_files(folder, report)
    summary = None if target is None else _rescue(folder, target)
    if form == "json":
        click.echo(_as_json(folder, report, summary))
    else:
        lines = [*report_lines(report), *room_lines(folder), *rescue_lines(summary, target)]
        click.echo("\n".join(lines))
    lost = not summary.is_complete if summary else report.is_lossy
    ctx.exit(EXIT_LOST if lost else EXIT_WRONG if report.is_wrong else EXIT_FINE)


def _data_folder(folder: Path) -> Path:
    """The folder; raises StoreError if it is a lake."""
    from analyzer.store.store_folders import refuse_lake

    refuse_lake(
        folder,
        "and no data folder: `bezique lake show` tells what it holds, and `bezique lake judge` makes its tables again",
    )
    return folder


def _rescue(folder: Path, target: Path) -> "RescueSummary":
    from analyzer.upkeep.rescue import rescue_records

    with ProgressBar("rescuing") as bar:
        return rescue_records(folder, target, lambda done, total: _show(bar, done, total))


def _as_json(folder: Path, report: "FolderReport", summary: "RescueSummary | None") -> bytes:
    import msgspec

    return msgspec.json.encode({"report": report, "room": upload_rooms(folder), "rescue": summary})


def check_other_files(folder: Path, report: "FolderReport") -> None:
    """Add what is wrong with the files beside the database."""
    from webui.server.data_files import problems_of_files
    from webui.server.imports_queue import UPLOADS_FOLDER, missing_uploads

    for severity, message in problems_of_files(folder):
        report.add(severity, message)
    for name in missing_uploads(folder / UPLOADS_FOLDER):
        report.add("lost", f"The upload {name} was not imported yet, and its file is missing.")


def report_lines(report: "FolderReport") -> list[str]:
    """The lines printed for a report."""
    words = {"note": "note", "wrong": "wrong", "lost": "lost"}
    lines = [f"{words[problem.severity]}: {problem.message}" for problem in report.problems]
    whole = f"{pluralize(report.records, 'record')} read whole, with the right digest"
    verdict = "nothing is wrong" if not report.is_wrong else "see above"
    if report.judged_by:
        lines.append(f"Judged by {report.judged_by}.")
    return [*lines, f"{report.folder}: {whole}; {verdict}."]


@dataclass(frozen=True, slots=True)
class TakenRoom:
    """The number of uploads, and the bytes that they take; what they may take is up to the server's settings."""

    number: int
    size: int


def upload_rooms(folder: Path) -> dict[str, TakenRoom]:
    """The room that uploads take beside the database: those that are not imported, and private ones."""
    from webui.server.imports_queue import UPLOADS_FOLDER, unfinished_uploads
    from webui.server.private_uploads import PrivateUploads

    private = PrivateUploads(folder).room()
    return {
        "waiting": TakenRoom(*unfinished_uploads(folder / UPLOADS_FOLDER)),
        "private": TakenRoom(private.number, private.size),
    }


def room_lines(folder: Path) -> list[str]:
    """The lines printed for uploads beside the database, if there are any."""
    from webui.display.words import size_words

    nouns = {"waiting": "upload not imported", "private": "private upload"}
    plurals = {"waiting": "uploads not imported", "private": "private uploads"}
    return [
        f"{pluralize(room.number, nouns[name], plurals[name])}: {size_words(room.size)}."
        for name, room in upload_rooms(folder).items()
        if room.number
    ]


def rescue_lines(summary: "RescueSummary | None", target: Path | None) -> list[str]:
    """The lines printed for a rescue."""
    if summary is None:
        return []
    lines = [f"{pluralize(summary.rescued, 'game')} rescued into {target}."]
    if summary.unproven:
        lines.append(
            f"{pluralize(summary.unproven, 'of them', 'of them')} could not be compared with the list of stored games: "
            "some may have been deleted before."
        )
    if summary.missing:
        lines.append(
            f"{pluralize(summary.missing, 'more game was', 'more games were')} acknowledged and cannot be found."
        )
    elif not summary.is_complete and not summary.lost:
        lines.append("Too little can be read to tell whether these are all that were stored.")
    if summary.lost:
        named = ", ".join(digest[:12] for digest in summary.lost[:MOST_DIGESTS_NAMED])
        more = len(summary.lost) - MOST_DIGESTS_NAMED
        lines.append(
            f"{pluralize(len(summary.lost), 'game')} lost: {named}{f' and {more:,} more' if more > 0 else ''}."
        )
    return lines


def _show(bar: ProgressBar, done: int, total: int) -> None:
    bar.total = total
    bar.show(done, f"{done:,} of {total:,}")
