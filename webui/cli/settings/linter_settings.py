"""What `bezique validate` tells and what it leaves out: options, and the settings of a folder."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec

from records.conversion.toml_mistakes import describe_toml_mistake
from records.validate.codes.all_codes import FINDING_CODES
from records.validate.finding import Finding, Severity
from records.validate.report import Report
from webui.cli.refusal import Refusal
from webui.cli.sources import InputRecord

SETTINGS_FILE, PROJECT_FILE = "bezique.toml", "pyproject.toml"
SEVERITIES: tuple[str, ...] = get_args(Severity)


class FolderSettings(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The members of `bezique.toml`, or of `[tool.bezique]` in `pyproject.toml`."""

    select: list[str] = []
    ignore: list[str] = []
    lenient: bool = False


@dataclass(frozen=True, slots=True)
class LinterSettings:
    """Which findings are told: those of `select`, or all if it is empty, but for those of `ignore`."""

    select: frozenset[str] = field(default_factory=frozenset)
    ignore: frozenset[str] = field(default_factory=frozenset)
    lenient: bool = False

    def keeps(self, finding: Finding) -> bool:
        """Whether a finding is told; a record that cannot be read always says why."""
        names = {finding.code, finding.severity}
        if names & self.ignore and finding.severity != "unreadable":
            return False
        return not self.select or bool(names & self.select) or finding.severity == "unreadable"

    def filter_report(self, report: Report) -> Report:
        """The report with the findings that are told; its verdict is that of all."""
        if not (self.select or self.ignore):
            return report
        kept = [finding for finding in report.findings if self.keeps(finding)]
        if len(kept) == len(report.findings):
            return report
        return msgspec.structs.replace(report, findings=kept, groups=[])

    def with_options(
        self, select: Iterable[str], ignore: Iterable[str], *, lenient: bool
    ) -> "LinterSettings":
        """These settings with those of the command line: what it selects counts alone, what it ignores is added."""
        return LinterSettings(
            frozenset(select) or self.select, self.ignore | set(ignore), self.lenient or lenient
        )


class RecordToJudge(NamedTuple):
    """A record, and the settings of its folder."""

    record: InputRecord
    settings: LinterSettings


def read_names(texts: Iterable[str], place: str) -> list[str]:
    """Codes and severities, with commas between them; raises Refusal for what is neither, naming the place."""
    names = [name.strip() for text in texts for name in text.split(",") if name.strip()]
    known = [*SEVERITIES, *FINDING_CODES]
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"Did you mean {near[0]}?" if near else "`bezique findings` lists all."
            raise Refusal(f"{place}: {name!r} is neither a finding code nor a severity. {hint}")
    return names


@lru_cache(maxsize=256)
def folder_settings(folder: Path) -> LinterSettings:
    """The settings of the nearest folder that has some, this one or one above it; raises Refusal if they are wrong."""
    for place in (folder, *folder.parents):
        for name in (SETTINGS_FILE, PROJECT_FILE):
            path = place / name
            members = _members(path)
            if members is not None:
                return _read(path, members)
    return LinterSettings()


def _members(path: Path) -> dict[str, Any] | None:
    """What a file sets, or None if it sets nothing."""
    try:
        members = tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        if path.name == PROJECT_FILE:
            return None  # another program's file may be as it likes
        raise Refusal(f"{path}: {error}.") from error
    if path.name == SETTINGS_FILE:
        return members
    tools = members.get("tool")
    own = tools.get("bezique") if isinstance(tools, dict) else None
    return own if isinstance(own, dict) else None


def _read(path: Path, members: dict[str, Any]) -> LinterSettings:
    try:
        read = msgspec.convert(members, FolderSettings)
    except msgspec.ValidationError as error:
        raise Refusal(f"{path}: {describe_toml_mistake(error)}.") from error
    select, ignore = (read_names(names, str(path)) for names in (read.select, read.ignore))
    return LinterSettings(frozenset(select), frozenset(ignore), read.lenient)
