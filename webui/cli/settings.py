"""The settings of `bezique serve` and of `bezique validate`: options, variables of the environment, lines of TOML."""

import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple, get_args

import click
import msgspec
from click.core import ParameterSource

from records.format.toml_mistakes import describe_toml_mistake
from records.validate.codes import FINDING_CODES
from records.validate.finding import Finding, Severity
from records.validate.report import Report
from webui.cli.main import FilePath, Refusal
from webui.cli.sources import InputRecord

# The settings of `bezique validate`: what it tells and what it leaves out, by options and by the settings of a folder.

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
        # A table's rulebook may well have that name; it sets nothing.
        return None if "base" in members or "rules" in members else members
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


# The settings of `bezique serve`: each is an option, a variable of the environment and a line of a TOML file.
#
# The options of the command are the one table of them: help, variables, the file and `--settings` follow from it.

VARIABLE_PREFIX = "BEZIQUE_"
COMMENT_WIDTH = 100
SOURCES = {
    ParameterSource.COMMANDLINE: "from the command line",
    ParameterSource.ENVIRONMENT: "from the environment",
    ParameterSource.DEFAULT_MAP: "from the settings file",
}
"""Where a setting that is not the default comes from."""
LISTING_HEAD = """\
# The settings of `bezique serve`, as they are now. Save this as a file and name it with --config,
# or with BEZIQUE_CONFIG. An option wins over the environment, and the environment over the file.
"""


class Setting(click.Option):
    """An option that the environment and a settings file can give, too."""

    def __init__(self, declarations: list[str], **more: Any) -> None:
        super().__init__(declarations, **more)
        if self.envvar is None:
            self.envvar = VARIABLE_PREFIX + self.key.upper().replace("-", "_")

    @property
    def key(self) -> str:
        """Its name in a settings file: that of the option."""
        return self.opts[0].removeprefix("--")


def settings_of(command: click.Command) -> list[Setting]:
    """The settings of a command, in the order of its help."""
    return [each for each in command.params if isinstance(each, Setting)]


def setting(*declarations: str, **more: Any) -> Callable[[Any], Any]:
    """Add a setting to a command."""
    return click.option(*declarations, cls=Setting, **more)


def config_option(command: Any) -> Any:
    """Add `--config`, the settings file of a command."""
    option = click.option(
        "--config", type=FilePath(exists=True, dir_okay=False, path_type=Path), metavar="FILE", is_eager=True,
        expose_value=False, callback=_read_config, envvar=f"{VARIABLE_PREFIX}CONFIG",
        help="A TOML file with settings; `--settings` prints one.",
    )  # fmt: skip
    return option(command)


def _read_config(context: click.Context, option: click.Parameter, path: Path | None) -> None:
    """Let the lines of a settings file stand for options that are not given."""
    if path is not None:
        given = _read_toml(path)
        known = {each.key: each for each in settings_of(context.command)}
        context.default_map = dict(
            _checked(context, path, known, key, value) for key, value in given.items()
        )


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refusal(f"{path}: {error}.") from error


def _checked(
    context: click.Context, path: Path, known: dict[str, Setting], key: str, value: object
) -> tuple[str, object]:
    """The parameter that a line of a file sets, and to what; raises Refusal."""
    if key not in known:
        near = get_close_matches(key, known, n=1)
        hint = f"Did you mean {near[0]}?" if near else "`bezique serve --settings` lists all."
        raise Refusal(f"{path}: there is no setting {key!r}. {hint}")
    option = known[key]
    if option.multiple and not isinstance(value, list):
        value = [value]
    wanted = "true or false" if option.is_flag else "a list of texts" if option.multiple else ""
    if (
        isinstance(value, bool) is not option.is_flag
        or isinstance(value, list) is not option.multiple
    ):
        raise Refusal(f"{path}: {key} is {wanted or 'one text or number'}.")
    try:
        option.type_cast_value(context, value)
    except click.BadParameter as error:
        raise Refusal(f"{path}: {key}: {error.message}") from error
    assert option.name is not None
    return option.name, value


def settings_listing(context: click.Context) -> Iterator[str]:
    """The settings of a command as a TOML file: every one with its meaning, its names and its value."""
    yield from LISTING_HEAD.splitlines()
    for each in settings_of(context.command):
        assert each.name is not None
        value, source = context.params[each.name], context.get_parameter_source(each.name)
        origin = f", {SOURCES[source]}" if source in SOURCES else ""
        yield ""
        yield from (f"# {line}" for line in wrap(each.help or "", COMMENT_WIDTH - 2))
        yield f"# {each.opts[0]}, {each.envvar}{origin}"
        yield f"# {each.key} = " if value is None else f"{each.key} = {_toml(value)}"


def _toml(value: object) -> str:
    """A value as TOML writes it: JSON's texts, numbers and lists are its own."""
    plain = str(value) if isinstance(value, Path) else value
    return msgspec.json.encode(plain).decode()
