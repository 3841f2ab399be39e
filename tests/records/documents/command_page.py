"""The page of the commands, from what the command line itself knows of them."""

import re
from collections.abc import Iterator
from inspect import cleandoc

import click

from webui.cli.main import main

BEGINNING = """# Commands

Everything that `bezique` can do, in the words of `bezique COMMAND --help`, from which this page is made.
"""
_OPTION = re.compile(r"(?<![\w`-])--[a-z][a-z-]*")
_DEFAULT = re.compile(r"\[default: ([^]]*)\]")
_STATUS = re.compile(r"^ +(\d+)  (.*)$", re.MULTILINE)
_EXAMPLE = re.compile(r"^(?:[a-z]+ .*\| )?bezique ")

IN_A_CELL = r"\|"
"""A sign that would end the cell of a table."""


def text() -> str:
    """The whole page."""
    with click.Context(main, info_name="bezique") as context:
        parts = [BEGINNING, *_paragraphs(main.help or "")]
        for _, command, inside in commands(context):
            parts += _command(command, inside)
    return "\n".join(parts)


def commands(context: click.Context) -> Iterator[tuple[str, click.Command, click.Context]]:
    """Every command below a group, with its full name and a context, those of groups after their group."""
    group = context.command
    assert isinstance(group, click.Group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inside = click.Context(command, info_name=name, parent=context)
        yield inside.command_path, command, inside
        if isinstance(command, click.Group):
            yield from commands(inside)


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    """The section of one command; those of a group are one level deeper."""
    level = "#" * len(context.command_path.split())
    yield f"{level} {context.command_path}\n"
    pieces = " ".join(command.collect_usage_pieces(context))
    yield f"```text\n{context.command_path} {pieces}\n```\n"
    yield from _paragraphs(command.help or "")
    options = [
        row
        for option in command.params
        if isinstance(option, click.Option) and (row := _option(option, context))
    ]
    if options:
        yield "\n".join(["| option | meaning |", "|---|---|", *options]) + "\n"
    yield from _paragraphs(command.epilog or "")


def _option(option: click.Option, context: click.Context) -> str:
    """The row of one option; empty if it is hidden."""
    if option.hidden:
        return ""
    names = [*option.opts, *option.secondary_opts]
    value = "" if option.is_flag else f" {_value_name(option, context)}"
    extra = option.get_help_extra(context)
    sentences = [_prose(option.help or "")]
    if isinstance(option.type, click.Choice):
        sentences.append(f"One of {', '.join(f'`{each}`' for each in option.type.choices)}.")
    if "required" in extra:
        sentences.append("Required.")
    if "range" in extra:
        sentences.append(_range(extra["range"]))
    if "envvars" in extra:
        sentences.append(f"Also {' or '.join(f'`{name}`' for name in extra['envvars'])}.")
    if "default" in extra:
        sentences.append(f"Default: {extra['default']}.")
    spelled = ", ".join(f"`{name}{value}`" for name in names)
    return f"| {spelled.replace('|', IN_A_CELL)} | {' '.join(sentences)} |"


def _value_name(option: click.Option, context: click.Context) -> str:
    """What stands for a value: a choice has its values in the meaning."""
    if option.metavar is None and isinstance(option.type, click.Choice):
        return option.opts[-1].lstrip("-").upper()
    return {"INTEGER RANGE": "N", "INTEGER": "N", "FLOAT RANGE": "N"}.get(
        metavar := option.make_metavar(context), metavar
    )


def _range(bounds: str) -> str:
    """A range as a sentence: `x>=1`, `0<=x<=100`."""
    least, _, most = bounds.removeprefix("x>=").partition("<=x<=")
    return f"{least} to {most}." if most else f"At least {least}."


def _paragraphs(words: str) -> Iterator[str]:
    """A help text as Markdown: examples and exit statuses are marked by a backspace before them."""
    for paragraph in re.split(r"\n\s*\n", cleandoc(words)):
        if not paragraph.startswith("\b"):
            if paragraph.strip():
                yield f"{_prose(paragraph)}\n"
            continue
        block = paragraph.removeprefix("\b\n")
        if statuses := _STATUS.findall(block):
            yield "\n".join(
                ["| exit status | meaning |", "|---|---|", *(f"| {n} | {_prose(said)} |" for n, said in statuses)]
            ) + "\n"  # fmt: skip
            continue
        lines = [line.strip() for line in block.splitlines()]
        kind = "console" if _EXAMPLE.match(lines[0]) else "toml"
        yield "\n".join([f"```{kind}", *lines, "```\n"])


def _prose(words: str) -> str:
    """Text in which nothing is a mark by accident, on one line; options are set as code."""
    words = _DEFAULT.sub(r"Default: \1.", " ".join(words.split()))
    pieces = re.split(r"(`[^`]*`)", words)
    return "".join(
        piece if piece.startswith("`") else _OPTION.sub(r"`\g<0>`", re.sub(r"([*_|<\[\]])", r"\\\1", piece))
        for piece in pieces
    )  # fmt: skip
