"""The search: whether some completion of a partial deal is legal, whether some is not, and whether all were examined.

A solver proposes completions that agree with the record and, as far as literals can say it, with the rules; the replay
judges each. One that the replay finds illegal is taken back, with all that must be illegal for the same cause, and
the solver is asked again. If it has none left, no completion is legal.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from records.cards import SUITS
from records.completions.budget import SearchBudget, SearchGivenUpError
from records.completions.judging import CompletionJudge
from records.completions.trump_search import Examination
from records.completions.written_deal.zetema_writing import NoWayError, deals_with_origins
from records.record import Deal, Record
from records.replay import Match
from records.rules.vocabulary import TurnUp
from records.validate.finding import Finding

SearchOutcome = Literal["illegal", "open", "legal", "given-up", "unsearched"]


@dataclass(slots=True)
class CompletionSearchResult:
    """What is so of the completions of a deal.

    `illegal`: there is no legal one. `open`: there are legal ones and illegal ones. `legal`: all are legal.
    `given-up`: not all could be examined. `unsearched`: at this level of knowledge, none was. `event` is the
    first that no completion makes legal, None for the deal itself; or the first found that is open.
    `mismatches` are those of every legal completion; `numbers_open` says that others depend on the
    completion.
    """

    outcome: SearchOutcome
    event: int | None = None
    mismatches: tuple[Finding, ...] = ()
    numbers_open: bool = False


def search_completions(
    record: Record, match: Match, number: int, last_trump: str | None, budget: SearchBudget
) -> CompletionSearchResult:
    """Search the completions of one partial deal that was replayed; `last_trump` is the trump suit at its end."""
    deal, rules = record.deals[number], match.rules
    if deal.knowledge == "plays":
        return CompletionSearchResult("unsearched")
    judge = CompletionJudge(record, match, number, budget)
    try:
        branches = _branches(match, deal, budget)
    except SearchGivenUpError:
        return CompletionSearchResult("given-up")
    except NoWayError as refuted:
        return CompletionSearchResult("illegal", refuted.args[0])
    found: list[Examination] = []
    for trump, branch in branches:
        examination = Examination(rules, branch, judge, trump, last_trump)
        found.append(examination)
        examination.run(match.names, budget)
        if examination.given_up or _is_open(found):
            break
    if rules.has_tableau and len(branches) > 1:
        # An origin that no completion makes legal is a wrong reading of the record, not a way to fill it in.
        found = [one for one in found if one.has_legal or one.given_up] or found
    elif any(one.unwritten for one in found):
        return CompletionSearchResult("given-up")
    return _result(found)


def _branches(match: Match, deal: Deal, budget: SearchBudget) -> list[tuple[str | None, Deal]]:
    """The deal with each trump suit that the turn-up leaves open, or each origin of the cards of marriages."""
    rules = match.rules
    if rules.has_tableau:
        return [(None, way) for way in deals_with_origins(rules, deal, match.names, budget)]
    if not isinstance(rules.sheet.trumps, TurnUp):
        return [(None, deal)]
    setup = deal.setup
    if setup is None:
        turn_up = deal.turn_up or "??"
        suits = turn_up[1] if turn_up[1] != "?" else SUITS
        return [(suit, deal) for suit in suits]
    known = setup.trump or (setup.turn_up or "??")[1]
    if known != "?":
        return [(known, deal)]
    return [(suit, replace(deal, setup=replace(setup, trump=suit))) for suit in SUITS]


def _is_open(found: Iterable[Examination]) -> bool:
    found = list(found)
    return any(one.has_legal for one in found) and any(one.has_illegal for one in found)


def _result(found: list[Examination]) -> CompletionSearchResult:
    first_open = min(
        (one.first_illegal for one in found if one.first_illegal is not None), default=None
    )
    if _is_open(found):
        return CompletionSearchResult("open", first_open)
    if any(one.given_up for one in found):
        return CompletionSearchResult("given-up")
    if not any(one.has_legal for one in found):
        # Each suit has its own first event; the last of them is where the last suit is refuted.
        events = [-1 if one.refuted_at is None else one.refuted_at for one in found]
        last = max(events)
        return CompletionSearchResult("illegal", None if last < 0 else last)
    numbers = [mismatches for one in found for mismatches in one.numbers]
    in_each = [{(finding.code, finding.at) for finding in mismatches} for mismatches in numbers]
    in_all = set.intersection(*in_each)
    common = [finding for finding in numbers[0] if (finding.code, finding.at) in in_all]
    opens = any(one.numbers_unknown for one in found) or any(each - in_all for each in in_each)
    return CompletionSearchResult("legal", None, tuple(common), opens)
