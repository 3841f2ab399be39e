"""The cases of the kit: what is asked of a program, about what, and what it should answer."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import msgspec

from records.errors import BeziqueError
from records.validate.finding import Verdict

# What the answers to the questions of the kit look like; tests hold every case to them, and the schema has them.

FaultPlace = tuple[int | None, int | None]
"""A deal and an event, both counted from 0; null where it is in neither."""


class Judgement(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The answer to `validate`: as much as the `detail` of the handshake says."""

    right: bool | None = None
    verdict: Verdict | None = None
    at: FaultPlace | None = None
    code: str | None = None
    since: FaultPlace | None = None
    open: list[str] = []


class Step(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One event of a replay: the points of each seat after it, and what could be chosen in its place.

    Each of `melds` is flat: the name, the points, and then the cards.
    """

    at: tuple[int, int]
    scores: list[int]
    seat: int | None = None
    plays: list[str] = []
    melds: list[list[str | int]] = []
    dix: list[Literal["exchange", "show"]] = []


class Steps(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The answer to `replay`."""

    steps: list[Step]


class CanonicalText(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The answer to `canonical`."""

    canonical: str
    digest: str


class Settled(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The answer to `settle`."""

    totals: list[int]
    receives: list[int]
    winner: int | None


class Counts(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The answer to `perft`: by the number of choices, from one on."""

    nodes: list[int]
    points: list[list[int]]


class CardValues(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The answer to `ending`."""

    values: dict[str, int]


ANSWER_SHAPES: dict[str, type[msgspec.Struct]] = {
    "validate": Judgement,
    "replay": Steps,
    "canonical": CanonicalText,
    "settle": Settled,
    "perft": Counts,
    "ending": CardValues,
}
"""By what is asked, the shape of the answer."""


KIT_FORMAT: Literal["bezique-kit"] = "bezique-kit"
KIT_VERSION = "1.0"
INDEX_FILE = "index.json"
OTHER_CASES = "format"
"""Where the cases are that are of no sheet."""

KitAsk = Literal["validate", "replay", "canonical", "settle", "perft", "ending"]
"""What a program can be asked: to judge a record, to follow it, to write it canonically, to settle points, to count
the ways to go on, to value the cards of an ending."""
Area = Literal[
    "games", "mutants", "twins", "odd", "partial", "bytes", "canonical", "replay", "settlement", "perft", "endings"
]  # fmt: skip
"""What a case is about; the results are told by area."""
Level = Literal["full", "seat", "public", "plays", "scores"]
Feature = Literal["setup", "labels", "options", "irregular", "lines"]
"""What a record of a case has that not every program reads: it may say so, and is then not asked."""
Confirmed = Literal["referee", "recount", "brute-force", "minimax", "text"]
"""What else came to the expected answer: another program of the tests, or the text of the specification."""


class KitError(BeziqueError):
    """A kit that cannot be read."""


class Case(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One case: `given` is sent to the program as it stands, `expect` is what it should answer.

    `laws` are the laws and rulings that the case is about. A `twin` is the case that differs from this one in one
    place, and of which the verdict is another. `confirmed` says who else came to the answer.
    """

    id: str
    area: Area
    ask: KitAsk
    sheet: str | None = None
    # It is always written: msgspec leaves out the word that is the default, but not one that is only equal to it.
    level: Level = msgspec.field(default_factory=lambda: "full")
    features: list[Feature] = []
    laws: list[str] = []
    about: str
    twin: str | None = None
    confirmed: list[Confirmed] = []
    given: dict[str, Any]
    expect: dict[str, Any]


class KitFile(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A file of cases, one a line: how many there are, and the SHA-256 of its bytes."""

    file: str
    cases: int
    sha256: str


class KitIndex(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The index of a kit: its files, and how many cases each area has."""

    # A default would be left out of the text; what a factory makes is written.
    format: Literal["bezique-kit"] = msgspec.field(default_factory=lambda: KIT_FORMAT)
    version: str = msgspec.field(default_factory=lambda: KIT_VERSION)
    cases: int
    areas: dict[str, int]
    files: list[KitFile]


def kit_folder() -> Path:
    """Where the kit of this copy lies: among the samples, or in the installed package."""
    packaged = Path(str(files("records.conformance"))) / "kit"
    return packaged if packaged.is_dir() else packaged.parents[2] / "samples" / "conformance"


def encode_case(case: Case) -> bytes:
    """A case as a line, without its line break."""
    return msgspec.json.encode(case)


def read_kit(folder: Path) -> list[Case]:
    """Every case of a kit, in the order of its files; raises KitError."""
    try:
        index = msgspec.json.decode((folder / INDEX_FILE).read_bytes(), type=KitIndex)
        return [case for entry in index.files for case in _read_file(folder, entry)]
    except FileNotFoundError as error:
        raise KitError(
            f"There is no kit in {folder}: {Path(str(error.filename)).name} is missing."
        ) from error
    except msgspec.MsgspecError as error:
        raise KitError(f"The kit in {folder} cannot be read: {error}.") from error


def _read_file(folder: Path, entry: KitFile) -> Iterator[Case]:
    data = (folder / entry.file).read_bytes()
    if hashlib.sha256(data).hexdigest() != entry.sha256:
        raise KitError(
            f"The index of the kit names another file than {folder / entry.file}: its digest differs."
        )
    yield from (msgspec.json.decode(line, type=Case) for line in data.splitlines())


def _files_of_older_kit(folder: Path) -> set[str]:
    """The names of the files of cases of the kit that a folder holds, if it holds one; raises KitError."""
    path = folder / INDEX_FILE
    if not path.exists():
        return set()
    try:
        names = {
            entry.file for entry in msgspec.json.decode(path.read_bytes(), type=KitIndex).files
        }
    except msgspec.MsgspecError as error:
        raise KitError(
            f"Choose another folder: {INDEX_FILE} in {folder} is not the index of a kit."
        ) from error
    # An index may come from anywhere: it names files beside it, and none of another folder.
    return {name for name in names if Path(name).name == name}


def file_of(case: Case) -> str:
    """The name of the file that a case belongs to."""
    return f"{case.sheet or OTHER_CASES}.jsonl"


def write_kit(folder: Path, cases: Iterable[Case]) -> KitIndex:
    """Write cases into a folder, a file for every sheet and one for what is of none; files of an older kit go.

    Raises KitError, and changes nothing, if that would take the place of a file that is not of a kit.
    """
    by_file: dict[str, list[Case]] = {}
    for case in cases:
        by_file.setdefault(file_of(case), []).append(case)
    folder.mkdir(parents=True, exist_ok=True)
    older = _files_of_older_kit(folder)
    for name in by_file:
        if name not in older and (folder / name).exists():
            raise KitError(f"Choose another folder: {name} in {folder} is not a file of a kit.")
    for name in older:
        (folder / name).unlink(missing_ok=True)
    entries = []
    for name, some in by_file.items():
        data = b"".join(encode_case(case) + b"\n" for case in some)
        (folder / name).write_bytes(data)
        entries.append(KitFile(file=name, cases=len(some), sha256=hashlib.sha256(data).hexdigest()))
    counts = Counter[str](case.area for some in by_file.values() for case in some)
    index = KitIndex(cases=counts.total(), areas=dict(counts), files=entries)
    text = msgspec.json.format(msgspec.json.encode(index), indent=1)
    (folder / INDEX_FILE).write_bytes(text + b"\n")
    return index
