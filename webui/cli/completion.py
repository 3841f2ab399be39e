"""What a shell offers when the tab key is pressed: rulebooks, codes, questions, measures and dimensions.

Each list is loaded only then.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def complete_sheets(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> "list[CompletionItem]":
    """The rulebooks, each with its name."""
    from records.rules.registry import ALL_SHEETS

    return _matching(((sheet.id, sheet.name) for sheet in ALL_SHEETS), incomplete)


def complete_codes(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> "list[CompletionItem]":
    """The codes of findings, and the severities where an option takes both; after a comma, the next one."""
    from records.validate.codes.all_codes import FINDING_CODES
    from webui.display.words.verdict_words import SEVERITY_WORDS

    words = {code.code: code.title for code in FINDING_CODES.values()}
    if param.name in ("select", "ignore"):
        words = {**SEVERITY_WORDS, **words}
    before, comma, last = incomplete.rpartition(",")
    return _matching(
        ((before + comma + word, title) for word, title in words.items()), before + comma + last
    )


def complete_questions(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> "list[CompletionItem]":
    """The questions and the measures."""
    from analyzer.explore.catalogue import metrics
    from analyzer.questions import questions

    pairs = [(question.name, question.answers) for question in questions()]
    pairs += [(name, metric.asks) for name, metric in metrics().items()]
    return _matching(pairs, incomplete)


def complete_dimensions(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> "list[CompletionItem]":
    """The dimensions that a measure can be split by."""
    from analyzer.explore.catalogue import dimensions

    return _matching(((name, each.title) for name, each in dimensions().items()), incomplete)


def _matching(pairs: Iterable[tuple[str, str]], incomplete: str) -> "list[CompletionItem]":
    from click.shell_completion import CompletionItem

    return [
        CompletionItem(word, help=help_text)
        for word, help_text in pairs
        if word.startswith(incomplete)
    ]
