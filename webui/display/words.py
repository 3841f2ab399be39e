"""Results, reasons, pointers, settlements, cards and turns in words, for pages and commands."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from records.cards import FACE_OF, SUIT_NAMES, card_sign, describe_card, is_unknown
from records.engine.deal_state import Award
from records.engine.table import Table, TableStep
from records.event_words import SCORE_WORDS
from records.events import AnyEvent, CarteBlanche, Dix, Meld
from records.match_play import Relation
from records.phrases import (
    capitalize_first,
    join_words,
    name_card,
    pluralize,
    signed_points,
    signed_tenths,
)
from records.pointers import pointer_names
from records.record import split_mark
from records.replay import Match, TableSnapshot
from records.rules.english import ARTICLES
from records.rules.english_melds import BONUS_WORDS
from records.rules.registry import ALL_SHEETS, SHEETS_BY_ID, ResolvedSheet
from records.rules.settlement import SettledDeal, is_rubiconed, race_target, settle_deal
from records.rules.vocabulary import OneDeal, RaceTo, RuleSheet, To
from records.validate.check_deals import side_scores
from records.validate.finding import Place, describe_event_place, describe_place
from records.validate.report import Report
from webui.display.card_svg import card_symbol_id
from webui.display.markup import link_first_mentions, mark_code, term_link
from webui.display.verdict_words import (
    SEVERITY_WORDS,
    VERDICT_MEANINGS,
    VERDICT_TONES,
    VERDICT_WORDS,
    gap_words,
)

# Where a JSON pointer into a record leads, in words: people count from 1, and read names rather than slashes.

ENTRY_NOUNS = {
    "deals": "deal", "events": "event", "players": "player", "sides": "side", "hands": "hand", "notes": "note",
    "lines": "proposed line",
}  # fmt: skip
"""What an entry of a list is called; an entry of any other list is told as that, with the name of its list."""
MOST_PARTS = 5
"""A deeper place is told so far: what is nested deeper is a program's own data."""
WHOLE_RECORD = "the whole record"

_IN_A_DEAL = re.compile(r"/deals/(?P<deal>\d+)(?:/events/(?P<event>\d+))?(?=/|$)")


def pointer_words(pointer: str) -> str:
    """The place, with the names of members as code: `deal 3, event 126, `points``; the whole record if it is empty."""
    return ", ".join(_parts(pointer_names(pointer))) or WHOLE_RECORD


def place_at(pointer: str) -> Place:
    """The deal and the event that a pointer leads to or into, as far as it does."""
    found = _IN_A_DEAL.match(pointer)
    if found is None:
        return Place(pointer=pointer)
    event = found["event"]
    return Place(deal=int(found["deal"]), event=int(event) if event else None, pointer=pointer)


def member_words(at: Place) -> str:
    """What a place's pointer names beyond its deal and its event; empty if that is all."""
    if at.deal is None:
        return pointer_words(at.pointer) if at.pointer else ""
    known = f"/deals/{at.deal}" + ("" if at.event is None else f"/events/{at.event}")
    rest = at.pointer.removeprefix(known) if _is_below(at.pointer, known) else at.pointer
    return pointer_words(rest) if rest else ""


def _is_below(pointer: str, place: str) -> bool:
    return pointer == place or pointer.startswith(f"{place}/")


def _parts(names: Sequence[str]) -> list[str]:
    parts: list[str] = []
    members: list[str] = []
    for i, name in enumerate(names):
        entry = i > 0 and name.isdigit()
        noun = ENTRY_NOUNS.get(names[i - 1]) if entry else None
        if noun:
            members.pop()
        if members and entry:
            parts.append(f"`{'.'.join(members)}`")
            members = []
        if entry:
            parts.append(f"{noun or 'entry'} {int(name) + 1}")
        else:
            members.append(name)
    if members:
        parts.append(f"`{'.'.join(members)}`")
    return parts if len(parts) <= MOST_PARTS else [*parts[:MOST_PARTS], "and deeper"]


# Settlements: who is rubiconed, and what each side receives.


def settlement_sentences(
    game: OneDeal,
    sides: Sequence[str],
    totals: Sequence[int],
    receives: Sequence[int],
    winner: int | None,
) -> list[str]:
    """Whether the loser is rubiconed, and what each side receives: `totals` are the points that were compared."""
    said = []
    if winner is not None and is_rubiconed(game, totals, receives, winner):
        loser = sides[1 - winner]
        said.append(f"{loser} has not reached {game.rubicon:,} points and is rubiconed.")
    received = [
        f"{side} receives {points:,}"
        for side, points in zip(sides, receives, strict=True)
        if points
    ]
    paid = f"Settlement: {join_words(received)}." if received else "Nobody receives anything."
    return [*said, paid]


# How a deal ended, and the match so far, in sentences.


def outcome_sentences(match: Match, table: Table, before: list[int] | None) -> list[str]:
    """How a deal ended that has just been added to its match; empty if it is not over, or its points are open.

    `before` are the points of each side before the deal. Scores that the record claims stand for those that its cards
    leave open.
    """
    stated = table.knowledge.scores_only and match.stood_in
    over = (table.step is TableStep.OVER or stated) and not table.misdealt
    if not over or match.tally is None or before is None:
        return []
    sides = [join_words([match.names[seat] for seat in side]) for side in match.sides]
    several = [len(side) > 1 for side in match.sides]
    game = match.resolved.sheet.rules.match
    if isinstance(game, OneDeal):
        by_cards = match.scores is not None
        return _settlement(match, table, game, sides) if by_cards else _stated(match, game, sides)
    deal = [after - points for after, points in zip(match.tally, before, strict=True)]
    return [
        _result("deal", deal, sides, several),
        _match_so_far(match, game, sides, several),
    ]


def _stated(match: Match, game: OneDeal, sides: list[str]) -> list[str]:
    """How a match of one deal ended by its totals alone: what these leave open is not said."""
    totals, winners = match.tally or [], {outcome.winner for outcome in match.outcomes}
    if len(winners) != 1:
        return []
    [winner], [first, *others] = winners, match.outcomes
    said = [_result("match", totals, sides, [False, False])]
    if others or first.settlement is None:
        return said
    return said + settlement_sentences(game, sides, totals, first.settlement, winner)


def _result(what: str, points: list[int], sides: list[str], several: list[bool]) -> str:
    """Who won a deal or a match, with the points of all sides."""
    best = max(points)
    listed = ", ".join(f"{side} {count:,}" for side, count in zip(sides, points, strict=True))
    if points.count(best) > 1:
        return f"Nobody wins the {what}: {listed}."
    winner = points.index(best)
    verb = "win" if several[winner] else "wins"
    if len(points) > 2:
        return f"{sides[winner]} {verb} the {what}: {listed}."
    return f"{sides[winner]} {verb} the {what}, {best:,} to {pluralize(min(points), 'point')}."


def _match_so_far(match: Match, game: RaceTo, sides: list[str], several: list[bool]) -> str:
    scores = match.tally or []
    if match.complete:
        return _result("match", scores, sides, several)
    listed = ", ".join(f"{side} {count:,}" for side, count in zip(sides, scores, strict=True))
    target = race_target(game, len(match.names))
    goes_on = "Another deal decides." if max(scores) >= target else f"It is played to {target:,}."
    return f"In the match: {listed}. {goes_on}"


def _settlement(match: Match, table: Table, game: OneDeal, sides: list[str]) -> list[str]:
    brisques = [table.brisque_points(seat) for seat in range(table.seats)]
    raw = side_scores(table.points, match.sides)
    settled = settle_deal(game, raw, side_scores(brisques, match.sides))
    sentences = [_result("match", settled.totals, sides, [False, False])]
    if settled.winner is not None and settled.brisques_count:
        sentences.append(f"Brisques count: without them it was {_to(settled, raw)}.")
    return sentences + settlement_sentences(
        game, sides, settled.totals, settled.receives, settled.winner
    )


def _to(settled: SettledDeal, raw: list[int]) -> str:
    winner = settled.winner or 0
    return f"{raw[winner]:,} to {raw[1 - winner]:,}"


# How a match ended, in sentences, from its report.


def result_words(report: Report, sides: Sequence[str], resolved: ResolvedSheet) -> list[str]:
    """Sentences on the result of a match: who won, and what each side receives where a deal is settled."""
    scores = report.scores
    if report.verdict == "unreadable" or not scores:
        return []
    if not report.finished:
        return ["The record ends before the match does."]
    if None in scores:
        return ["The record does not show who won."]
    known = [points for points in scores if points is not None]
    said = [won_by_words(report.winner, known, sides)]
    game = resolved.sheet.rules.match
    if report.settlement is not None and isinstance(game, OneDeal):
        said += settlement_sentences(game, sides, known, report.settlement, report.winner)
    return said


def won_by_words(winner: int | None, scores: Sequence[int], sides: Sequence[str]) -> str:
    """Who won a match, and by how much: `Ann won by 40 points.`."""
    if winner is None:
        return "The match is drawn."
    best_other = max(points for side, points in enumerate(scores) if side != winner)
    lead = scores[winner] - best_other
    if lead <= 0:
        return f"{sides[winner]} won."
    return f"{sides[winner]} won by {pluralize(lead, 'point')}."


# Cards, places, turns and numbers in words.

CARD_MARK_WORDS = {
    "legal": ", may be played",
    "half": ", position uncertain: in the hand or on the table",
    "either": ", position uncertain: in this meld or in another",
    "won": ", takes the trick",
    "pointed": ", pointed at",
}
UNCERTAIN_CARD_MEANING = (
    "position uncertain (in the hand or on the table, or in one of several melds)"
)
"""What the terminal says of cards that are drawn in every place where they may be."""
STEP_VERBS = {
    "lead": "lead", "reply": "play", "draw": "draw", "combine": "discard", "discard": "discard",
}  # fmt: skip
MOST_DECIMALS = 2
SMALLEST_TWO_DECIMALS = 0.01
"""Smaller numbers are written with two significant digits instead of two decimals."""
PHASE_WORDS = {"stock": "drawing phase", "close": "endgame (stock empty)"}


def place_words(at: Place, names: Sequence[str] = ()) -> str:
    """The place of a finding, counted from 1, with members as code: `Deal 2, event 34, after 5 tricks, `points``."""
    parts = []
    if at.line is not None:
        parts.append(f"line {at.line}")
    if at.deal is not None:
        parts.append(describe_place(at))
        if at.event is not None and at.trick:
            parts.append(f"after {pluralize(at.trick, 'trick')}")
    if at.seat is not None and at.seat < len(names):
        parts.append(names[at.seat])
    parts += filter(None, [member_words(at)])
    return capitalize_first(", ".join(parts) or WHOLE_RECORD)


def name_seats(text: str, names: Sequence[str]) -> str:
    """A finding's text with names in place of seats: `seat 1` becomes `Bob`."""

    def name(found: re.Match[str]) -> str:
        seat = int(found[1])
        return names[seat] if seat < len(names) else found[0]

    return re.sub(r"\bseat (\d)\b", name, text)


def card_mark_words(item: str) -> str:
    """The marks of a card in words, for its label: `, may be played`."""
    return "".join(CARD_MARK_WORDS.get(mark, "") for mark in item.split()[1:])


def turn_words(position: TableSnapshot, names: Sequence[str], *, may_meld: bool) -> str:
    """Whose turn it is and for what: `Ann to lead`, `Bob to play`, `Ann may meld, then draw`."""
    if position.seat is None or position.step == "over":
        return ""
    if not may_meld:
        return f"{names[position.seat]} to {STEP_VERBS[position.step]}"
    meld = "combine" if position.tableau else "meld"
    return f"{names[position.seat]} may {meld}, then {STEP_VERBS[position.step]}"


def trick_heading(number: int, *, turns: bool) -> str:
    """The heading of the events of one trick or turn: `Trick 7`; 0 is what comes before the first."""
    if number == 0:
        return "Before the first turn" if turns else "Before the first trick"
    return f"{'Turn' if turns else 'Trick'} {number}"


def won_words(tricks: int, brisques: int) -> str:
    """What a seat has won: `3 tricks, 1 brisque`."""
    return f"{pluralize(tricks, 'trick')}, {pluralize(brisques, 'brisque')}"


def phase_words(phase: str) -> str:
    """A phase of the deal in words."""
    return PHASE_WORDS.get(phase, phase.replace("_", " "))


def meld_words(name: str) -> str:
    """A meld's name in words."""
    return name.replace("_", " ")


def size_words(size: int) -> str:
    """A size in bytes as people read it, rounded up, so that only nothing is zero: `3.2 MiB`."""
    return f"{-(-10 * size // 1024**2) / 10:,.1f} MiB"


def space_words(size: int, most: int) -> str:
    """How much of a space is used: `0.1 of 1,024 MiB`."""
    return f"{size_words(size).removesuffix(' MiB')} of {most / 1024**2:,.0f} MiB"


def date_words(moment: date | None) -> str:
    """A date: `5 March 2026`."""
    return "" if moment is None else f"{moment.day} {moment:%B %Y}"


def days_words(first: date | None, last: date | None) -> str:
    """On which days something began and ended: `5 March 2026`, `2 January – 5 March 2026`, `30 December 2025 – 2 January 2026`."""
    if first is None or last is None or first == last:
        return date_words(first or last)
    if first.year != last.year:
        return f"{date_words(first)} – {date_words(last)}"
    month = "" if first.month == last.month else f" {first:%B}"
    return f"{first.day}{month} – {date_words(last)}"


def points_words(points: int | None) -> str:
    """Points, or a dash where the record leaves them open."""
    return "–" if points is None else str(points)


def value_words(value: object) -> str:
    """A claimed or computed value: `120 : 90`, `nobody`, `40`."""
    if value is None:
        return "none"
    if isinstance(value, list | tuple):
        return " : ".join("–" if part is None else value_words(part) for part in value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def options_words(options: Mapping[str, Any]) -> str:
    """Options as a record writes them: `hand_size 9, dix true`."""
    return ", ".join(f"{name} {str(value).lower()}" for name, value in options.items())


def option_words(options: Mapping[str, Any]) -> str:
    """Options as people read them: `hand size 9, dix yes`."""
    named = [f"{meld_words(name)} {option_value_words(value)}" for name, value in options.items()]
    return ", ".join(named)


ARTICLE_HEADINGS = {name: heading for name, heading, _ in ARTICLES}

CHOICE_WORDS = {
    "true": "yes", "false": "no",
    "fixed": "spades and diamonds", "by_trump": "by the trump suit",
    "last": "that of the deal", "before_close": "that before the close",
    "head": "head the trick", "suit": "follow suit", "any": "nothing",
    "played": "by being played", "played_or_melded": "by being played or melded again",
    "seed": "this rulebook's", "portland": "the Portland Club's",
    "laid": "when it is laid", "scored": "when it scores",
    "recommended": "the recommended scale", "standard": "the standard scale",
    "stock_empty": "once the stock is empty", "whole_hand": "in the whole hand",
    "one": "one in all", "each_pair": "one of each pair",
    "draw_to_six": "up to six", "five": "up to five",
    "finish_hand": "yes", "at_once": "no, the game ends at once",
    "hundreds": "of rounded scores", "none": "as it is", "close": "as it is where the rounded scores are equal",
    "spades": "the spades", "hearts": "the hearts", "diamonds": "the diamonds", "clubs": "the clubs",
}  # fmt: skip
"""The values of options, which records write in one word, as they answer the sentence of the option."""


def option_value_words(value: object) -> str:
    """The value of an option as people read it, whether it is as a record has it or as an address does."""
    return CHOICE_WORDS.get(str(value).lower(), cell_words(value))


def option_parameters(options: Mapping[str, Any]) -> dict[str, str]:
    """Options as the parameters of an address: `hand_size=9`, `dix=true`."""
    return {name: str(value).lower() for name, value in options.items()}


def sheet_name(sheet_id: str) -> str:
    """The name of the rulebook with this id, or the id where no rulebook has it."""
    return SHEETS_BY_ID[sheet_id].name if sheet_id in SHEETS_BY_ID else sheet_id


@cache
def sheet_marks() -> Mapping[str, str]:
    """The marks of all rulebooks in lists: a letter of the name, and one more where several begin alike."""
    marks: dict[str, str] = {}
    for sheet in ALL_SHEETS:
        first, _, second = sheet.name.partition(", ")
        longer = [first[0], first[0] + second[:1], *(first[0] + letter for letter in first[1:])]
        marks[sheet.id] = next(mark for mark in longer if mark not in marks.values())
    return marks


def sheet_mark(sheet_id: str) -> str:
    """The mark of a rulebook in lists, one or two letters; a question mark where no rulebook has this id."""
    return sheet_marks().get(sheet_id, "?")


def cell_words(value: object, raw: bool = False) -> str:  # noqa: FBT001, FBT002  # templates say it by place
    """The text of a table cell: formatted for people, or raw as the database has it."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if raw:
        return str(value)
    if isinstance(value, float):
        small = 0 < abs(value) < SMALLEST_TWO_DECIMALS
        return f"{value:.2g}" if small else f"{value:,.2f}".removesuffix("0").removesuffix(".0")
    return f"{value:,}" if isinstance(value, int) else str(value).replace("_", " ")


def row_words(rows: Sequence[Sequence[object]]) -> list[list[str]]:
    """The texts of the cells of a table: in each column, numbers have as many decimals as one of them needs."""
    columns = zip(*rows, strict=True)
    return [list(row) for row in zip(*map(_column_words, columns), strict=True)]


def _column_words(values: Sequence[object]) -> list[str]:
    words = list(map(cell_words, values))
    fractions = {place: value for place, value in enumerate(values) if isinstance(value, float)}
    decimals = max((len(words[place].partition(".")[2]) for place in fractions), default=0)
    if decimals <= MOST_DECIMALS:
        for place, value in fractions.items():
            words[place] = f"{value:,.{decimals}f}"
    return words


def tenths_words(number: float | None) -> str:
    """A number to one decimal, so that a column of them is in line: `1,234.0`, `−4.8`; a dash for None."""
    return "–" if number is None else f"{number:,.1f}".replace("-", "−")


def percent_words(share: float) -> str:
    """A share from 0 to 1 in whole percent; one that is not quite nothing, or all, is told as that."""
    percent = f"{100 * share:.0f}"
    if percent == "100" and share < 1:
        percent = "> 99"
    elif percent == "0" and share > 0:
        percent = "< 1"
    return f"{percent}\u00a0%"


class RelationWords(NamedTuple):
    """What one says of a record beside another one of its match: in a list, of itself, and of one's own."""

    listed: str
    itself: str
    yours: str


RELATION_WORDS: dict[str, RelationWords] = {
    Relation.SAME: RelationWords("Written differently", "another version of", "is written differently"),
    Relation.VIEW: RelationWords("Another view", "another view of", "is another view of it"),
    Relation.BEGINNING: RelationWords("The beginning", "the beginning of", "stops earlier"),
    Relation.WHOLE: RelationWords("More of it", "more of", "goes on longer"),
}  # fmt: skip


TEMPLATE_FILTERS: dict[str, Callable[..., Any]] = {
    "mebibytes": size_words,
    "card_words": describe_card,
    "article_heading": lambda name: ARTICLE_HEADINGS.get(name, meld_words(name)),
    "cell": cell_words,
    "row_words": row_words,
    "counted": pluralize,
    "joined": join_words,
    "day": date_words,
    "days": days_words,
    "event_place": describe_event_place,
    "percent": percent_words,
    "place": place_words,
    "relation": lambda relation: RELATION_WORDS[relation],
    "code": mark_code,
    "place_at": place_at,
    "pointer_words": lambda pointer: capitalize_first(pointer_words(pointer)),
    "face": FACE_OF.__getitem__,
    "gaps": gap_words,
    "signed": signed_points,
    "marks": card_mark_words,
    "option_name": meld_words,
    "options": option_words,
    "option_parameters": option_parameters,
    "option_value": option_value_words,
    "severity": lambda severity: SEVERITY_WORDS[severity],
    "sheet_mark": sheet_mark,
    "shown": value_words,
    "points": points_words,
    "sign": card_sign,
    "signed_tenths": signed_tenths,
    "split_mark": split_mark,
    "suit": SUIT_NAMES.__getitem__,
    "symbol": card_symbol_id,
    "tenths": tenths_words,
    "term": term_link,
    "used_of": space_words,
    "term_links": link_first_mentions,
    "thousands": "{:,}".format,
    "tone": lambda word: VERDICT_TONES[word],
    "verdict": (VERDICT_WORDS | {"undetermined": "Not all is known"}).__getitem__,
    "verdict_means": lambda verdict: VERDICT_MEANINGS[verdict],
}


# Why a trick was taken, and what points were for, in the words of the rulebooks.

TRICK_VERBS = {To.WINNER: "winning", To.LOSER: "losing"}


def taken_sentence(table: Table) -> str:
    """Who takes the trick just completed, and why; empty where the record leaves that open."""
    completed, winner = table.trick.completed, table.trick.winner
    if completed is None or winner is None or table.trick.winner_open:
        return ""
    takes = f"{table.names[winner]} takes the trick"
    if table.trick.between:
        return f"{takes}{_reason_of_more(table, winner)}."
    leader, led, replier, reply = completed
    if is_unknown(led) or is_unknown(reply):
        return f"{takes}."
    led, reply = FACE_OF[led], FACE_OF[reply]
    if winner == leader and led[1] != reply[1] and led[1] != table.trump:
        neither = "neither of the suit led nor a trump" if table.trump else "not of the suit led"
        other = name_card(reply).removeprefix("the ")
        return f"{takes}: {table.names[replier]}’s {other} is {neither}."
    return f"{takes}: {_reason(led, reply, replied=winner == replier)}."


def _reason_of_more(table: Table, winner: int) -> str:
    """Why a card took a trick of more than two cards; empty where some are unknown."""
    played = table.last_trick()
    if any([is_unknown(card) for _, card in played]):
        return ""
    faces = [FACE_OF[card] for _, card in played]
    best = next(FACE_OF[card] for seat, card in played if seat == winner)
    if faces.count(best) > 1:
        return ": of like cards the first played wins"
    rivals = [face for face in faces if face[1] == best[1]]
    if best[1] != table.trump:
        return f": {name_card(best)} is the highest card of the suit led"
    return f": {name_card(best)} is {'the highest' if len(rivals) > 1 else 'a'} trump"


def _reason(led: str, reply: str, *, replied: bool) -> str:
    """Why the reply took the trick, or why the card led did."""
    if led == reply:
        return "of two like cards the first played wins"
    if led[1] == reply[1]:
        best, other = (reply, led) if replied else (led, reply)
        return f"{name_card(best)} is higher than {name_card(other)}"
    return f"{name_card(reply if replied else led)} is a trump"


def award_words(award: Award) -> str:
    """What points are for, in short: `marriage`, `the last trick`."""
    return meld_words(award.name) if award.source == "meld" else SCORE_WORDS[award.source]


def award_reason(award: Award, event: AnyEvent | None, sheet: RuleSheet) -> str:
    """What points are for, in the words of the sheet: `losing the last trick before the close`, `5 brisques`.

    Empty where the event itself says it: a meld, a dix shown, carte blanche.
    """
    if isinstance(event, Meld | Dix | CarteBlanche):
        return ""
    for bonus in sheet.rules.bonuses:
        if bonus.name == award.source:
            return f"{TRICK_VERBS[bonus.to]} {BONUS_WORDS[bonus.tricks]}"
    if award.source == "brisques":
        return pluralize(award.points // sheet.rules.brisques.points, "brisque")
    return "the dix just played" if award.source == "dix" else award_words(award)


def gain_sentence(name: str, points: int, words: str) -> str:
    """Points and what they are for: `Ann scores 10 for winning the last trick.`"""
    return f"{name} {'scores' if points >= 0 else 'loses'} {abs(points)} for {words}."
