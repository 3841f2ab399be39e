"""The cases of a rulebook of one's own: what follows from its data, and in plain words what no case shows.

Every record has the rulebook inside, so that a program needs nothing else. What is expected is what this program says.
"""

from collections import defaultdict
from collections.abc import Iterator

from msgspec.structs import replace

from records.conformance.answers import case_of, generated_cases, partners_by_turns
from records.conformance.cases import Case
from records.conformance.error_cases import Caught
from records.conformance.sheet_errors import mistaken_values
from records.conformance.unshown_errors import why_never
from records.events import Draw
from records.format.redaction import redact
from records.record import Record
from records.rules.vocabulary import OneDeal, RuleSheet
from records.selfplay import play_game

GAMES_OF_OWN = 20
"""So many games are played if nobody says how many."""
SHARES_PLAYED = (0.2, 0.5, 0.8)
"""Ways to go on are counted once so much of a deal is played."""


def own_cases(sheet: RuleSheet, games: int) -> Iterator[Case]:
    """The cases of a sheet that this process knows; its options have their defaults in all of them."""
    yield from generated_cases(sheet, games)
    for seed in range(min(games, GAMES_OF_OWN)):
        sides = partners_by_turns(sheet, seed)
        record = play_game(sheet.id, seed=2000 + seed, deals=1, sides=sides, carry=True)
        record = replace(record, meta=None, provenance=None)
        yield case_of(sheet, f"own-{seed}", "canonical", record, "A deal, written canonically.")
        yield from _views(sheet, f"own-{seed}", record)
        if (stock := _stock_of(sheet, record)) is not None:
            position = _cut(record, stock, SHARES_PLAYED[seed % len(SHARES_PLAYED)])
            yield case_of(sheet, f"own-{seed}", "perft", position, "The ways to go on.")


def _views(sheet: RuleSheet, name: str, record: Record) -> Iterator[Case]:
    """What each seat could know of a game."""
    for seat in range(len(record.players)):
        about = f"What seat {seat} knew of a legal game."
        yield case_of(sheet, f"{name}-seat-{seat}", "partial", redact(record, seat), about)


def _stock_of(sheet: RuleSheet, record: Record) -> list[str] | None:
    """The stock of the only deal in the order of drawing; None if not all of it was drawn."""
    (deal,) = record.deals
    drawn = [event.card for event in deal.events if isinstance(event, Draw)]
    length = sheet.rules.pack.cards - sum(map(len, deal.hands or ())) - (deal.turn_up is not None)
    return drawn[:length] if len(drawn) >= length else None


def _cut(record: Record, stock: list[str], share: float) -> Record:
    """The record as far as that share of its only deal, with the stock."""
    (deal,) = record.deals
    events = deal.events[: int(share * len(deal.events))]
    return replace(record, deals=[replace(deal, events=events, stock=stock)], result=None)


def not_covered(sheet: RuleSheet, caught: Caught | None = None) -> str:
    """What the cases of a rulebook of one's own do not show, in Markdown; and what catches each error, if some were planted."""
    lines = [
        f"# What the cases of {sheet.name} do not show",
        "",
        f"The cases of `{sheet.id}` are made from the rulebook alone: games of simple players, followed event by event, damaged",
        "at random, as each seat knew them, and the ways to go on. The kit's own cases show more of the published rulebooks:",
        "",
        "- No law is broken on purpose: no case stands for each meld, bonus and law, with a twin that breaks it.",
        "- No other program confirmed the answers. They are those of the program that wrote this.",
        "- Endings are not valued, and rare positions are only met by chance.",
    ]
    if sheet.options:
        names = ", ".join(f"`{option.name}`" for option in sheet.options)
        lines.append(f"- Its options have their defaults in every case: {names}.")
    if isinstance(sheet.rules.match, OneDeal):
        lines.append("- The settlement is asked only as far as the games come to one.")
    return "\n".join([*lines, *_error_lines(sheet, caught or {})]) + "\n"


def _error_lines(sheet: RuleSheet, caught: Caught) -> Iterator[str]:
    """The errors that were planted, by the case that catches them."""
    if not caught:
        return
    by_case = defaultdict[str, list[str]](list)
    for name, case in caught.items():
        by_case[case or ""].append(f"`{name}`")
    missed = by_case.pop("", [])
    yield from (
        "",
        "## Planted errors",
        "",
        f"{len(caught)} values of the rulebook were changed, one at a time, as a program might misread them. Cases were added that",
        f"get another verdict with such an error: {len(caught) - len(missed)} errors are caught. Only values were changed. What a",
        "program does wrong whatever the rulebook says is planted in the published rulebooks.",
        "",
        "| case | the values that it catches |",
        "| --- | --- |",
        *(f"| `{case.partition('/')[2]}` | {', '.join(names)} |" for case, names in by_case.items()),
    )  # fmt: skip
    if missed:
        yield from ("", f"No record was found that shows these: {', '.join(missed)}.")
    never = [f"`{one.name}`" for one in mistaken_values(sheet) if why_never(sheet, one.name)]
    if never:
        yield from ("", f"No record can show these: {', '.join(never)}.")
