"""Games: the list, one game, its record, its report, and which rules a doubtful one fits."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, cast

import msgspec
from flask import Response, abort, current_app, flash, request
from flask.typing import ResponseReturnValue

from analyzer.identify.corrections import Correction
from analyzer.identify.matching_rules import RulesCandidate
from analyzer.ingest import correcting
from analyzer.ingest.correcting import make_corrections
from analyzer.players.match_course import read_leads
from analyzer.players.standings import (
    StatedOutcome,
    list_events,
    may_state_result,
    stated_outcome,
    with_stated_results,
)
from analyzer.players.winning_model import ChanceModels
from analyzer.review.deep_review import GameReview
from analyzer.store.games import read_records, stream_pieces
from analyzer.store.made_corrections import MadeCorrection, holding_numbers, list_corrections
from analyzer.store.store import GAME_ORDERS, GameFilter, GameListing, OtherRecord, StoredGame
from records.corrected import (
    LONGEST_COMMENT,
    LONGEST_VALUE,
    CorrectedFact,
    CorrectionRefused,
    Subject,
    fact_value,
    wrong_day_words,
)
from records.format.semantics import read_day
from records.phrases import pluralize
from records.record import Deal, Record, Result, has_only_scores
from records.rules.vocabulary import RuleSheet
from records.validate.report import Claim, Report
from webui.display.csv import rows_as_csv
from webui.display.text_layout import without_isolates
from webui.display.verdict_words import CUT_SHORT
from webui.display.words import result_words, won_by_words
from webui.replay.match_curve import Spark, draw_spark
from webui.server.actions import Action
from webui.server.client import client_address
from webui.server.game_cache import CachedGame
from webui.server.game_story import NO_STORY, GameStory, StoryMoment, tell_story
from webui.server.page import Page, Views, requested_page
from webui.server.request_kinds import EXPORTS, PAGES, REVIEWS, UPLOADS
from webui.server.responses import attachment, csv_attachment, is_scripted, json_response, lead_to
from webui.server.shown_findings import ShownDiagnosis, ShownGroup, group_of_game
from webui.views import game_cache, import_queue, review_desk, store
from webui.views.correction_forms import (
    ONLY_SENDER_TEXT,
    CorrectionForm,
    correction_form,
    fact_label,
    maker_of_correction,
    maker_words,
    may_correct,
)
from webui.views.deals import LAST_STEP, known_review

GAMES_PER_PAGE = 50
DOWNLOAD_SECONDS = 3600.0
"""How long a download of records may take: so long the database keeps them as they were."""
FILTER_NAMES = (
    "sheet", "verdict", "program", "player", "opponent", "event", "since", "until", "finding", "import",
)  # fmt: skip
WORD = re.compile(r"[^\W\d_]{2}")
"""What has two letters on end says what it is: “Final” needs no “round” before it, and “3” does."""
DATE_FILTERS = ("since", "until")
MOST_GAMES_IN_CSV = 100_000
CSV_COLUMNS = (
    "digest", "started", "event", "site", "sheet", "verdict", "complete", "players", "scores", "settlement", "winner",
    "deals", "findings", "program",
)  # fmt: skip
blueprint = Views("games", __name__)


class GamesPage(Page):
    """The list of games, in an `order`; `events` are those that can be chosen, `sparks` the lines of the lead by digest."""

    template = "games/games.html"
    games: list[StoredGame]
    total: int
    number: int
    last: int
    filters: Mapping[str, str]
    order: str
    events: Sequence[str]
    sparks: Mapping[str, Spark]

    @property
    def address_values(self) -> dict[str, str]:
        """What addresses of this list need: the filters that are set, and the order."""
        order = {} if self.order == "stored" else {"order": self.order}
        return {name: text for name, text in self.filters.items() if text} | order

    @property
    def data(self) -> object:
        """The games of one page of the list, as JSON."""
        return {"total": self.total, "page": self.number, "games": self.games}


@blueprint.page("/games", Action.READ, PAGES)
def games() -> GamesPage:
    """The games that pass the filters, newest first."""
    number, filters, listing = _requested_listing()
    return GamesPage(
        games=with_stated_results(store(), listing.games),
        total=listing.total,
        number=number,
        last=max(1, -(-listing.total // GAMES_PER_PAGE)),
        filters=filters,
        order=_requested_order(),
        events=[event.event for event in list_events(store())],
        sparks=draw_sparks(listing.games),
    )


def draw_sparks(games: Sequence[StoredGame]) -> dict[str, Spark]:
    """The lines of the lead of games in a list, by digest."""
    leads = read_leads(store(), [game.digest for game in games if game.deals > 1])
    return {digest: draw_spark(lead) for digest, lead in leads.items()}


@blueprint.address("/games.jsonl", Action.READ, EXPORTS)
def games_jsonl() -> ResponseReturnValue:
    """The records of all games that pass the filters, as uploaded, one per line."""
    return _records("games.jsonl")


@blueprint.address("/games.jsonl.gz", Action.READ, EXPORTS)
def games_jsonl_gz() -> ResponseReturnValue:
    """The same records, compressed."""
    return _records("games.jsonl.gz")


@blueprint.address("/games.csv", Action.READ, EXPORTS)
def games_csv() -> Response:
    """The games that pass the filters as CSV, one row per game."""
    chosen = _game_filter(_requested_filters())
    listing = store().games(chosen, limit=MOST_GAMES_IN_CSV, order=_requested_order())
    rows = (_csv_row(game) for game in listing.games)
    return csv_attachment(rows_as_csv(CSV_COLUMNS, rows), "games.csv")


def _csv_row(game: StoredGame) -> list[Any]:
    sides = game.side_names
    return [
        game.digest,
        game.started,
        game.event,
        game.site,
        game.sheet,
        game.verdict,
        game.complete,
        " – ".join(sides),
        " : ".join("?" if points is None else str(points) for points in game.scores),
        " : ".join(map(str, game.settlement or ())),
        sides[game.winner] if game.winner is not None and game.winner < len(sides) else None,
        game.deals,
        game.findings,
        game.program,
    ]


def _records(name: str) -> Response:
    chosen = _game_filter(_requested_filters())
    corrected = request.args.get("corrected") == "1"
    records = read_records(store(), chosen, seconds=DOWNLOAD_SECONDS, corrected=corrected)
    mimetype = "application/gzip" if name.endswith(".gz") else "application/x-ndjson"
    return attachment(stream_pieces(records, name), name, mimetype)


def _requested_listing() -> tuple[int, dict[str, str], GameListing]:
    """The requested page number and filters, and the games on that page."""
    number = requested_page()
    filters = _requested_filters()
    listing = store().games(
        _game_filter(filters),
        limit=GAMES_PER_PAGE,
        offset=GAMES_PER_PAGE * (number - 1),
        order=_requested_order(),
    )
    return number, filters, listing


def _requested_filters() -> dict[str, str]:
    return {name: without_isolates(request.args.get(name, ""))[:100] for name in FILTER_NAMES}


def _requested_order() -> str:
    order = request.args.get("order") or "stored"
    if order not in GAME_ORDERS:
        abort(400, f"Games can be sorted by {', '.join(GAME_ORDERS)}.")
    return order


def _game_filter(filters: dict[str, str]) -> GameFilter:
    """The filter for the list; answers 404 for an import that does not exist, 400 for what is no date."""
    values: dict[str, Any] = {name: filters[name] for name in FILTER_NAMES if name != "import"}
    for name in DATE_FILTERS:
        values[name] = read_date(filters[name])
    upload = filters["import"]
    if upload and import_queue().job(upload) is None:
        abort(404)
    return GameFilter(**values, upload=upload)


def read_date(text: str) -> date | None:
    """The day that a text names, None if it is empty; answers 400 for what is no date."""
    return (read_day(text) or abort(400, wrong_day_words(text))) if text else None


def _game_data(digest: str) -> object:
    """One game, its record as corrected, its report, the corrections, and the other records of its match."""
    game = game_cache().game(digest)
    return {
        "game": game_as_stored(game),
        "report": game.report,
        "record": game.record,
        "corrections": list_corrections(store(), game.digest),
        "other_records": store().other_records(game.digest),
    }


@dataclass(frozen=True, slots=True)
class DealLine:
    """A deal in the list of a game; `scores` are computed, and None for a deal not played out or left `open`.

    `totals` are the scores of all deals up to it, None from the first that has none.
    """

    number: int
    deal: Deal
    scores: list[int] | None
    totals: list[int] | None
    findings: int
    tone: str
    open: bool


class GameStoryPart(Page):
    """The curve, the moments and the deals of a game, for the script of its page."""

    template = "games/_story.html"
    game: StoredGame
    sheet: RuleSheet
    sides: list[str]
    deals: list[DealLine]
    story: GameStory


class GamePage(GameStoryPart):
    """One game; `mismatches` are the claims that differ from what the rules give.

    `winner` is a side; `result` tells in sentences who won and how the match was settled. A game with findings has a `diagnosis` if there
    is something to explain, and one that breaks no rule has a `story`.
    The mistakes of a `reviewable` game can be tried again. `other_records` are those of the match for which this
    one stands. `titles` are its round and its table, `replaced` is the digest of the
    stored record of which this is a new version, and the `form` corrects it, for those who may. Of a game that `has_only_scores`
    the record tells no play, and `stated` is what it says of the result.
    """

    template = "games/game.html"
    report: Report
    changed: Mapping[str, Any]
    groups: list[ShownGroup]
    mismatches: list[Claim]
    reviewable: bool
    winner: int | None
    result: list[str]
    diagnosis: ShownDiagnosis | None
    other_records: list[OtherRecord]
    titles: list[str]
    comment: str
    replaced: str
    corrections: list[MadeCorrection]
    form: CorrectionForm | None
    has_only_scores: bool
    stated: Result | None

    last_step = LAST_STEP
    fact_label = staticmethod(fact_label)
    maker_words = staticmethod(maker_words)

    @property
    def holding(self) -> set[int]:
        """The numbers of the corrections that hold."""
        return holding_numbers(self.corrections)

    @property
    def is_broken(self) -> bool:
        """Whether what is wrong comes before all else."""
        return self.report.verdict in ("illegal", "legal_with_mismatches")

    @property
    def stated_points(self) -> list[int | None] | None:
        """The points of each side as the record states them, if it shows too little to count them; otherwise None."""
        if self.has_only_scores and self.stated and self.stated.scores:
            return [*self.stated.scores]
        stated = [line.deal.claims.scores for line in self.deals if line.deal.claims and line.deal.claims.scores]  # fmt: skip
        is_counted = self.report.scores and any(points is not None for points in self.report.scores)
        if is_counted or not stated or len(stated) < len(self.deals):
            return None
        return [None if None in own else sum(own) for own in zip(*stated, strict=True)]

    @property
    def points(self) -> Sequence[int | None]:
        """The points of each side, None where they are open."""
        return self.stated_points or self.report.scores or [None] * len(self.sides)

    @property
    def is_plain_paper(self) -> bool:
        """Whether the record has only scores, and nothing contradicts them."""
        return self.has_only_scores and self.report.verdict == "undetermined"

    @property
    def watchable(self) -> bool:
        """Whether a replay would show anything."""
        events = any(line.deal.events for line in self.deals)
        return events or bool(self.deals and not self.has_only_scores)

    @property
    def counts_once(self) -> bool:
        """Whether the record and the one that it replaces are of one match."""
        others = {self.game.match, *(other.digest for other in self.other_records)}
        return self.replaced in others


@blueprint.page("/games/<digest>", Action.READ, PAGES, data=_game_data)
def game(digest: str) -> GamePage:
    """One game: verdict, findings, deals."""
    game = game_cache().game(digest)
    return _page(game, correction_form(game) if may_correct(game.digest) else None)


@blueprint.address("/games/<digest>/story", Action.READ, PAGES)
def story(digest: str) -> ResponseReturnValue:
    """The story of a game with its mistakes, which are looked for now if nobody has; 202 while that goes on.

    No request waits for them: a script that gets 202 asks again.
    """
    game = game_cache().game(digest)
    if not is_scripted():
        return lead_to("games.game", digest=game.digest)
    if game.why_not_reviewed:
        abort(404)
    found = review_desk().open(game.digest, client_address(), 0)
    if found.job is not None and not (found.review and found.review.is_read):
        return "", 202
    stored, deals = game_as_stored(game), _deals(game)
    part = GameStoryPart(
        game=stored,
        sheet=game.resolved.sheet,
        sides=stored.side_names,
        deals=deals,
        story=_story(game, stored.side_names, deals, known_review(game)),
    )
    return part.render()


@blueprint.form("/games/<digest>/corrections", Action.USE_LINK, UPLOADS)
def correct(digest: str) -> ResponseReturnValue:
    """Correct whatever the form tells otherwise than the page; what is refused is shown again as it was typed."""
    game = _correctable(digest)
    form = correction_form(game, request.form)
    if not form.changed_texts:
        flash("Nothing was changed.", "corrections")
        return _back_to_corrections(game)
    try:
        make_corrections(
            store(), game.digest, form.changed_texts, reason=form.why, made_by=maker_of_correction()
        )
    except CorrectionRefused as error:
        return _page(game, replace(form, problem=str(error))).render(), 409
    game_cache().clear()
    number = pluralize(len(form.changed_texts), "entry", "entries")
    flash(
        f"Corrected {number}. This page shows the correction; the uploaded file is kept as it was.",
        "corrections",
    )
    return _back_to_corrections(game)


@blueprint.form("/games/<digest>/corrections/<int:number>/undo", Action.USE_LINK, UPLOADS)
def undo_correction(digest: str, number: int) -> ResponseReturnValue:
    """Undo a correction."""
    game = _correctable(digest)
    try:
        correcting.undo_correction(store(), game.digest, number, undone_by=maker_of_correction())
    except CorrectionRefused as error:
        abort(409, str(error))
    game_cache().clear()
    flash(f"Undid correction {number}.", "corrections")
    return _back_to_corrections(game)


def _correctable(digest: str) -> CachedGame:
    """The game, if who asks may correct it."""
    game = game_cache().game(digest)
    return game if may_correct(game.digest) else abort(403, ONLY_SENDER_TEXT)


def _back_to_corrections(game: CachedGame) -> ResponseReturnValue:
    return lead_to("games.game", digest=game.digest, _anchor="corrections")


@blueprint.address("/games/<digest>/report.json", Action.READ, PAGES)
def report(digest: str) -> ResponseReturnValue:
    """The validation report, in its published form."""
    return json_response(game_cache().game(digest).report)


@blueprint.address("/games/<digest>/record.json", Action.READ, PAGES)
def record(digest: str) -> ResponseReturnValue:
    """The record as it was uploaded, byte for byte."""
    game = game_cache().game(digest)
    response = attachment(game.data, f"{digest[:12]}.json")
    response.add_etag()  # of the bytes: the digest stays when a note is added
    return response


@blueprint.address("/games/<digest>/corrected.json", Action.READ, PAGES)
def corrected(digest: str) -> ResponseReturnValue:
    """The record as corrected, in the canonical form; without corrections, as it was uploaded."""
    game = game_cache().game(digest)
    response = attachment(game.corrected_data, f"{digest[:12]}-corrected.json")
    response.add_etag()
    return response


def game_as_stored(game: CachedGame) -> StoredGame:
    """A game as it is stored now: since it was opened, another record may have come to stand for its match."""
    return store().game(game.digest) or game.stored


def _page(game: CachedGame, form: CorrectionForm | None) -> GamePage:
    stored, report = game_as_stored(game), game.shown_report
    sides = stored.side_names
    deals = _deals(game)
    stated = _stated(stored, game.record)
    return GamePage(
        game=stored,
        report=report,
        sheet=game.resolved.sheet,
        sides=sides,
        changed=game.resolved.changed,
        deals=deals,
        groups=group_of_game(game_cache(), stored, report.findings),
        mismatches=_mismatches(game),
        reviewable=not game.why_not_reviewed,
        winner=report.winner if stated is None else stated.winner,
        result=_result(stated, sides, game),
        diagnosis=ShownDiagnosis.of(report.findings, stored.names, game.mended.corrections),
        story=_known_story(game, sides, deals),
        other_records=store().other_records(game.digest),
        titles=_titles(game.record),
        replaced=_replaced(game),
        comment=fact_value(game.record, CorrectedFact("comment"))[:LONGEST_COMMENT],
        corrections=list_corrections(store(), game.digest),
        form=form,
        has_only_scores=has_only_scores(game.record),
        stated=game.record.result,
    )


def _mismatches(game: CachedGame) -> list[Claim]:
    """The scores that are wrong; a record without deals has nothing that its result could differ from."""
    claims = game.report.reconciliation if game.record.deals else []
    return [claim for claim in claims if claim.status == "differs"]


def _stated(game: StoredGame, record: Record) -> StatedOutcome | None:
    """The result that the record of a game states, where its play does not tell; without scores each side has 0."""
    if may_state_result(game):
        return stated_outcome(record)
    result, sides = record.result, len(game.side_names)
    if not has_only_scores(record) or result is None or result.winner is msgspec.UNSET:
        return None
    if result.winner is not None and result.winner >= sides:
        return None
    scores = result.scores if result.scores and len(result.scores) == sides else [0] * sides
    return StatedOutcome(scores, result.settlement, result.winner)


def _result(stated: StatedOutcome | None, sides: Sequence[str], game: CachedGame) -> list[str]:
    """Who won, in sentences: by the rules, or else as the record states it, with its scores or without."""
    if stated is None:
        return result_words(game.report, sides, game.resolved)
    return [
        f"{won_by_words(stated.winner, stated.scores, sides).removesuffix('.')}, as the record states."
    ]


def moments_of(game: CachedGame) -> Sequence[StoryMoment]:
    """The moments on the page of a game, in the order of play."""
    return _known_story(game, game_as_stored(game).side_names, _deals(game)).moments


def _known_story(game: CachedGame, sides: Sequence[str], deals: Sequence[DealLine]) -> GameStory:
    """The story of a game with the mistakes that are known already."""
    review = None if game.why_not_reviewed else known_review(game)
    return _story(game, sides, deals, review)


def _story(
    game: CachedGame, sides: Sequence[str], deals: Sequence[DealLine], review: GameReview | None
) -> GameStory:
    """The story of a game that breaks no rule, as far as its review is known."""
    if game.report.verdict == "illegal":
        return NO_STORY
    models: ChanceModels = current_app.extensions["chance_models"]
    totals = {line.number - 1: line.totals for line in deals if line.totals is not None}
    told = tell_story(store(), models, game, sides, totals, review)
    return replace(told, goes_on=review_desk().goes_on(game.digest))


def _replaced(game: CachedGame) -> str:
    """The digest of the stored record of which this one says that it is a new version; empty without one."""
    digest = (game.uploaded.meta or {}).get("replaces")
    found = store().game(digest) if isinstance(digest, str) and digest != game.digest else None
    return found.digest if found else ""


def _titles(record: Record) -> list[str]:
    """The round and the table of a match, as its record tells them."""
    titles = []
    subjects: tuple[Subject, ...] = ("round", "table")
    for subject in subjects:
        text = fact_value(record, CorrectedFact(subject)).strip()[:LONGEST_VALUE]
        if text:
            titles.append(text if WORD.search(text) else f"{subject.capitalize()} {text}")
    return titles


def _deals(game: CachedGame) -> list[DealLine]:
    scores = _scores(game.report)
    totals = _totals(scores)
    findings = Counter(finding.at.deal for finding in game.report.findings)
    tones = {f.at.deal: "bad" for f in game.report.findings if f.severity == "illegal"}
    return [
        DealLine(
            i + 1,
            deal,
            scores.get(i),
            totals.get(i),
            findings[i],
            tones.get(i, "fair"),
            open=i in scores and scores[i] is None,
        )
        for i, deal in enumerate(game.record.deals)
    ]


def _totals(scores: Mapping[int, list[int] | None]) -> dict[int, list[int]]:
    """The points of all deals up to each; those from the first without points on are not there."""
    totals: dict[int, list[int]] = {}
    for number in range(len(scores)):
        points, before = scores.get(number), totals.get(number - 1)
        if points is None or (number and before is None):
            break
        totals[number] = [a + b for a, b in zip(points, before or [0] * len(points), strict=True)]
    return totals


def _scores(report: Report) -> dict[int, list[int] | None]:
    """The computed points of every deal that was played out, by its index; None where the record leaves them open."""
    return {
        int(claim.pointer.split("/")[2]): cast("list[int] | None", claim.computed)
        for claim in report.reconciliation
        if claim.what == "deal scores"
    }


# Rules that fit: which ones do, and which correction would make an illegal game legal.

identify_blueprint = Views("identify", __name__)
MOST_BETTER_SHOWN = 3


class IdentifiedPart(Page):
    """Which rules fit better than those that a record names, and which single changes would mend a deal.

    `is_mended` says that the rules were tried on a copy whose habits are mended.
    """

    template = "identify/_identified.html"
    game: StoredGame
    better: Sequence[RulesCandidate]
    is_mended: bool
    corrections: Sequence[Correction]


class IdentifyPage(Page):
    """The rules that a game fits, and the corrections that would make an illegal one legal.

    `stated` are the options that the record states and that differ from the defaults of its sheet. The
    `mended_candidates` are the rules for a copy whose habits are mended, if there are any.
    """

    template = "identify/identify.html"
    game: StoredGame
    names: Sequence[str]
    stated: Mapping[str, Any]
    candidates: Sequence[RulesCandidate]
    mended_candidates: Sequence[RulesCandidate]
    corrections: Sequence[Correction]
    cut_short = CUT_SHORT

    @property
    def accepted(self) -> list[RulesCandidate]:
        """The rules that accept the record."""
        return [candidate for candidate in self.candidates if candidate.accepted]

    @property
    def others(self) -> list[RulesCandidate]:
        """The rules that do not."""
        return [candidate for candidate in self.candidates if not candidate.accepted]

    @property
    def part(self) -> IdentifiedPart:
        """What the page of the game shows of this."""
        return IdentifiedPart(
            game=self.game,
            better=self._better(self.mended_candidates or self.candidates)[:MOST_BETTER_SHOWN],
            is_mended=bool(self.mended_candidates),
            corrections=self.corrections,
        )

    def is_stated(self, candidate: RulesCandidate) -> bool:
        """Whether these are the rules that the record names, with the options that it states."""
        return candidate.sheet == self.game.sheet and candidate.options == self.stated

    def _better(self, candidates: Sequence[RulesCandidate]) -> list[RulesCandidate]:
        """The rules that fit better than those named: other sheets before it, or its own with other options."""
        own = [candidate.sheet for candidate in candidates].index(self.game.sheet)
        if own == 0 and not self.is_stated(candidates[0]):
            return [candidates[0]]
        return list(candidates[:own])


def _identify_data(digest: str) -> object:
    """The same as JSON."""
    game = game_cache().game(digest)
    candidates, corrections, mended = game.identified
    return {
        "rules": candidates,
        "did_you_mean": corrections,
        "habits": game.mended.corrections,
        "rules_once_mended": mended,
    }


@identify_blueprint.page("/games/<digest>/doubts", Action.READ, REVIEWS, data=_identify_data)
def identify(digest: str) -> ResponseReturnValue:
    """The rulebooks that accept a game, what does not fit the others, and possible corrections; for a script a part."""
    game = game_cache().game(digest)
    candidates, corrections, mended = game.identified
    page = IdentifyPage(
        game=game.stored,
        names=[player.name for player in game.shown_record.players],
        stated=game.resolved.changed,
        candidates=candidates,
        mended_candidates=mended,
        corrections=corrections,
    )
    if is_scripted():
        return page.part.render()
    return page.render()
