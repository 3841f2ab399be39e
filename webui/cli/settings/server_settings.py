"""The settings of `bezique serve`: each is an option, a variable of the environment and a line of a TOML file.

The options of the command are the one table of them: help, variables, the file and `--settings` follow from it.
"""

import tomllib
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from pathlib import Path
from textwrap import wrap
from typing import Any

import click
import msgspec
from click.core import ParameterSource

from webui.cli.refusal import FilePath, Refusal

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
