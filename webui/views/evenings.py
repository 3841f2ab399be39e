"""An evening of a club: who is here, the rounds, results from records or typed, the standing; and the forms that change it.

Whoever may read sees it; the admin runs it. The page refreshes itself: it asks with the number of commits that it was made
at, and gets nothing while that is the same.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flask import Response, abort, flash, request, url_for
from flask.typing import ResponseReturnValue

from analyzer.players.evening_report import report_evening, tell_standing
from analyzer.players.evening_results import (
    MOST_MATCHES,
    EveningLine,
    EveningMatch,
    EveningResults,
    PairResult,
    list_regulars,
    pair_next_round,
    read_results,
)
from analyzer.players.evenings import (
    LONGEST_EVENT,
    LONGEST_NAME,
    MOST_POINTS,
    AnyStep,
    Evening,
    EveningExists,
    EveningOpening,
    EveningPlayer,
    EveningRefused,
    EveningRound,
    PlayerAbsence,
    PlayerArrival,
    PlayerDeletion,
    PlayerNaming,
    PlayerSwap,
    ResultTyping,
    RoundPairing,
    RoundRemoval,
    TypedOutcome,
    count_commits,
    delete_evening,
    list_entered_names,
    open_evening,
    read_evening,
    take_steps,
)
from analyzer.players.round_pairing import MOST_PAIRED, Pair
from analyzer.players.standings import list_places
from analyzer.store.player_names import group_similar_people, list_names
from records.corrected import wrong_day_words
from records.format.semantics import read_day
from records.people import read_name
from records.phrases import pluralize
from webui.display.text_layout import without_isolates
from webui.server.access import may, name_of_actor
from webui.server.actions import Action
from webui.server.page import Page, Views
from webui.server.request_kinds import QUESTIONS, UPLOADS
from webui.server.responses import lead_to
from webui.views import store
from webui.views.events import SYSTEMS, events_page

LARGEST_KEY = 2**53
MOST_NAMES_OFFERED = 500
NAME_FIELDS = 6
OUTCOMES: Mapping[str, TypedOutcome] = {"first": "first", "second": "second", "draw": "draw", "open": "open"}  # fmt: skip
blueprint = Views("evenings", __name__)


# The page.


@dataclass(frozen=True, slots=True)
class ShownPair:
    """A pair at its table, by number and by name, and what its match came to."""

    table: int
    pair: Pair
    names: tuple[str, str]
    result: PairResult

    @property
    def score(self) -> str:
        """The result as `1 – 0`; empty while it is open."""
        return self._score(self.result.winner) if self.result.source else ""

    @property
    def typed_score(self) -> str:
        """What somebody typed, in the same form."""
        return self._score(self.result.typed.winner) if self.result.typed else ""

    @property
    def is_typed_otherwise(self) -> bool:
        """Whether somebody typed another result than the record tells."""
        return self.result.source == "record" and self.typed_score not in ("", self.score)

    @property
    def points(self) -> list[int]:
        """What both scored; empty where that is not known."""
        known = self.result.points
        return [known[player] for player in self.pair] if {*self.pair} <= known.keys() else []

    def _score(self, winner: int | None) -> str:
        return "½ – ½" if winner is None else "1 – 0" if winner == self.pair[0] else "0 – 1"


@dataclass(frozen=True, slots=True)
class ShownRound:
    """A round with its tables, and the name of who sits out."""

    number: int
    tables: list[ShownPair]
    bye: str

    @property
    def open(self) -> int:
        """How many results are open."""
        return sum(not each.result.source for each in self.tables)

    @property
    def typed(self) -> int:
        """How many results were typed, also where a record counts."""
        return sum(each.result.typed is not None for each in self.tables)


@dataclass(frozen=True, slots=True)
class RefusedForm:
    """What a form was refused for, and its `place` on the page: the form's kind, or the table of a typed result."""

    place: str
    words: str


class EveningPage(Page):
    """An evening; `shown` is the round that the page is about, and `commit` says as of when it is.

    Of a form that was `refused` the page keeps what was typed.
    """

    template = "events/evening.html"
    evening: Evening
    commit: int
    shown: ShownRound | None
    others: list[ShownRound]
    says: str
    lines: list[EveningLine]
    misfits: list[EveningMatch]
    is_cut: bool
    regulars: list[str]
    names: list[str]
    refused: RefusedForm | None = None
    systems = SYSTEMS
    longest_name = LONGEST_NAME
    longest_event = LONGEST_EVENT
    most_matches = MOST_MATCHES
    most_points = MOST_POINTS

    @property
    def next_round(self) -> int:
        """The number of the round that is paired next."""
        return len(self.evening.rounds) + 1

    @property
    def last(self) -> ShownRound | None:
        """The round that was paired last."""
        rounds = [*self.others, *([self.shown] if self.shown else [])]
        return max(rounds, key=lambda one: one.number, default=None)

    @property
    def similar(self) -> list[list[str]]:
        """Players whose names differ in case, accents or signs only."""
        return group_similar_people(each.name for each in self.evening.players)

    @property
    def renamed_alike(self) -> Mapping[str, list[str]]:
        """Players who are one in lists since a rename, by what lists call them."""
        found = dict[str, list[str]]()
        for each in self.evening.players:
            if each.shared_name:
                found.setdefault(each.shared_name, []).append(each.name)
        return found

    @property
    def unseated(self) -> list[EveningPlayer]:
        """Who is in no round, and can be taken off the list."""
        seated = self.evening.seated
        return [each for each in self.evening.players if each.number not in seated]

    @property
    def unplayed(self) -> set[int]:
        """The numbers of those who left before they were in a round."""
        return {each.number for each in self.unseated if not each.is_here}

    @property
    def name_fields(self) -> list[str]:
        """What stands in the fields for names: what was typed and refused, then empty ones."""
        typed = [
            name for name in self.refused_texts("arrival", "name") if name not in self.regulars
        ]
        kept = [name for name in typed if name.strip()][:MOST_PAIRED]
        return kept + [""] * max(NAME_FIELDS - len(kept), 1)

    def refused_texts(self, place: str, field: str) -> list[str]:
        """What was typed in a field of the form that was refused; empty for any other form."""
        is_refused = self.refused is not None and self.refused.place == place
        return request.form.getlist(field) if is_refused else []

    def refused_text(self, place: str, field: str) -> str:
        """The first of them, or nothing."""
        return next(iter(self.refused_texts(place, field)), "")

    def entry_address(self, table: ShownPair) -> str:
        """Where the game of a table is entered by tapping, with its players, event, round, table and day filled in."""
        return url_for(
            "recorder.record",
            player=table.names,
            event=self.evening.event,
            round=self.shown.number if self.shown else None,
            table=table.table,
            date=self.evening.day,
        )

    @property
    def places(self) -> list[int]:
        """The place of each line."""
        return list_places(self.lines)

    @property
    def typed(self) -> int:
        """How many results stand in no record."""
        return sum(line.typed for line in self.lines) // 2


def _evening_data(number: int) -> object:
    """The players, the rounds with their results, the standing, and the records that fit no pair."""
    return report_evening(store(), _evening(number))


@blueprint.page("/evenings/<int:number>", Action.READ, QUESTIONS, data=_evening_data)
def evening(number: int) -> EveningPage | Response:
    """An evening with its players, rounds and standing; answers 204 to who has it as of the commit `since`."""
    commit = count_commits(store())
    if commit and request.args.get("since") == str(commit):
        return Response(status=204)
    return _page(commit, _evening(number))


def _page(commit: int, chosen: Evening, refused: RefusedForm | None = None) -> EveningPage:
    """The page of an evening that was read after the `commit` was: whoever asks again since then misses no change."""
    results = read_results(store(), chosen)
    rounds = [_shown_round(chosen, each, results) for each in chosen.rounds]
    number = _requested_round()
    last = rounds[-1] if rounds else None
    shown = next((each for each in rounds if each.number == number), last)
    runs, entered = may("run-evenings"), {each.name for each in chosen.players}
    regulars = list_regulars(store(), chosen.event) if runs else []
    return EveningPage(
        evening=chosen,
        commit=commit,
        shown=shown,
        others=[each for each in rounds[::-1] if each is not shown],
        says=tell_standing(chosen, results),
        lines=results.lines,
        misfits=results.misfits,
        is_cut=results.is_cut,
        regulars=[name for name in regulars if name not in entered],
        names=_known_names() if runs else [],
        refused=refused,
    )


def _requested_round() -> int | None:
    """The round that the page is to show, by its address or by the form that was sent."""
    if request.method == "POST":
        return request.form.get("shown", type=int)
    return request.args.get("round", type=int)


def _known_names() -> list[str]:
    """Names of the stored games and of other evenings, to choose from."""
    of_games = list_names(store(), MOST_NAMES_OFFERED)
    return [*dict.fromkeys([*of_games, *list_entered_names(store(), MOST_NAMES_OFFERED)])]


def _evening(key: int) -> Evening:
    found = read_evening(store(), key) if 0 < key < LARGEST_KEY else None
    return found or abort(404, "There is no such evening.")


def _shown_round(chosen: Evening, of: EveningRound, results: EveningResults) -> ShownRound:
    def name(number: int) -> str:
        return chosen.player(number).name

    tables = [
        ShownPair(table, (one, other), (name(one), name(other)), results.of(of.number, (one, other)))
        for table, (one, other) in enumerate(of.paired.pairs, start=1)
    ]  # fmt: skip
    return ShownRound(of.number, tables, "" if of.paired.bye is None else name(of.paired.bye))


# The forms.


@blueprint.form("/evenings", Action.RUN_EVENINGS, UPLOADS)
def begin() -> ResponseReturnValue:
    """Begin an evening."""
    try:
        key = open_evening(store(), _opening(), name_of_actor())
    except EveningExists as error:
        flash(f"{error} This is it.")
        key = error.key
    except EveningRefused as error:
        return events_page(str(error)).render(), 409
    return lead_to("evenings.evening", number=key)


@blueprint.form("/evenings/<int:number>", Action.RUN_EVENINGS, UPLOADS)
def change(number: int) -> ResponseReturnValue:
    """Let an evening take the steps of a form, which names its `kind`; what is refused is shown as it was typed."""
    chosen = _evening(number)
    kind = request.form.get("kind", "")
    make, anchor = FORMS.get(kind) or abort(400, "There is no such form.")
    try:
        steps, after = make(chosen), chosen.steps if make is _pairing else None
        take_steps(store(), number, steps, name_of_actor(), after=after)
    except EveningRefused as error:
        commit, now = count_commits(store()), _evening(number)
        return _page(commit, now, RefusedForm(_place(now, kind), str(error))).render(), 409
    shown = None if kind in ("pairing", "removal") else request.form.get("shown", type=int)
    return lead_to("evenings.evening", number=number, round=shown, _anchor=anchor)


def _place(chosen: Evening, kind: str) -> str:
    """Where the page has the form that was sent, or else one that is near it."""
    if kind == "typing":
        return _typed_table(chosen)
    if kind in ("naming", "deletion") and not chosen.players:
        return "arrival"
    return "pairing" if kind in ("swap", "removal") and not chosen.rounds else kind


def _typed_table(chosen: Evening) -> str:
    """The table of a typed result on the page; the form of the next round where it has no such table."""
    number = _requested_round()
    shown = [each for each in chosen.rounds if each.number == number] or chosen.rounds[-1:]
    pair = tuple(request.form.get(field, type=int) for field in ("first", "second"))
    tables = [one for each in shown for one in each.paired.pairs]
    return next((f"table {place}" for place, one in enumerate(tables, 1) if one == pair), "pairing")


@blueprint.form("/evenings/<int:number>/delete", Action.RUN_EVENINGS, UPLOADS)
def delete(number: int) -> ResponseReturnValue:
    """Delete an evening without rounds."""
    try:
        delete_evening(store(), _evening(number).key)
    except EveningRefused as error:
        flash(f"Nothing was deleted. {error}", "settings")
        return lead_to("evenings.evening", number=number, _anchor="settings")
    flash("Deleted the evening. Records stay as they were.", "evenings")
    return lead_to("events.list_club_events", _anchor="evenings")


def _opening() -> EveningOpening:
    """An event, its day and the system, as a form tells them."""
    text = request.form.get("day", "")
    day = read_day(text)
    if day is None:
        raise EveningRefused(wrong_day_words(text))
    system = request.form.get("system", "")
    known = next((each for each in SYSTEMS if each == system), None)
    if known is None:
        raise EveningRefused("Choose how rounds are paired.")
    event = without_isolates(request.form.get("event", "")[: LONGEST_EVENT + 1])
    return EveningOpening(event, day, known)


def _arrivals(chosen: Evening) -> list[AnyStep]:
    """Everybody who is named: who was here before is back, and who is here already is said to be."""
    names = Counter(filter(None, map(_name, request.form.getlist("name")[: 2 * MOST_PAIRED])))
    if not names:
        raise EveningRefused("Nobody was named.")
    steps: list[AnyStep] = []
    for name, times in names.items():
        known = chosen.named(name)
        if times > 1:
            flash(f"{name} was written {times} times, and counts once.", "players")
        if known is None:
            steps.append(PlayerArrival(name))
        elif known.is_here:
            flash(f"The list has {known.name} already.", "players")
        else:
            steps.append(PlayerAbsence(known.number, away=False))
    return steps


def _name(text: str) -> str:
    return read_name(without_isolates(text[: 2 * LONGEST_NAME]))


def _pairing(chosen: Evening) -> list[AnyStep]:
    """The next round, if the form was about it: of two who pair it, the second is refused.

    While results of the round before are open, the form must say that it is to be paired all the same.
    """
    number = _number("round")
    if number != len(chosen.rounds) + 1:
        raise EveningRefused(f"Round {number} is paired already.")
    results = read_results(store(), chosen)
    if chosen.rounds and request.form.get("all_the_same") != "1":
        _require_results(chosen.rounds[-1], results)
    return [RoundPairing(number, pair_next_round(chosen, results))]


def _require_results(of: EveningRound, results: EveningResults) -> None:
    """Raise EveningRefused if results of a round are open."""
    open_ones = sum(not results.of(of.number, pair).source for pair in of.paired.pairs)
    if open_ones:
        are = "is" if open_ones == 1 else "are"
        raise EveningRefused(
            f"{pluralize(open_ones, 'result')} of round {of.number} {are} open. Tick the box to pair round {of.number + 1} all the same."
        )


def _swap(chosen: Evening) -> list[AnyStep]:
    number, swapped = _number("round"), {_number("first"), _number("second")}
    of, results = chosen.round(number), read_results(store(), chosen)
    for pair in of.paired.pairs:
        if swapped & {*pair} and results.of(number, pair).matches:
            raise EveningRefused("One of them has a record in this round.")
    return [PlayerSwap(number, _number("first"), _number("second"))]


def _typing(chosen: Evening) -> list[AnyStep]:
    written = [request.form.get(name, "").strip() for name in ("first_points", "second_points")]
    points = (_number("first_points"), _number("second_points")) if all(written) else None
    if points is None and any(written):
        raise EveningRefused("Write the points of both, or of nobody.")
    outcome = OUTCOMES.get(request.form.get("outcome", "")) or _outcome_of(points)
    players = _number("first"), _number("second")
    return [ResultTyping(_number("round"), *players, outcome, points, _number("over"))]


def _outcome_of(points: tuple[int, int] | None) -> TypedOutcome:
    """Who won by the points alone; raises EveningRefused where there are none."""
    if points is None:
        raise EveningRefused("Choose who won, or write the points of both.")
    first, second = points
    return "draw" if first == second else "first" if first > second else "second"


def _number(name: str) -> int:
    """A number of the form; raises EveningRefused."""
    text = request.form.get(name, "").strip()
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise EveningRefused("A number is missing, or is none.")
    return int(text)


FORMS: Mapping[str, tuple[Callable[[Evening], list[AnyStep]], str]] = {
    "arrival": (_arrivals, "players"),
    "absence": (
        lambda _: [PlayerAbsence(_number("player"), away=request.form.get("away") == "1")],
        "players",
    ),
    "naming": (
        lambda _: [PlayerNaming(_number("player"), _name(request.form.get("name", "")))],
        "players",
    ),
    "deletion": (lambda _: [PlayerDeletion(_number("player"))], "players"),
    "pairing": (_pairing, "round"),
    "swap": (_swap, "round"),
    "removal": (lambda _: [RoundRemoval(_number("round"), _number("typed"))], "round"),
    "typing": (_typing, "round"),
    "opening": (lambda _: [_opening()], "settings"),
}
"""The forms of the page by their kind: what makes the steps, and where the page goes on."""
