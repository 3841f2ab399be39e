"""The code of a document: its blocks in order, and running them as a reader would."""

import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from tests.machine.waiting import PATIENCE_SECONDS
from webui.cli.main import main

RUN = ("sh", "python")
"""Blocks that run. What cannot run in a test is `console`, and what is no program has the name of its kind."""
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NEEDS_A_SHELL = re.compile(r"[|<>&;$*\\'\"]|^(?!bezique )", re.MULTILINE)
"""Lines that are more than a command and its words."""


class Block(NamedTuple):
    """A block of code, and the output that stands right behind it."""

    kind: str
    code: str
    output: str | None = None


def read_blocks(text: str) -> list[Block]:
    """The blocks of a document in order; a block of text right behind one that runs is its output."""
    blocks: list[Block] = []
    end = 0
    for fence in FENCE.finditer(text):
        kind, code = fence.groups()
        is_next = bool(blocks) and not text[end : fence.start()].strip()
        if kind == "text" and is_next and blocks[-1].kind in RUN:
            blocks[-1] = blocks[-1]._replace(output=code)
        else:
            blocks.append(Block(kind, code))
        end = fence.end()
    return blocks


def run_block(code: str, folder: Path) -> str:
    """What a block of shell commands prints; fails if one of them does.

    Lines that only call `bezique` run in this process, which saves a second each.
    """
    if NEEDS_A_SHELL.search(code.rstrip()):
        return run_in_shell(code, folder, dict(os.environ))
    return "".join(map(run_command, code.splitlines()))


def run_in_shell(code: str, folder: Path, environment: dict[str, str]) -> str:
    """What a block of shell commands prints, run by a shell; fails if one of them does."""
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code],
        cwd=folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode == 0, (code, done.stdout)
    return done.stdout


def run_command(line: str) -> str:
    """What a command prints; of a server, only that it knows its options."""
    words = shlex.split(line)[1:]
    result = CliRunner().invoke(main, [*words, "--help"] if words[0] == "serve" else words)
    assert result.exit_code == 0, (line, result.output)
    assert result.output, line
    return result.output


def is_as_shown(output: str, shown: str) -> bool:
    """Whether a program printed what a document shows: a line of three dots stands for any lines."""
    lines = [line.rstrip() for line in shown.splitlines()]
    pattern = "".join(
        r"(?:.*\n)*?" if line == "..." else re.escape(line) + r" *\n" for line in lines
    )
    return re.fullmatch(pattern, output if output.endswith("\n") else f"{output}\n") is not None
