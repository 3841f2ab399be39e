"""`bezique findings`: what each finding code means."""

from collections.abc import Iterator
from difflib import get_close_matches
from textwrap import fill
from typing import TYPE_CHECKING

import click

from webui.cli.main import Refusal, complete_codes
from webui.cli.row_table import explained_names
from webui.display.verdict_words import SEVERITY_WORDS

if TYPE_CHECKING:  # what works is loaded when it is needed, so that the help starts at once
    from records.validate.codes import FindingCode


@click.command()
@click.argument("code", required=False, metavar="[CODE]", shell_complete=complete_codes)
def findings(code: str | None) -> None:
    """List all finding codes, or explain one.

    Codes are stable: a code keeps its meaning and is never reused.

    \b
      bezique findings
      bezique findings must-follow-suit
    """
    from records.validate.codes import FINDING_CODES

    if code is None:
        click.echo("\n".join(_list_codes()))
    elif code in FINDING_CODES:
        click.echo("\n".join(_explain_code(FINDING_CODES[code])))
    else:
        near = get_close_matches(code, FINDING_CODES, n=3)
        hint = f"Did you mean {' or '.join(near)}?" if near else "`bezique findings` lists all."
        raise Refusal(f"There is no finding code {code!r}. {hint}")


def _list_codes() -> Iterator[str]:
    from records.validate.codes import FINDING_CODES

    width = max(map(len, FINDING_CODES))
    for severity, words in SEVERITY_WORDS.items():
        codes = [code for code in FINDING_CODES.values() if code.severity == severity]
        if codes:
            yield click.style(f"{words} ({severity})", bold=True)
            yield from explained_names(((code.code, code.title) for code in codes), width=width)


def _explain_code(code: "FindingCode") -> Iterator[str]:
    yield click.style(f"{code.code}: {code.title}", bold=True)
    article = f", article '{code.article}' of the rules" if code.article else ""
    yield f"{SEVERITY_WORDS[code.severity]} ({code.severity}{article})"
    yield ""
    yield fill(code.meaning, width=80, break_on_hyphens=False, break_long_words=False)
