"""Findings as lines for people, in the style of a compiler, and a summary."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from shlex import quote
from typing import Any

import click
import msgspec

from records.cards import FACE_OF, card_sign
from records.errors import RulesError
from records.format.codec import as_json
from records.format.text_places import TextPlace, find_text_places
from records.phrases import pluralize, sanitize_text
from records.rules.registry import get_sheet
from records.validate.codes import FINDING_CODES
from records.validate.finding import Finding, Severity, describe_place, describe_places
from records.validate.report import FoldedFindings, Report, fold_findings
from webui.cli.own_sheets import named_files
from webui.cli.sources import InputRecord
from webui.display.verdict_words import VERDICT_TONES, VERDICT_WORDS, gap_words

# Findings and verdicts as lines for the terminal.

TONE_COLOURS = {"good": "green", "fair": "yellow", "bad": "red", "plain": "cyan"}
"""The terminal colour of each tone of a verdict or a severity."""
MOST_PLACES = 12
"""So many places of a habit are listed after the first."""


def verdict_line(input_record: InputRecord, report: Report) -> str:
    """A record's verdict, with the command that shows its first finding."""
    verdict = click.style(
        VERDICT_WORDS[report.verdict].lower(),
        fg=TONE_COLOURS[VERDICT_TONES[report.verdict]],
        bold=True,
    )
    line = f"{click.style(input_record.place, bold=True)}: {verdict}"
    if report.rules is not None:
        facts = [
            pluralize(report.deals, "deal"),
            pluralize(report.events, "event"),
            *gap_words(report),
        ]
        line += f" ({', '.join([report.rules.id, *facts])})"
    worst_first = [group.first for group in fold_findings(report.findings)]
    command = "" if report.verdict == "unreadable" else show_command(input_record, worst_first)
    return line + (click.style(f"; see it with: {command}", dim=True) if command else "")


def show_command(input_record: InputRecord, findings: list[Finding]) -> str:
    """The command that shows the step of the first finding that has one; empty if there is no such step or no file."""
    places = [finding.at for finding in findings if finding.at.event is not None]
    if not places or input_record.source.path is None or places[0].deal is None:
        return ""
    at = places[0]
    record = f" --record {input_record.number}" if input_record.number > 1 else ""
    step = 1 + (at.event or 0)
    name = sanitize_text(quote(input_record.source.name))
    return f"bezique show {name}{record} --deal {1 + (at.deal or 0)} --step {step}{named_files()}"


def finding_lines(
    input_record: InputRecord, finding: Finding, at: TextPlace | None
) -> Iterator[str]:
    """One finding: place in the file and the game, message, code and laws; then its pointer, and what was expected."""
    place = finding_place(finding, input_record.entry.data)
    yield _head(file_place(input_record, at), place, finding, finding.message)
    pointer = finding.at.pointer
    yield from _details("; ".join(filter(None, [_at(pointer, place), _expected(finding)])))


def group_lines(
    input_record: InputRecord, group: FoldedFindings, at: TextPlace | None
) -> Iterator[str]:
    """The findings of a group, told once at the place of the first, and what follows from them."""
    first = group.first
    if len(group.findings) == 1:
        yield from finding_lines(input_record, first, at)
    else:
        yield _head(file_place(input_record, at), "", first, group.message)
        yield from _details(
            f"{_always(group, input_record.entry.data)}first: {sanitize_text(first.message)} {_at(first.at.pointer)}"
        )
        yield from _details(_where_else(group.findings[1:]))
    following = group.following
    if following:
        yield from _details(
            f"{pluralize(following, 'finding follows', 'findings follow')} from this:"
        )
    for below in group.consequences:
        words = sanitize_text(below.message)
        if len(below.findings) == 1 and (place := describe_place(below.first.at)):
            words = f"{place}: {words}"
        yield f"      {_severity(below.first)}: {words} {click.style(f'[{below.first.code}]', bold=True)}"


def file_place(input_record: InputRecord, at: TextPlace | None) -> str:
    """A place as compilers write it: `games.jsonl:2:345`, or without what is not known."""
    if at is None:
        return input_record.place
    return sanitize_text(f"{input_record.source.name}:{at.line}:{at.column}")


def _head(where: str, place: str, finding: Finding, message: str) -> str:
    code = click.style(f"[{finding.code}]", bold=True)
    law = laws_of_rule(finding.rule)
    words = f"{_severity(finding)}: {sanitize_text(message)} {code}{f' {law}' if law else ''}"
    return ": ".join(filter(None, [where, sanitize_text(place), words]))


def _severity(finding: Finding) -> str:
    colour = TONE_COLOURS[VERDICT_TONES[finding.severity]]
    return click.style(finding.severity, fg=colour, bold=True)


def _details(words: str) -> Iterator[str]:
    if words:
        yield click.style(f"    {words}", dim=True)


def _at(pointer: str, place: str = "") -> str:
    """The JSON pointer, which counts from 0, beside a place in words, which counts from 1."""
    return f"at {sanitize_text(pointer)}" if pointer and pointer != place else ""


def _where_else(findings: list[Finding]) -> str:
    """Where the others of a group are: `also in deal 1 at events 32 and 37; and 30 more places`."""
    words = describe_places([finding.at for finding in findings[:MOST_PLACES]])
    more = len(findings) - MOST_PLACES
    rest = f"; and {pluralize(more, 'more place')} (--all lists them)" if more > 0 else ""
    return f"also {sanitize_text(words)}{rest}"


def _always(group: FoldedFindings, data: bytes) -> str:
    """Whose habit it is, if it is one player's: `always Ann; `."""
    if group.only_seat is None:
        return ""
    try:
        name = str(msgspec.json.decode(data)["players"][group.only_seat]["name"])
    except (LookupError, TypeError, msgspec.DecodeError, UnicodeDecodeError):
        return ""
    return f"always {sanitize_text(name)}; "


def finding_place(finding: Finding, data: bytes) -> str:
    """A finding's place in its record: `deal 1, event 34 (trick 12), 8H`."""
    at, place = finding.at, describe_place(finding.at)
    if at.deal is None or at.event is None:
        return place
    event = event_at(data, at.deal, at.event)
    cards = _written(event.get("card")) or " ".join(map(_written, event.get("cards") or ()))
    text = f"{place}{_trick(at.trick, event.get('type'))}"
    return f"{text}, {cards}" if cards else text


def _written(word: object) -> str:
    """A word, and a card as sentences write it: `Q♠`; a line spells no card in two ways."""
    return card_sign(word) if isinstance(word, str) and word in FACE_OF else str(word or "")


def _trick(tricks: int | None, kind: object) -> str:
    """The trick that a card is played to, or after which something else happens."""
    if tricks is None:
        return ""
    if kind == "play":
        return f" (trick {tricks + 1})"
    return f" (after trick {tricks})" if tricks else " (before trick 1)"


def event_at(data: bytes, deal: int, event: int) -> dict[str, Any]:
    """An event as the record writes it; empty if there is none."""
    try:
        found = msgspec.json.decode(data)["deals"][deal]["events"][event]
    except (LookupError, TypeError, msgspec.DecodeError, UnicodeDecodeError):
        return {}
    return found if isinstance(found, dict) else {}


def laws_of_rule(rule: str | None) -> str:
    """The laws of the article that a finding names: `C7, C8 suit, A-08 (zique/close)`."""
    if rule is None:
        return ""
    sheet_id, _, article = rule.partition("/")
    try:
        laws = get_sheet(sheet_id).cited(article).partition(";")[0]
    except RulesError:
        laws = ""
    return f"{laws} ({rule})" if laws and not laws.startswith("[") else f"({rule})"


def _expected(finding: Finding) -> str:
    # Where the text itself is wrong, it is quoted as it stands.
    written = str if finding.severity == "unreadable" else _written
    parts = []
    if finding.expected is not None and not _repeats_the_legal(finding):
        parts.append(f"expected {written(finding.expected)}")
    if finding.found is not None:
        parts.append(f"found {written(finding.found)}")
    if finding.legal:
        parts.append(f"legal: {' '.join(map(written, finding.legal))}")
    if finding.candidates and not _names_every_rulebook(finding):
        parts.append(f"did you mean: {' or '.join(map(written, finding.candidates))}?")
    if finding.code == "unknown-sheet":
        parts.append("name the file of a rulebook of your own: --rules FILE")
    return sanitize_text("; ".join(parts))


MOST_SIMILAR = 3


def _names_every_rulebook(finding: Finding) -> bool:
    """Whether no rulebook has a similar name: then the finding has all of them, and its sentence lists them."""
    return finding.code == "unknown-sheet" and len(finding.candidates) > MOST_SIMILAR


def _repeats_the_legal(finding: Finding) -> bool:
    """Whether what was expected is one of the legal cards, which are listed anyway."""
    listed = str(finding.expected).removeprefix("one of ").split()
    return bool(finding.legal) and sorted(listed) == sorted(map(_written, finding.legal))


def summary_lines(verdicts: Counter[str], codes: Counter[tuple[str, str]]) -> Iterator[str]:
    """The summary of all records: the count of each verdict and of each finding."""
    counts = "; ".join(
        click.style(
            f"{count:,} {VERDICT_WORDS[verdict].lower()}", fg=TONE_COLOURS[VERDICT_TONES[verdict]]
        )
        for verdict, count in verdicts.items()
        if count
    )
    yield f"{pluralize(verdicts.total(), 'record')}: {counts or 'nothing to check'}"
    if not codes:
        return
    yield f"{pluralize(codes.total(), 'finding')}:"
    width = max(len(code) for code, _ in codes)
    for (code, severity), count in codes.most_common():
        title = FINDING_CODES[code].title if code in FINDING_CODES else ""
        word = click.style(f"{severity:<10}", fg=TONE_COLOURS[VERDICT_TONES[severity]])
        yield f"{count:>8,}  {code:<{width}}  {word}  {title}".rstrip()


# What all formats have in common: they tell one record after another, and keep none.

EXIT_FINE, EXIT_FINDINGS, EXIT_UNREADABLE = 0, 1, 2
WRONG_SEVERITIES: tuple[Severity, ...] = ("unreadable", "illegal", "mismatch", "warning")
"""Findings of these severities make the exit status 1; notes do not."""


class FindingTally:
    """Counts of verdicts and findings over all records so far, and of files that cannot be read."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self.codes: Counter[tuple[str, str]] = Counter()
        self.missing = 0

    def add(self, report: Report) -> None:
        """Count one more report."""
        self.verdicts[report.verdict] += 1
        self.codes.update((finding.code, finding.severity) for finding in report.findings)

    def status(self) -> int:
        """The exit status for these counts."""
        if self.verdicts["unreadable"] or self.missing:
            return EXIT_UNREADABLE
        return (
            EXIT_FINDINGS
            if any(severity in WRONG_SEVERITIES for _, severity in self.codes)
            else EXIT_FINE
        )


class Reporter:
    """Tells reports in one format, line by line; most formats have nothing before the first record and after the last.

    Those that do not tell everything tell at most so many findings of a record; a habit is one, unless `every` one is asked
    for.
    """

    def __init__(self, most: int | None, *, every: bool) -> None:
        self.most = most
        self.every = every

    def begin(self) -> Iterator[str]:
        """What comes before the first record."""
        yield from ()

    def tell(self, input_record: InputRecord, report: Report) -> Iterator[str]:
        """The lines for one record."""
        raise NotImplementedError

    def end(self, tally: FindingTally) -> Iterator[str]:
        """What comes after the last record."""
        yield from ()


def text_places(input_record: InputRecord, findings: Sequence[Finding]) -> list[TextPlace | None]:
    """Where in its file each finding of a record is; only the line, in column 1, where a damaged line tells no more."""
    entry = input_record.entry
    found = find_text_places(entry.data, findings, first_line=entry.line or 1)
    return [
        TextPlace(entry.line, 1) if place is None and entry.line is not None else place
        for place in found
    ]


# The report for people.


class TextReporter(Reporter):
    """The verdicts and the findings, and their counts."""

    def tell(self, input_record: InputRecord, report: Report) -> Iterator[str]:
        """The verdict and the findings; nothing if there are none."""
        if not report.findings:
            return
        yield verdict_line(input_record, report)
        groups = [] if self.every else fold_findings(report.findings)[: self.most]
        told = report.findings[: self.most] if self.every else [group.first for group in groups]
        entry = input_record.entry
        places = find_text_places(entry.data, told, first_line=entry.line or 1)
        # The event that a finding is about is looked up in JSON.
        input_record = replace(input_record, entry=replace(entry, data=as_json(entry.data)))
        for number, (finding, place) in enumerate(zip(told, places, strict=True)):
            if self.every:
                yield from finding_lines(input_record, finding, place)
            else:
                yield from group_lines(input_record, groups[number], place)
        left = len(report.findings if self.every else report.groups) - len(told)
        if left and self.every:
            yield f"  and {pluralize(left, 'more finding')}"
        elif left:
            yield f"  and {pluralize(left, 'more kind of finding', 'more kinds of findings')}"

    def end(self, tally: FindingTally) -> Iterator[str]:
        """The counts of verdicts and findings."""
        yield from summary_lines(tally.verdicts, tally.codes)
