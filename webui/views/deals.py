"""Deals: the replay, step by step, and pictures of it, still or moving."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar
from urllib.parse import urlsplit

from click import unstyle
from flask import Response, abort, current_app, request, url_for
from flask.typing import ResponseReturnValue

from analyzer.review.deep_review import GameReview
from records.rules.vocabulary import MeldsFrom, RuleSheet
from webui.display.verdict_words import VERDICT_TONES
from webui.display.words import date_words
from webui.replay.board import render_shared_step
from webui.replay.deal_reviews import DealReview, ReviewSentence, headline_at, review_deal
from webui.replay.mistakes import MistakeHeadline
from webui.replay.moving_pictures import Animation, Format, Span, plan_animation
from webui.replay.pictures import (
    PREVIEW_WIDTHS,
    draw_png,
    paint_for_paper,
    render_preview_svg,
    render_step_svg,
)
from webui.replay.steps import (
    FULL_VISIBILITY,
    DealSteps,
    LineAtStep,
    NoteAtStep,
    ReplayStep,
    Visibility,
    step_reasons,
    step_sentences,
    trick_starts,
)
from webui.replay.weighed_deals import CostlyLine, grade_review
from webui.server.client import client_address
from webui.server.game_cache import (
    CachedGame,
    GameSource,
    OpenedGame,
    encode_permalink,
    shorten_digest,
)
from webui.server.lessons import LessonChapter, lesson_chapters
from webui.server.limits import Busy
from webui.server.page import Page
from webui.server.responses import json_response, lead_to, text_response
from webui.server.shown_findings import ShownFinding
from webui.views import analysed_games, animation_queue, review_desk

AddressWord = TypeVar("AddressWord", Format, Span)
WRONG_STEP_TEXT = "A step is a number; 0 is before the first event."
LAST_STEP = 1_000_000
"""A step in an address that leads to the last step of any deal."""
PATIENCE_SECONDS = 50.0
"""So long somebody waits for an animation; then others come first, and it can be asked for again."""
NOT_MADE_TEXT = "The animation is not finished yet. Ask for it again in a few seconds."


class TablePage(Page):
    """A deal on the table, at one step.

    `digest` is that of a stored game, and empty for any other; `source` is where the game comes from.
    `near` is the seat at the near edge of the table, `least_loss` what makes a mistake, if the address names a limit.
    `occasion` says when and where a stored game was played, as far as its record does.
    """

    view: ClassVar[str]
    digest: str
    source: GameSource
    deal: DealSteps
    sheet: RuleSheet
    visibility: Visibility
    near: int
    step_number: int
    least_loss: int | None
    occasion: str

    @property
    def shows_captured_cards(self) -> bool:
        """Whether captured cards lie on the table face up."""
        return self.sheet.rules.melds_from is MeldsFrom.CAPTURED

    @property
    def other_seats(self) -> list[int]:
        """The other seats, in turn from the near one."""
        count = len(self.deal.names)
        return [(self.near + i) % count for i in range(1, count)]

    @property
    def _query(self) -> dict[str, Any]:
        """What the address names besides the game, the deal and the view."""
        return {"step": self.step_number}

    def address(self, view: str = "", **changes: str | int | bool | None) -> str:
        """The address of this page, or of another `view` of this deal, with some of its values changed.

        A change to None removes a value. The permalink or the private link of a game is passed on. Views that only
        stored games have are named with their blueprint.
        """
        name = view or self.view
        here: dict[str, Any] = {
            "deal": self.deal.deal + 1,
            **self._query,
            "see": self.visibility.seat,
            "until": self.visibility.until,
            "near": None if self.near == (self.visibility.seat or 0) else self.near,
            "least": self.least_loss,
        }
        endpoint = name if "." in name else f"{self.source.blueprint}.{name}"
        # What a change names has its place before the values of the source, and comes before them.
        return url_for(endpoint, **(here | changes | dict(self.source.values) | changes))

    @property
    def is_example(self) -> bool:
        """Whether the game is an example that every server has."""
        return self.source.blueprint == "examples"

    @property
    def is_public(self) -> bool:
        """Whether others than those who have its link can see the game."""
        return bool(self.digest) or self.is_example

    @property
    def is_private(self) -> bool:
        """Whether only who has the private link of an upload can see the game."""
        return "sent" in self.source.values


@dataclass(frozen=True, slots=True)
class EventLine:
    """A line of the event list; `heading` opens a trick, `notes` and `lines` come from the record.

    `reasons` say who takes the trick and why, and what points are for, where `say` does not.

    `graded` says what a choice cost that was worse than the best, with its grade and error; `sentences` are what the review says of
    it. `findings` are those of the event, each with its number in the deal.
    """

    step: int
    heading: str
    say: str
    reasons: list[str]
    gains: list[tuple[str, int]]
    tone: str
    notes: list[NoteAtStep]
    lines: list[LineAtStep]
    findings: list[tuple[int, ShownFinding]]
    melds: bool = False
    missed: int = 0
    graded: str = ""
    sentences: Sequence[ReviewSentence] = ()

    @property
    def kinds(self) -> str:
        """The filters of the list that leave this line in it."""
        kinds = {
            "melds": self.melds,
            "findings": bool(self.findings),
            "review": bool(self.sentences),
            "notes": bool(self.notes or self.lines),
        }
        return " ".join(kind for kind, holds in kinds.items() if holds)

    @property
    def cost(self) -> float:
        """The points that the costliest choice of this line lost."""
        return max((line.cost for line in self.sentences), default=0)


class ReplayPage(TablePage):
    """One deal of a game as it was played.

    There is a `review` if the game is reviewed and the whole deal is visible; `reviewable` says that it could be
    reviewed. `permalink` holds the whole record; it is empty if the record is too long for an address. `shows_best` says that
    the choices of the step are shown with their values.
    """

    template = "deals/replay.html"
    view = "replay"
    events: list[EventLine]
    findings: list[ShownFinding]
    trick_starts: list[int]
    json: str
    review: DealReview | None
    reviewable: bool
    permalink: str
    shows_best: bool

    @property
    def lesson(self) -> Sequence[LessonChapter]:
        """The chapters of the lesson that the game is; none of other games."""
        return lesson_chapters(self.source.values["game"]) if self.is_example else ()

    @property
    def chapter(self) -> int:
        """The chapter that the step belongs to, from 1; 0 before the first."""
        here = self.deal.deal + 1, self.step_number
        return sum((each.deal, each.step) <= here for each in self.lesson)

    @property
    def mistake(self) -> MistakeHeadline | None:
        """The mistake that the step tells, if there is one."""
        return headline_at(self.deal, self.step_number, self.review, best=self.shows_best)

    @property
    def questions(self) -> Mapping[int, str]:
        """The whole addresses that ask for a better choice than a mistake, by the steps before it and behind it."""
        costly = self.review.costly if self.review and self.digest else ()
        asked = [(each.step, self._question(each)) for each in costly if each.may_retry]
        return {**dict(asked), **{step + 1: address for step, address in asked}}

    def _question(self, about: CostlyLine) -> str:
        melding = 1 if about.is_melding else None
        return url_for("drills.game", digest=shorten_digest(self.digest), deal=about.deal, step=about.step, melding=melding, least=self.least_loss, _external=True)  # fmt: skip

    @property
    def headline(self) -> str:
        """What the step says: its mistake, or else what happened."""
        return (
            self.mistake.headline
            if self.mistake
            else step_sentences(self.deal.steps[self.step_number])
        )

    @property
    def more(self) -> str:
        """What happened at a step that tells a mistake, as far as the headline does not say it."""
        step = self.deal.steps[self.step_number]
        if self.mistake is None:
            return ""
        return step_sentences(step) if self.shows_best else step.taken

    @property
    def title(self) -> str:
        """The title of the page: a mistake, and whose deal it is."""
        told = [self.mistake.headline.removesuffix(".")] if self.mistake else []
        return ", ".join([*told, self.title_of_deal])

    @property
    def title_of_deal(self) -> str:
        """The title without what the step tells: players, deal, rules, date and site."""
        parts = [
            " – ".join(self.deal.names),
            f"deal {self.deal.deal + 1}",
            self.sheet.name,
            self.occasion,
        ]
        return ", ".join(filter(None, parts))

    @property
    def description(self) -> str:
        """What the step shows, in a sentence or two: what was done, and the points of all."""
        step = self.deal.steps[self.step_number]
        points = ", ".join(
            f"{name} {'–' if seat.points is None else seat.points}"
            for name, seat in zip(self.deal.names, step.seats, strict=True)
        )
        says = f"{self.mistake.headline} {step.say}" if self.mistake else step.say
        return f"Step {self.step_number} of a deal of {self.sheet.name}: {says} Points so far: {points}."

    def filters(self) -> list[tuple[str, str, int]]:
        """The filters of the list of events: name, words, and how many lines each leaves."""
        offered = {"melds": "Melds", "findings": "Findings", "notes": "Notes"}
        if self.reviewable:
            offered = {"review": "Mistakes", **offered}
        kinds = Counter(kind for line in self.events for kind in line.kinds.split())
        return [(name, words, kinds[name]) for name, words in offered.items()]

    @property
    def short_address(self) -> str:
        """The whole address of the step that is shown, as short as it can be."""
        short = {"digest": shorten_digest(self.digest)} if self.digest else {}
        return self.address(_external=True, **self._best, **short)

    @property
    def preview_address(self) -> str:
        """The whole address of the picture that programs show beside a link to this step.

        Empty for a game that nobody sees but who has its link.
        """
        if not self.is_public:
            return ""
        return self.address("replay_preview", _external=True, **self._best)

    @property
    def _best(self) -> dict[str, Any]:
        return {"best": 1} if self.shows_best and self.review else {}

    @property
    def review_address(self) -> str:
        """The address of the review of the whole game, or what makes the review of a game in no collection."""
        if self.digest:
            return url_for("reviews.review", digest=self.digest, least=self.least_loss)
        return self.address("review", see=None, until=None)

    @property
    def is_timed(self) -> bool:
        """Whether the record gives times."""
        return any(step.ms is not None for step in self.deal.steps)

    @property
    def is_unsure(self) -> bool:
        """Whether the position of some card is uncertain."""
        return any(seat.unsure for step in self.deal.steps for seat in step.seats)

    @property
    def query_tail(self) -> str:
        """What follows the step in an address of this deal: the view."""
        query = urlsplit(self.address(step=None)).query
        return f"&{query}" if query else ""

    def address_of_deal(self, deal: int) -> str:
        """The address of the first step of another deal, counted from 1.

        Where the future is hidden, later deals are hidden but for their first step; earlier ones are shown in full.
        """
        known = (
            None if self.visibility.until is None else LAST_STEP if deal <= self.deal.deal else 0
        )
        return self.address(deal=deal, step=None, until=known)


class EmbedPage(ReplayPage):
    """The replay alone, for a frame in another page."""

    template = "deals/embed.html"
    view = "embed.replay"


def replay(game: OpenedGame, deal: int) -> ReplayPage:
    """A deal (counted from 1) at a step: step 0 is the deal, step n follows event n."""
    return replay_page(ReplayPage, game, deal)


def replay_data(game: OpenedGame, deal: int) -> Response:
    """All visible steps of a deal."""
    visibility = requested_visibility(game)
    return current_app.response_class(
        game.deal(deal - 1, visibility).json, mimetype="application/json"
    )


def replay_text(game: OpenedGame, deal: int) -> Response:
    """A step as text, as the terminal draws it: with its rulebook above, and the mistake that it tells below."""
    steps, number, _ = requested_position(game, deal)
    review = deal_review(game, steps, requested_visibility(game))
    told = headline_at(steps, number, review, best=asks_for_best())
    lines = [
        f"Rules: {game.resolved.sheet.name}",
        unstyle("\n".join(render_shared_step(steps, number))),
    ]
    return text_response("\n".join([*lines, *(["", told.headline] if told else [])]) + "\n")


def replay_picture(game: OpenedGame, deal: int) -> Response:
    """A step as a picture, or as the wide one with large cards; also black on white, for paper."""
    render = render_preview_svg if request.args.get("wide") else render_step_svg
    svg = render(*requested_position(game, deal))
    return current_app.response_class(
        paint_for_paper(svg) if request.args.get("paper") else svg, mimetype="image/svg+xml"
    )


def replay_preview(game: OpenedGame, deal: int) -> Response:
    """A step as a preview picture for programs that show what a link leads to."""
    steps, number, near = requested_position(game, deal)
    visibility = requested_visibility(game)
    review = deal_review(game, steps, visibility)
    told = headline_at(steps, number, review, best=asks_for_best())
    return draw_preview(steps, number, near, told)


def draw_preview(
    deal: DealSteps, number: int, near: int, told: MistakeHeadline | None = None
) -> Response:
    """A step as a PNG, seen from the seat `near`, in the size that the address names; with the mistake that it tells."""
    picture = draw_png(render_preview_svg(deal, number, near, told), requested_width())
    return picture_response(picture, "image/png")


def picture_response(picture: bytes, mimetype: str) -> Response:
    """A picture that a browser may keep for an hour."""
    response = current_app.response_class(picture, mimetype=mimetype)
    response.headers["Cache-Control"] = "private, max-age=3600"
    response.add_etag()
    return response


def replay_gif(game: OpenedGame, deal: int) -> Response:
    """A trick, a moment or a whole deal as a GIF."""
    return _moving_picture(_requested_animation(game, deal, Format.GIF))


def replay_webp(game: OpenedGame, deal: int) -> Response:
    """A trick, a moment or a whole deal as a WebP."""
    return _moving_picture(_requested_animation(game, deal, Format.WEBP))


def animation_progress(game: OpenedGame, deal: int) -> Response:
    """The progress of an animation that somebody has asked for; the address names its `format`, too."""
    kind = _requested_word("format", Format, Format.GIF, "An animation is a gif or a webp.")
    progress = animation_queue().progress(_requested_animation(game, deal, kind))
    return json_response(progress or abort(404, "Nobody has asked for this animation."))


def _moving_picture(asked: Animation) -> Response:
    job = animation_queue().make(asked, client_address(), PATIENCE_SECONDS)
    if job.made:
        return picture_response(job.made, f"image/{asked.format}")
    raise Busy(503, job.reason or NOT_MADE_TEXT)


def _requested_animation(game: OpenedGame, deal: int, kind: Format) -> Animation:
    """The animation that the address names: its span, around its step, of what its view may see."""
    steps, number, near = requested_position(game, deal)
    return plan_animation(
        steps,
        game.record.deals[steps.deal].events,
        span=_requested_word("span", Span, Span.TRICK, "A span is a trick, a moment or a deal."),
        number=number,
        near=near,
        width=requested_width(),
        kind=kind,
    )


def _requested_word(
    name: str, kinds: type[AddressWord], default: AddressWord, wrong: str
) -> AddressWord:
    """The word that the address gives under this name; answers 400 with the text `wrong` if it is none of them."""
    try:
        return kinds(request.args.get(name, default))
    except ValueError:
        abort(400, wrong)


def requested_width() -> int:
    """How many pixels wide a picture is asked for; answers 400 if it has no such size."""
    width = PREVIEW_WIDTHS.get(request.args.get("size", "large"))
    return width or abort(400, "A picture is small or large.")


def requested_position(game: OpenedGame, deal: int) -> tuple[DealSteps, int, int]:
    """The deal as far as it may be seen, the step that the address names, and the seat at the near edge."""
    visibility = requested_visibility(game)
    steps = game.deal(deal - 1, visibility).deal
    number = min(requested_number("step", WRONG_STEP_TEXT) or 0, len(steps.steps) - 1)
    return steps, number, requested_near_seat(game, visibility)


def requested_number(name: str, wrong: str) -> int | None:
    """The number that the address gives under this name; answers 400 with the text `wrong` if it is none."""
    text = request.args.get(name)
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        abort(400, wrong)
    return int(text)


def requested_seat(name: str, game: OpenedGame) -> int | None:
    """The seat that the address gives under this name; answers 400 if there is no such seat."""
    players = len(game.record.players)
    wrong = f"A seat is a number from 0 to {players - 1}, in the order of the players."
    seat = requested_number(name, wrong)
    if seat is not None and seat >= players:
        abort(400, wrong)
    return seat


def requested_visibility(game: OpenedGame) -> Visibility:
    """The seat and the last step that the address limits the view to."""
    until = requested_number(
        "until", "The last step to show is a number; 0 is before the first event."
    )
    return Visibility(seat=requested_seat("see", game), until=until)


def requested_near_seat(game: OpenedGame, visibility: Visibility) -> int:
    """The seat at the near edge of the table: the one in the address, or else the one whose cards are seen."""
    near = requested_seat("near", game)
    return (visibility.seat or 0) if near is None else near


def requested_least_loss() -> int | None:
    """The points lost that make a mistake, if the address gives a limit."""
    wrong = "The smallest loss of a mistake is a number of points, 1 or more."
    least = requested_number("least", wrong)
    if least == 0:
        abort(400, wrong)
    return least


def asks_for_best() -> bool:
    """Whether the address asks for the values of the choices."""
    return request.args.get("best") == "1"


def deal_review(game: OpenedGame, deal: DealSteps, visibility: Visibility) -> DealReview | None:
    """The review of a deal as far as it is known, graded as the address asks; None where the view hides anything."""
    known = known_review(game) if visibility == FULL_VISIBILITY else None
    if known is None:
        return None
    played = game.record.deals[deal.deal].events
    return review_deal(grade_review(known, requested_least_loss()), deal.deal, played)


def replay_page(kind: type[ReplayPage], game: OpenedGame, number: int) -> ReplayPage:
    """The page of a deal (counted from 1), of either kind, at the step that the address names."""
    visibility = requested_visibility(game)
    opened_deal = game.deal(number - 1, visibility)
    deal = opened_deal.deal
    step = requested_number("step", WRONG_STEP_TEXT) or 0
    review = deal_review(game, deal, visibility)
    findings = _shown_findings(deal)
    return kind(
        digest=game.digest,
        source=game.source,
        deal=deal,
        visibility=visibility,
        sheet=game.resolved.sheet,
        near=requested_near_seat(game, visibility),
        step_number=min(step, len(deal.steps) - 1),
        events=_lines(deal, findings, review),
        findings=findings,
        trick_starts=trick_starts(deal.steps),
        json=opened_deal.json,
        review=review,
        least_loss=requested_least_loss(),
        occasion=occasion_of(game),
        reviewable=visibility == FULL_VISIBILITY and not game.why_not_reviewed,
        permalink=encode_permalink(game.corrected_data)
        if isinstance(game, CachedGame) and visibility == FULL_VISIBILITY
        else "",
        shows_best=asks_for_best(),
    )


def known_review(game: OpenedGame) -> GameReview | None:
    """The review of a game as far as it was made before, or is in the making."""
    if isinstance(game, CachedGame):
        known = review_desk().known(game.digest)
        return game.rename_review(known) if known else None
    return analysed_games().known_review(game.record)


def review(game: OpenedGame, deal: int) -> ResponseReturnValue:
    """Review a game that is in no collection, and lead back to a deal of it (counted from 1), with its review open."""
    if game.why_not_reviewed:
        abort(404)
    here: dict[str, Any] = {
        "deal": deal,
        "step": requested_number("step", WRONG_STEP_TEXT),
        "near": requested_seat("near", game),
        "least": requested_least_loss(),
        "tab": "review",
        **game.source.values,
    }
    analysed_games().review(game.record)
    return lead_to(f"{game.source.blueprint}.replay", **here)


def occasion_of(game: OpenedGame) -> str:
    """When and where a stored game was played: `5 March 2026, London`; empty if its record does not say."""
    if not isinstance(game, CachedGame):
        return ""
    stored = game.stored
    return ", ".join(filter(None, [stored.event, date_words(stored.started), stored.site]))


def _shown_findings(deal: DealSteps) -> list[ShownFinding]:
    """The findings of a deal, each with its step; they are in the order of the steps."""
    return [
        ShownFinding.of(deal.findings[i], deal.names, step=number)
        for number, step in enumerate(deal.steps)
        for i in step.findings
    ]


def _lines(
    deal: DealSteps, findings: Sequence[ShownFinding], review: DealReview | None
) -> list[EventLine]:
    """The lines of the list of events, one a step."""
    at_step: dict[int, list[tuple[int, ShownFinding]]] = defaultdict(list)
    for number, found in enumerate(findings):
        at_step[found.step or 0].append((number, found))
    return [
        _line(deal, number, step, at_step[number], review) for number, step in enumerate(deal.steps)
    ]


def _line(
    deal: DealSteps,
    number: int,
    step: ReplayStep,
    findings: list[tuple[int, ShownFinding]],
    review: DealReview | None,
) -> EventLine:
    before = deal.steps[number - 1].trick if number else 0
    return EventLine(
        step=number,
        heading=step.heading if step.trick != before else "",
        say=step.say,
        reasons=step_reasons(step, deal.names),
        gains=[(deal.names[gain.seat], gain.points) for gain in step.gains],
        tone=_tone([deal.findings[i].severity for i in step.findings]),
        notes=[note for note in deal.margin.notes if note.step == number],
        lines=[line for line in deal.margin.lines if line.step == number],
        findings=findings,
        melds=len(step.named) > 1,
        missed=review.missed_at.get(number, 0) if review else 0,
        graded=review.graded_at.get(number, "") if review else "",
        sentences=review.sentences_at.get(number, ()) if review else (),
    )


def _tone(severities: list[str]) -> str:
    """The tone of the worst finding, empty if there is none."""
    tones = {VERDICT_TONES[severity] for severity in severities}
    return next((tone for tone in ("bad", "fair", "plain") if tone in tones), "")
