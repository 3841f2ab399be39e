"""The command `bezique`: its options, the data folder, completion, progress, and refusals in a sentence."""

import errno
import io
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from importlib.machinery import ExtensionFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO, TypeVar

import click
from click.exceptions import Exit

from records.errors import BeziqueError, RulesError
from records.phrases import address_refusal, format_duration, is_address, sanitize_lines, sentence
from webui import DATA_FOLDER_VARIABLE, DEFAULT_DATA_FOLDER

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from analyzer.store.store import Store
    from webui.server.local_server import LocalServer


# What a shell offers when the tab key is pressed: rulebooks, codes, questions, measures and dimensions.
#
# Each list is loaded only then.


def completion(
    list_words: "Callable[[], Iterable[tuple[str, str]]]",
) -> "Callable[[click.Context, click.Parameter, str], list[CompletionItem]]":
    """Offers the words that begin like what is typed, each with what it means."""

    def complete(
        ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        return _matching(list_words(), incomplete)

    return complete


@completion
def complete_sheets() -> Iterable[tuple[str, str]]:
    """The rulebooks, each with its name."""
    from records.rules.registry import ALL_SHEETS

    return [(sheet.id, sheet.name) for sheet in ALL_SHEETS]


@completion
def complete_questions() -> Iterable[tuple[str, str]]:
    """The questions and the measures."""
    from analyzer.statistics.catalogue import metrics
    from analyzer.statistics.questions import questions

    pairs = [(question.name, question.answers) for question in questions()]
    return pairs + [(name, metric.asks) for name, metric in metrics().items()]


@completion
def complete_dimensions() -> Iterable[tuple[str, str]]:
    """The dimensions that a measure can be split by."""
    from analyzer.statistics.catalogue import dimensions

    return [(name, each.title) for name, each in dimensions().items()]


def complete_codes(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> "list[CompletionItem]":
    """The codes of findings, and the severities where an option takes both; after a comma, the next one."""
    from records.validate.codes import FINDING_CODES
    from webui.display.verdict_words import SEVERITY_WORDS

    words = {code.code: code.title for code in FINDING_CODES.values()}
    if param.name in ("select", "ignore"):
        words = {**SEVERITY_WORDS, **words}
    before, comma, last = incomplete.rpartition(",")
    return _matching(
        ((before + comma + word, title) for word, title in words.items()), before + comma + last
    )


def _matching(pairs: Iterable[tuple[str, str]], incomplete: str) -> "list[CompletionItem]":
    from click.shell_completion import CompletionItem

    return [
        CompletionItem(word, help=help_text)
        for word, help_text in pairs
        if word.startswith(incomplete)
    ]


# The progress of a long task: one line on standard error, if that is a terminal.

SECONDS_BEFORE_SHOWN = 1.0
"""Tasks that take less time show no bar."""
SECONDS_BETWEEN_UPDATES = 0.1
BAR_WIDTH = 28
ERASE_LINE = "\r\033[K"


class ProgressBar:
    """A progress bar; `total` is in any unit, or None if it is unknown.

    It is drawn on terminals only, once the task has taken `SECONDS_BEFORE_SHOWN`.
    """

    def __init__(self, title: str, total: int | None = None) -> None:
        self.title = title
        self.total = total
        self.watched = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self.start = time.monotonic()
        self.next = self.start + SECONDS_BEFORE_SHOWN
        self.drawn = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.clear()

    def show(self, done: int, count: str = "") -> None:
        """Draw the progress, at most every `SECONDS_BETWEEN_UPDATES`; `count` says it in words."""
        if self.watched and (now := time.monotonic()) >= self.next:
            self.next = now + SECONDS_BETWEEN_UPDATES
            self.drawn = True
            click.echo(ERASE_LINE + self.line(done, count, now - self.start), err=True, nl=False)

    def clear(self) -> None:
        """Erase the bar, so that other lines can be printed."""
        if self.drawn:
            click.echo(ERASE_LINE, err=True, nl=False)
            self.drawn = False

    def line(self, done: int, count: str, seconds: float) -> str:
        """The bar as text, this many seconds after the start."""
        if not self.total:
            return f"{self.title}  {count}  {format_duration(seconds)}"
        share = min(done / self.total, 1.0)
        full = round(share * BAR_WIDTH)
        left = f"  {format_duration(seconds / share - seconds)} left" if share > 0 else ""
        return f"{self.title}  [{'#' * full}{'.' * (BAR_WIDTH - full)}] {share:4.0%}  {count}{left}"


# Refusals: a sentence that says why a command cannot run, with exit status 2.


class Refusal(click.ClickException):
    """A command cannot run: a missing file, a locked database, a port in use, options that contradict each other."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(sanitize_lines(message))


def error_sentence(error: Exception) -> str:
    """An error as a sentence. No error of the project begins with a name, which keeps the letters that it has."""
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}."
    return sentence(str(error))


class PlainText(click.types.StringParamType):
    """A text of a command line that is no name of a file: the database and other programs take UTF-8 alone."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text; a usage error if the terminal sent bytes that are no UTF-8, which Python keeps as surrogates."""
        text = str(super().convert(value, param, ctx))
        try:
            text.encode()
        except UnicodeEncodeError:
            self.fail(f"{text!r} is not valid UTF-8.", param, ctx)
        return text


PLAIN_TEXT = PlainText()


class FilePath(click.Path):
    """The name of a file or folder; an empty one would be taken for the folder that the user is in.

    An address such as `s3://bucket/games` would become a folder called `s3:`.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name; a usage error if it is empty, as that of a variable that was never set, or an address."""
        if not os.fspath(value):
            self.fail("A name is empty; . stands for this folder.", param, ctx)
        if is_address(value) and not os.path.lexists(value):
            from analyzer.store.lake_place import without_secret

            self.fail(address_refusal(without_secret(os.fspath(value))), param, ctx)
        return super().convert(value, param, ctx)


FOLDER_PATH = FilePath(file_okay=False, path_type=Path)


class DataPath(FilePath):
    """The name of a data folder, or the address of a lake, for which a folder of this machine stands."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The folder; a usage error if it is empty, or an address that nothing here reaches."""
        if not is_address(value):
            return super().convert(value, param, ctx)
        from analyzer.store.lake_place import folder_for
        from records.errors import StoreError

        try:
            return folder_for(value)
        except StoreError as error:
            self.fail(f"{error}.", param, ctx)


DATA_PATH = DataPath(file_okay=False, path_type=Path)


class SiteFolder(FilePath):
    """The name of a data folder into which something of a site is written; no address has room for that."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The folder; a usage error if it is empty, or an address."""
        if is_address(value):
            self.fail(
                "What a site keeps for itself, such as passwords, lies in a folder of this machine. For a site that shows "
                'a lake, name a folder with the file bezique-lake.json, in which {"address": "s3://..."} says where it is.',
                param, ctx,
            )  # fmt: skip
        return super().convert(value, param, ctx)


SITE_FOLDER = SiteFolder(file_okay=False, path_type=Path)


class WholeNumber(click.IntRange):
    """A whole number from a least one on, of which a person who missed it is told in words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; fails for anything else."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            shown = value if str(value).lstrip("-").isdigit() else repr(value)
            most = "on" if self.max is None else f"to {self.max}"
            self.fail(f"{shown} is not a whole number from {self.min} {most}.", param, ctx)


FROM_ONE, FROM_ZERO = WholeNumber(min=1), WholeNumber(min=0)


def demand_plain_text(command: click.Command) -> None:
    """Let a command and all below it refuse texts that are no UTF-8; names of files may be any bytes."""
    for param in command.params:
        if param.type is click.STRING:
            param.type = PLAIN_TEXT
    if isinstance(command, click.Group):
        for below in command.commands.values():
            demand_plain_text(below)


# The command line: `bezique`. Each command is a module of `webui.cli.commands`, imported when it is used.

SHORT_HELPS = {
    "validate": "Check records against the rules.",
    "follow": "Judge a game while a program plays it.",
    "show": "Replay a game in the terminal.",
    "picture": "Draw a game as a picture.",
    "review": "Review games: mistakes, turning points, missed chances, luck and skill.",
    "annotate": "Review games, with the options and the JSON of earlier versions: use `bezique review`.",
    "identify": "Find the rules that fit a game.",
    "redact": "Write what one player could know of a game.",
    "convert": "Write records in the notation that people read and type, or back as JSON.",
    "rules": "List the rulebooks, explain one in English, compare several, or check one's own.",
    "findings": "List all finding codes, or explain one.",
    "play": "Let programs play complete games.",
    "ingest": "Store games in the database.",
    "lake": "Keep games in an object store, for many to write and read.",
    "export": "Write stored records to files, as they were uploaded.",
    "delete": "Move stored games to the trash, or delete them for good.",
    "trash": "List deleted games, bring them back, and delete them for good.",
    "backup": "Copy the database to FOLDER.",
    "doctor": "Check a data folder, and rescue its records.",
    "upgrade": "Bring a database to this version of the program.",
    "correct": "Correct what a stored record tells of its occasion.",
    "rename": "Give a player of the stored games another name.",
    "stats": "Answer questions about the stored games.",
    "standings": "Show who stands where.",
    "evening": "Show the evenings of a club, their rounds and their standings.",
    "ratings": "Show the ratings of the players.",
    "conform": "Test a program that reads or checks records against the conformance kit.",
    "demo": "Fill a data folder with example games.",
    "serve": "Show the games in a browser.",
    "admin": "Set the admin's password, and manage tokens for programs.",
}
"""The commands in the order of `bezique --help`, each with the first sentence of its own help.

They stand here again so that no command is imported to tell what there is; a test compares them.
"""
COMMANDS_OF_SERVERS = ("validate", "ingest", "stats", "export")
"""The commands that can ask a site."""
COMMAND_NAMES = tuple(SHORT_HELPS)
NO_MORE_OUTPUT = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF})
"""Errors of a standard output that is full or closed: those of `analyzer.store.durable_files`, which loads too much for the
help, and one more; a test compares them.
"""
OUTPUT_IN_WORDS = "Standard output"
WAYS_TO_HOLD = {"stdin": os.O_WRONLY, "stdout": os.O_RDONLY, "stderr": os.O_WRONLY}
"""How the null device stands for a closed stream: nothing can be read from it or printed to it, and errors are lost."""
EXIT_INTERRUPTED = 130
EXIT_UNHEARD = 141
"""As a shell reports a program that Ctrl-C stopped, and one whose reader went away."""


class CommandGroup(click.Group):
    """Imports a command only when it is used, and reports an error as one sentence."""

    def main(self, *args: Any, **options: Any) -> Any:
        """Run the command line; what cannot be printed before a command runs is one sentence, too."""
        _hold_closed_streams()
        try:
            return super().main(*args, **options)
        except OSError as error:
            try:
                Refusal(error_sentence(_about_output(error))).show()
            except OSError:  # the errors themselves have no room
                _stop_printing(sys.stderr)
            sys.exit(Refusal.exit_code)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, those for single records first."""
        return list(COMMAND_NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, or None."""
        if cmd_name not in COMMAND_NAMES:
            return None
        command = getattr(import_module(f"webui.cli.commands.{cmd_name}"), cmd_name)
        if not isinstance(command, click.Command):
            return None
        demand_plain_text(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(SHORT_HELPS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command and the remaining arguments; suggests a name for a misspelt command.

        Refuses a server for a command that asks none.
        """
        if args and args[0] not in COMMAND_NAMES and not args[0].startswith("-"):
            near = get_close_matches(args[0], COMMAND_NAMES, n=1)
            hint = (
                f"Did you mean {near[0]}?"
                if near
                else f"The commands are {', '.join(COMMAND_NAMES)}."
            )
            ctx.fail(f"There is no command {args[0]!r}. {hint}")
        if ctx.params.get("server") and args[0] not in COMMANDS_OF_SERVERS:
            ctx.fail(f"--server is for {', '.join(COMMANDS_OF_SERVERS)}, not for {args[0]}.")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a refusal or a file error becomes one sentence and exit status 2.

        Ctrl-C is told in a word, and nothing is told where nobody reads what is printed.
        """
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except BrokenPipeError:
            _stop_printing(sys.stdout)
            raise Exit(EXIT_UNHEARD) from None
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            raise Exit(EXIT_INTERRUPTED) from None
        except OSError as error:
            raise Refusal(error_sentence(_about_output(error))) from error
        except BeziqueError as error:
            words = _advice_about_server(error) or self._advice_about_rulebook(ctx, error)
            raise Refusal(words or error_sentence(error)) from error

    def _advice_about_rulebook(self, ctx: click.Context, error: Exception) -> str:
        """What to name where there is no such rulebook; empty for any other trouble, or if the error says so itself."""
        if not isinstance(error, RulesError) or error.code != "unknown-sheet" or not error.pointer:
            return ""
        from webui.cli.own_sheets import unknown_rulebook_words

        command = self.get_command(ctx, ctx.invoked_subcommand or "")
        options = [option for each in command.params for option in each.opts] if command else []
        return unknown_rulebook_words(error, takes_option="--rules" in options)


def _advice_about_server(error: Exception) -> str:
    """What to do where a server has the database open that a command needs; empty for any other trouble."""
    path = getattr(error, "used_database", None)
    if path is None:
        return ""
    from records.phrases import join_words
    from webui.server.local_server import find_server

    server = find_server(path.parent)
    if server is None:
        return ""
    return (
        f"{path} is in use by the server at {server.address}, and only one process can use it at a time. Ask the "
        f"server: `bezique --server {server.address}` with {join_words(COMMANDS_OF_SERVERS, 'or')}, or its pages. "
        "`bezique backup` works as it is; for all else, stop the server first."
    )


def _hold_closed_streams() -> None:
    """Let the null device stand for standard streams that are closed.

    Without it, the next file to be opened, perhaps a database, would become the stream: what libraries print would end
    up in it.
    """
    for name, way in WAYS_TO_HOLD.items():
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, way)  # the lowest that is free: that of the stream
            os.set_inheritable(handle, True)
            setattr(sys, name, os.fdopen(handle, "r" if name == "stdin" else "w"))


def _about_output(error: OSError) -> OSError:
    """The error, which names standard output if that takes no more; then nothing more is printed there.

    All others that write say which file it was.
    """
    if error.filename is None and error.errno in NO_MORE_OUTPUT:
        error.filename = OUTPUT_IN_WORDS
    if error.filename == OUTPUT_IN_WORDS:
        _stop_printing(sys.stdout)
    return error


def _stop_printing(stream: TextIO) -> None:
    """Let what is still in the buffer go nowhere: Python would complain of it at its end."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):  # a test reads it instead of a pipe
        return


def _code_form() -> str:
    """How the modules run that can be compiled; they are all compiled, or none of them."""
    found = find_spec("records.validator")
    is_compiled = found is not None and isinstance(found.loader, ExtensionFileLoader)
    return "compiled" if is_compiled else "pure Python"


@click.command(
    cls=CommandGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--server", metavar="ADDRESS", type=PLAIN_TEXT,
    help="Let a site do it, such as https://club.example.org, in place of a data folder: validate, ingest, stats and "
    "export. BEZIQUE_TOKEN is the token.",
)  # fmt: skip
@click.version_option(package_name="bezique", message=f"bezique %(version)s, {_code_form()}")
@click.pass_context
def main(ctx: click.Context, server: str | None) -> None:
    """Validate, replay, analyse and collect game records of the Bezique family.

    A record is one match, as JSON or in the notation that people type. A file holds one record (.json), one
    record per line (.jsonl) or records in the notation (.bezique), plain, compressed (.gz, .zst, .bz2, .xz) or in
    an archive (.zip, .tar).

    \b
      bezique validate games.jsonl       check every rule and every score
      bezique show game.json             replay a game, event by event
      bezique review game.json           find mistakes and missed chances
      bezique play --rules zique         let simple players play a game
      bezique demo && bezique serve      create example games and open them in a browser
      bezique --server http://127.0.0.1:8000 stats    ask a server that runs

    `bezique COMMAND --help` explains a command, with examples.
    """
    if os.environ.get("NO_COLOR"):
        ctx.color = False
    elif os.environ.get("FORCE_COLOR"):
        ctx.color = True
    elif os.environ.get("TERM") == "dumb":
        ctx.color = False
    _survive_narrow_encodings()


def _survive_narrow_encodings() -> None:
    """Print `?` for a suit sign that the terminal cannot show, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            reconfigure: Callable[..., None] = stream.reconfigure
            reconfigure(errors="replace")


if __name__ == "__main__":
    main()


# The option `--data`, and the store behind it.

Command = TypeVar("Command", bound=Callable[..., Any])
Work = TypeVar("Work")


def data_option(command: Command) -> Command:
    """Add `--data` to a command, which receives it as `folder`."""
    return _folder_option(
        DATA_PATH, "The data folder, with the database; or Parquet files or a lake, read-only."
    )(command)


def site_option(command: Command) -> Command:
    """Add `--data` to a command that writes something of a site into the `folder`, beside its games."""
    return _folder_option(SITE_FOLDER, "The data folder of the site.")(command)


def _folder_option(kind: FilePath, words: str) -> Callable[[Command], Command]:
    return click.option(
        "--data", "folder", type=kind, default=DEFAULT_DATA_FOLDER,
        envvar=DATA_FOLDER_VARIABLE, show_default=True, show_envvar=True, metavar="FOLDER", help=words,
    )  # fmt: skip


def open_filled(folder: Path) -> "Store":
    """The store of a folder; refuses a folder without games."""
    from analyzer.store.store_folders import open_store

    require_games(folder)
    return open_store(folder)


@contextmanager
def here_or_at_server(
    folder: Path,
    do: "Callable[[Store], Work]",
    ask: "Callable[[LocalServer], Work]",
    *refused: type[Exception],
    makes: bool = False,
) -> "Iterator[Work]":
    """What a command can do in a folder, by this process or by the server that uses it; what is `refused` is said as it is.

    Refuses a folder without games, unless the command `makes` one.
    """
    from analyzer.store.instance import StoreInUse
    from analyzer.store.store import StoreReadOnly
    from analyzer.store.store_folders import open_store, refuse_lake
    from webui.server.local_server import ServerRefused, find_server

    refusals: tuple[type[Exception], ...] = (*refused, ServerRefused)
    try:
        try:
            store = open_store(folder) if makes else open_filled(folder)
        except StoreInUse:
            if (server := find_server(folder)) is None:
                raise
            yield ask(server)
        else:
            with store:
                yield do(store)
    except StoreReadOnly:
        refuse_lake(folder)
        raise
    except refusals as error:
        raise Refusal(str(error)) from error


def require_games(folder: Path) -> None:
    """Refuse a folder with neither a database nor tables."""
    from analyzer.store.store_folders import holds_games

    if not holds_games(folder):
        raise Refusal(
            f"{folder} has no games yet. `bezique ingest` stores yours; `bezique demo` creates some."
        )


def server_address() -> str:
    """The address that the option `--server` of `bezique` names; empty if a data folder is used."""
    context = click.get_current_context(silent=True)
    return str(context.find_root().params.get("server") or "") if context else ""
