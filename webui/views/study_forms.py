"""What changes a study: a moment that is added from the table, edited, moved or deleted, the study's own words, and undo.

Whoever may upload begins a study, and gets its link, which the session of the browser keeps. By it the author changes the
study, on another device, too; the admin changes every one.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from flask import abort, flash, request, url_for
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from analyzer.store.studies import (
    DAYS_DELETED,
    ListedStudy,
    StoredStudy,
    StudiesFull,
    StudyContent,
    StudyGame,
    StudyRefused,
    begin_study,
    change_study,
    list_studies,
    read_stored_study,
    undo_change,
)
from records.events import AnyEvent
from records.format import codec
from records.phrases import pluralize
from records.record import MAX_NAME_LENGTH
from records.study import (
    LONGEST_STUDY_TEXT,
    MOST_LINE_NOTES,
    MOST_MOMENTS,
    LineNote,
    Study,
    StudyMoment,
)
from webui.replay.steps import FULL_VISIBILITY, DealSteps, ReplayStep
from webui.replay.what_if import (
    UnlawfulLine,
    events_for_url,
    read_line,
    read_line_steps,
    write_line,
)
from webui.server.access import may
from webui.server.actions import Action
from webui.server.game_cache import OpenedGame
from webui.server.game_story import StoryMoment
from webui.server.page import Page, Views
from webui.server.private_links import (
    link_key,
    new_link_key,
    own_studies,
    remember_study,
    study_key,
    upload_id,
)
from webui.server.private_uploads import RoomFull
from webui.server.request_kinds import PAGES, REPLAYS, UPLOADS
from webui.server.responses import keep_private, lead_to
from webui.views import game_cache, store
from webui.views.deals import (
    WRONG_STEP_TEXT,
    TablePage,
    deal_review,
    occasion_of,
    requested_near_seat,
    requested_number,
)
from webui.views.games import moments_of
from webui.views.studies import (
    QUESTION,
    VISIBILITY_NOTICES,
    VISIBILITY_WORDS,
    LineStep,
    ShownStudy,
    author_word,
    content_of,
    lay_out_moment,
    may_edit,
    offer_link,
    open_study_game,
)

blueprint = Views("study_forms", __name__)
blueprint.after_request(keep_private)
SAME_LINE = "same"
"""The choice that leaves the line of a moment as it is."""
CHOICES_PLAYED = (4, 12)
LONGEST_LINE_OFFERED = 100
NO_STUDY_TEXT = "Only its author, known by the link of the study, and the admin change it."
FULL_TEXT = f"A study has at most {MOST_MOMENTS} moments."


# A moment: added at the table, or edited.


@dataclass(frozen=True, slots=True)
class MomentForm:
    """The form of a moment, with what it says; `lines` are the lines that it may have, each as its value and in words.

    A new one says which of the `studies` it is for, and which game it is of, by hidden `fields`; `step` is its position.
    One of a study has a `number`, and may be followed by the `next` moment that can be edited.
    """

    address: str
    says: StudyMoment
    step: int
    lines: Sequence[tuple[str, str]]
    chosen_line: str
    fields: Mapping[str, str | int]
    studies: Sequence[ListedStudy] = ()
    chosen_study: str = ""
    study: ShownStudy | None = None
    number: int = 0
    next: int | None = None
    steps: Sequence[LineStep] = ()
    longest_title = MAX_NAME_LENGTH
    longest_text = LONGEST_STUDY_TEXT
    usual_question = QUESTION


class MomentFormPage(TablePage):
    """The form of a moment beside its position."""

    template = "studies/moment.html"
    view = "add_to_study"
    form: MomentForm

    @property
    def step(self) -> ReplayStep:
        """The position."""
        return self.deal.steps[self.step_number]

    @property
    def data(self) -> object:
        """What a moment of a study says, for who may change it."""
        return self.form.says


def add_to_study(game: OpenedGame, deal: int) -> MomentFormPage:
    """The form that adds a position of a deal (counted from 1) to a study; `?line=` is a line of What if."""
    if not may("upload"):
        abort(403, "This server keeps no studies of visitors.")
    start, says, better = _offered_moment(game, deal - 1)
    lines = list(_offered_lines(game, says, better))
    own = own_studies()
    studies = [
        each for each in list_studies(store(), own, every=may("edit-studies")) if may_edit(each.id)
    ]
    form = MomentForm(
        address=url_for("study_forms.add_moment"),
        says=says,
        step=start,
        lines=lines,
        chosen_line=request.args.get("line", better),
        fields={"near": says.near, "deal": deal, "event": start, **_game_fields(game)},
        studies=studies,
        chosen_study=next((each.id for each in studies if each.id in own), ""),
    )
    return _form_page(game, form)


def offered_moment(game: OpenedGame, deal: int) -> object:
    """A position of a deal (counted from 1) as a moment of a study, with what the form would say of it."""
    return _offered_moment(game, deal - 1)[1]


def _game_fields(game: OpenedGame) -> Mapping[str, str | int]:
    """What the form says of a game: its digest, or the private upload that it is in, and its number there."""
    if game.digest:
        return {"game": game.digest}
    return {"sent": game.source.values["sent"], "record": game.source.values["number"]}


def _offered_moment(game: OpenedGame, deal: int) -> tuple[int, StudyMoment, str]:
    """The position in the address, what the form says of it, and the better choice as an address has it.

    At a mistake that is the position before it, with the sentence of the review as the answer.
    """
    steps = game.deal(deal, FULL_VISIBILITY).deal
    last = min(len(game.record.deals[deal].events), len(steps.steps) - 1)
    start = min(requested_number("step", WRONG_STEP_TEXT) or 0, last)
    near = requested_near_seat(game, FULL_VISIBILITY)
    says = StudyMoment(game=0, at=[deal, start], title=_usual_title(steps, start), near=near)
    review = deal_review(game, steps, FULL_VISIBILITY) if "line" not in request.args else None
    headlines = review.headlines if review else {}
    at = next((each for each in (start, start - 1) if each in headlines), None)
    if review is None or at is None:
        return start, says, ""
    told, best = headlines[at], review.decided.get(at)
    answer = " ".join(filter(None, [told.headline, best.why if best else ""]))
    title = _usual_title(steps, at, steps.names[told.seat])
    says = replace(
        says, at=[deal, at], title=title, near=told.seat, question=QUESTION, answer=answer
    )
    return at, says, best.move if best else ""


def _usual_title(steps: DealSteps, start: int, name: str = "") -> str:
    """What a moment is called until somebody says otherwise: the deal, if there are several, and the trick.

    Where somebody has a choice to make, that is the trick which the choice belongs to, with the name of who makes it.
    """
    at = min(start + bool(name), len(steps.steps) - 1)
    heading = steps.steps[at].heading
    if steps.deals > 1:
        words = [f"Deal {steps.deal + 1}", heading[:1].lower() + heading[1:]]
        heading = ", ".join(filter(None, words))
    return f"{heading}: {name}" if name else heading


def _offered_lines(game: OpenedGame, says: StudyMoment, better: str) -> Iterator[tuple[str, str]]:
    """The lines that a moment may have: none, that of What if, the better choice, best play, and what was played."""
    deal, start = says.at
    yield "", "none"
    if tried := request.args.get("line"):
        yield tried, "your line of What if"
    if better:
        yield better, "the better choice"
    try:
        best = game.try_line(deal, start, "").best_line
    except UnlawfulLine:  # the replay ends before: it has no line
        return
    if best:
        yield write_line(best), "the best play of both, to the end of the deal"
    played, _ = events_for_url(game.record.deals[deal].events[start:])
    for most in CHOICES_PLAYED:
        if len(played) >= most:
            yield write_line(played[:most]), f"as it was played, {most} choices"
    if 0 < len(played) <= LONGEST_LINE_OFFERED:
        yield write_line(played), "as it was played, to the end of the deal"


def _form_page(game: OpenedGame, form: MomentForm) -> MomentFormPage:
    deal = game.deal(form.says.at[0], FULL_VISIBILITY).deal
    return MomentFormPage(
        digest=game.digest,
        source=game.source,
        deal=deal,
        sheet=game.resolved.sheet,
        visibility=FULL_VISIBILITY,
        near=min(form.says.near, len(game.record.players) - 1),
        step_number=min(form.step, len(deal.steps) - 1),
        least_loss=None,
        occasion=occasion_of(game),
        form=form,
    )


@blueprint.form("/studies/moments", Action.UPLOAD, UPLOADS)
def add_moment() -> ResponseReturnValue:
    """Add a position to a study, or to a new one."""
    of_game, game = _sent_game()
    place = [_sent_number("deal") - 1, _sent_number("event")]
    says = _sent_moment(StudyMoment(game=0, at=place, near=_sent_number("near")), game)
    study = request.form.get("study", "")
    if not study:
        begun = _begin(Study(title=_new_title(game), moments=[says]), [of_game])
        return _to_moment(begun, 1)
    stored = _editable(study)
    content = content_of(stored)
    if len(content.study.moments) >= MOST_MOMENTS:
        abort(400, FULL_TEXT)
    games = [*content.games] if of_game in content.games else [*content.games, of_game]
    says = replace(says, game=games.index(of_game))
    moments = [*content.study.moments, says]
    _change(stored, replace(content, study=replace(content.study, moments=moments), games=games))
    return _to_moment(study, len(moments))


def _new_title(game: OpenedGame) -> str:
    names = " – ".join(player.name for player in game.shown_record.players)
    return _text("new_title", MAX_NAME_LENGTH) or f"Study of {names}"[:MAX_NAME_LENGTH]


@blueprint.form("/studies", Action.UPLOAD, UPLOADS)
def begin() -> ResponseReturnValue:
    """Begin a study without moments."""
    begun = _begin(Study(title=_text("title", MAX_NAME_LENGTH) or "A study"), [])
    return lead_to("study_forms.edit", study=begun)


@blueprint.form("/games/<digest>/study", Action.UPLOAD, UPLOADS)
def begin_with_moments(digest: str) -> ResponseReturnValue:
    """Begin a study of the moments on the page of a game, each with its sentence there; leads to where it is changed."""
    game = game_cache().game(digest)
    moments = [_moment_of_story(game, each) for each in moments_of(game)]
    if not moments:
        abort(404, "The story of this game has no moments.")
    begun = _begin(Study(title=_new_title(game), moments=moments), [StudyGame(game.digest)])
    flash(
        f"The study has {pluralize(len(moments), 'moment')}. Only you see it. Change what you like."
    )
    return lead_to("study_forms.edit", study=begun)


def _moment_of_story(game: OpenedGame, told: StoryMoment) -> StudyMoment:
    deal = told.deal - 1
    steps = game.deal(deal, FULL_VISIBILITY).deal
    return StudyMoment(
        game=0,
        at=[deal, told.step],
        title=_usual_title(steps, told.step, steps.names[told.near or 0] if told.grade else ""),
        text="\n".join(filter(None, [told.says, told.more])),
        near=told.near or 0,
    )


def _begin(study: Study, games: list[StudyGame]) -> str:
    """Begin a study, and return its public id."""
    key = new_link_key()
    with _refusals():
        begin_study(store(), upload_id(key), StudyContent(study, games), author_word())
    remember_study(key)
    return upload_id(key)


def _to_moment(study: str, number: int) -> ResponseReturnValue:
    flash(f"Moment {number} is in the study.")
    return lead_to("studies.moment", study=study, number=number)


def _sent_game() -> tuple[StudyGame, OpenedGame]:
    """The game that a form names; answers 404 if there is none that the sender may see."""
    if digest := request.form.get("game"):
        game = game_cache().game(digest)
        return StudyGame(game.digest), game
    sent = request.form.get("sent", "")
    of_game = StudyGame("", sent, _sent_number("record"))
    opened = open_study_game(of_game) if link_key(sent) else None
    if opened is None:
        abort(404)
    return replace(of_game, digest=codec.digest(opened.record)), opened


def _sent_number(name: str) -> int:
    text = request.form.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else abort(400)


def _sent_moment(before: StudyMoment, game: OpenedGame) -> StudyMoment:
    """A moment as the form says it; answers 400 if it has no such position, or the line is not legal."""
    deal, start = before.at
    if not 0 <= deal < len(game.record.deals) or start > len(game.record.deals[deal].events):
        abort(400, "The game has no such position.")
    question = (_text("question") or QUESTION) if request.form.get("asks") else None
    says = replace(
        before,
        near=min(before.near, len(game.record.players) - 1),
        title=_text("title", MAX_NAME_LENGTH) or None,
        text=_text("text") or None,
        question=question,
        answer=_text("answer") or None,
        line=_sent_line(before, game),
    )
    return replace(says, notes=_sent_notes(says.line))


def _sent_line(before: StudyMoment, game: OpenedGame) -> list[AnyEvent]:
    text, (deal, start) = request.form.get("line", ""), before.at
    if text == SAME_LINE:
        return before.line
    try:
        line = read_line(text, len(game.record.players))
        if line:
            read_line_steps(game.shown_record, game.resolved, deal, start, line)
    except UnlawfulLine as wrong:
        abort(400, str(wrong))
    return line


def _sent_notes(line: Sequence[AnyEvent]) -> list[LineNote]:
    """The comments on the events of the line that the form has."""
    most = min(len(line), MOST_LINE_NOTES)
    return [
        LineNote(event=number, text=text)
        for number in range(most)
        if (text := _text(f"note-{number}"))
    ]


def _text(name: str, longest: int = LONGEST_STUDY_TEXT) -> str:
    """A text of the form; answers 400 if it is too long."""
    text = request.form.get(name, "").replace("\r\n", "\n").strip()
    if len(text) > longest:
        abort(400, f"This text has at most {longest:,} characters.")
    return text


@blueprint.page("/study/<study>/<int:number>/edit", Action.USE_LINK, REPLAYS)
def edit_moment(study: str, number: int) -> MomentFormPage:
    """The form of a moment, by its number from 1."""
    stored = _editable(study)
    content, says, game = _moment_of(stored, number)
    table = lay_out_moment(game, says)
    same = [(SAME_LINE, "as it is")] if says.line else []
    form = MomentForm(
        address=url_for("study_forms.change_moment", study=study, number=number),
        says=says,
        step=says.at[1],
        lines=[*same, *_offered_lines(game, says, "")],
        chosen_line=SAME_LINE if says.line else "",
        fields={"after": stored.version},
        study=ShownStudy(study, content, may_edit=True),
        number=number,
        next=_next_editable(content, number),
        steps=table.line if table else (),
    )
    return _form_page(game, form)


def _moment_of(stored: StoredStudy, number: int) -> tuple[StudyContent, StudyMoment, OpenedGame]:
    """A moment of a study, by its number from 1, with its game; answers 404 if either is not there."""
    content = content_of(stored)
    if not 1 <= number <= len(content.study.moments):
        abort(404)
    says = content.study.moments[number - 1]
    game = open_study_game(content.games[says.game])
    if game is None:
        abort(404, "The game of this moment is not stored any more.")
    return content, says, game


@blueprint.form("/study/<study>/<int:number>/edit", Action.USE_LINK, UPLOADS)
def change_moment(study: str, number: int) -> ResponseReturnValue:
    """Change what a moment says; the form field `next` leads on to the form of the next one."""
    stored = _editable(study)
    content, says, game = _moment_of(stored, number)
    _change_moments(stored, number, [_sent_moment(says, game)])
    if "next" in request.form and (follows := _next_editable(content, number)):
        return lead_to("study_forms.edit_moment", study=study, number=follows)
    return lead_to("studies.moment", study=study, number=number)


def _next_editable(content: StudyContent, number: int) -> int | None:
    """The number of the first moment behind this one whose game is there; None if there is none."""
    behind = enumerate(content.study.moments[number:], start=number + 1)
    return next((at for at, each in behind if open_study_game(content.games[each.game])), None)


@blueprint.form("/study/<study>/<int:number>/delete", Action.USE_LINK, UPLOADS)
def delete_moment(study: str, number: int) -> ResponseReturnValue:
    """Take a moment out of a study."""
    _change_moments(_editable(study), number, [])
    flash(f"Deleted moment {number}.")
    return lead_to("study_forms.edit", study=study)


@blueprint.form("/study/<study>/<int:number>/move", Action.USE_LINK, UPLOADS)
def move_moment(study: str, number: int) -> ResponseReturnValue:
    """Move a moment before another, or behind the last, by the form field `to`: its number afterwards."""
    stored = _editable(study)
    content, to = content_of(stored), _sent_number("to")
    moments = [*content.study.moments]
    if not (1 <= number <= len(moments) and 1 <= to <= len(moments)):
        abort(404)
    moments.insert(to - 1, moments.pop(number - 1))
    _change(stored, replace(content, study=replace(content.study, moments=moments)))
    return lead_to("study_forms.edit", study=study, _anchor="moments")


def _change_moments(stored: StoredStudy, number: int, new: list[StudyMoment]) -> None:
    content = content_of(stored)
    moments = [*content.study.moments]
    if not 1 <= number <= len(moments):
        abort(404)
    moments[number - 1 : number] = new
    _change(stored, replace(content, study=replace(content.study, moments=moments)))


# The study as a whole.


class StudyEditPage(Page):
    """A study as its author changes it; a deleted one can be brought back."""

    template = "studies/edit.html"
    study: ShownStudy | None
    stored: StoredStudy
    link: str
    visibilities = VISIBILITY_WORDS
    days_deleted = DAYS_DELETED
    longest_title = MAX_NAME_LENGTH
    longest_text = LONGEST_STUDY_TEXT

    @property
    def has_private_games(self) -> bool:
        """Whether it shows games of private uploads."""
        return self.study is not None and any(game.sent for game in self.study.content.games)

    @property
    def data(self) -> object:
        """How many changes a study has had, and how many of them can be undone."""
        return {
            "id": self.stored.id,
            "version": self.stored.version,
            "earlier": self.stored.earlier,
        }


@blueprint.page("/study/<study>/edit", Action.USE_LINK, PAGES)
def edit(study: str) -> StudyEditPage:
    """The study with its moments, to change it."""
    stored = _editable(study)
    key = study_key(study)
    return StudyEditPage(
        stored=stored,
        study=ShownStudy(study, stored.content, may_edit=True) if stored.content else None,
        link=url_for("studies.show", study=study, _anchor=key, _external=True) if key else "",
    )


@blueprint.form("/study/<study>/edit", Action.USE_LINK, UPLOADS)
def change(study: str) -> ResponseReturnValue:
    """Change the study's own words, and who sees it."""
    stored = _editable(study)
    content = content_of(stored)
    visibility = request.form.get("visibility", content.visibility)
    if visibility not in VISIBILITY_WORDS:
        abort(400)
    words = replace(
        content.study,
        title=_text("title", MAX_NAME_LENGTH) or content.study.title,
        by=_text("by", MAX_NAME_LENGTH) or None,
        text=_text("text") or None,
    )
    _change(stored, replace(content, study=words, visibility=visibility))
    flash(f"Saved. {VISIBILITY_NOTICES[visibility]}")
    return lead_to("study_forms.edit", study=study)


@blueprint.form("/study/<study>/delete", Action.USE_LINK, UPLOADS)
def delete(study: str) -> ResponseReturnValue:
    """Delete a study, which its page then offers to bring back."""
    _change(_editable(study), None)
    return lead_to("study_forms.edit", study=study)


@blueprint.form("/study/<study>/undo", Action.USE_LINK, UPLOADS)
def undo(study: str) -> ResponseReturnValue:
    """Undo the last change of a study, also its deletion."""
    stored = _editable(study)
    with _refusals():
        undo_change(store(), study, after=_seen_version(stored))
    flash("Undid the last change.")
    return lead_to("study_forms.edit", study=study)


def _editable(study: str) -> StoredStudy:
    """A study that who asks may change, also a deleted one; otherwise a page asks for its link, or 403."""
    stored = read_stored_study(store(), study) or abort(404)
    if not may_edit(study):
        offer_link()
        abort(403, NO_STUDY_TEXT)
    return stored


def _seen_version(stored: StoredStudy) -> int:
    """The number of changes that the study had when the form was made; that of now, if the form does not say it."""
    return _sent_number("after") if "after" in request.form else stored.version


def _change(stored: StoredStudy, content: StudyContent | None) -> None:
    with _refusals():
        now = None if content is None else _with_used_games(content)
        change_study(store(), stored.id, now, author_word(), after=_seen_version(stored))


def _with_used_games(content: StudyContent) -> StudyContent:
    """A study with the games that its moments show, in the order in which they do."""
    used = list(dict.fromkeys(each.game for each in content.study.moments))
    moments = [replace(each, game=used.index(each.game)) for each in content.study.moments]
    return replace(content, study=replace(content.study, moments=moments), games=[content.games[number] for number in used])  # fmt: skip


@contextmanager
def _refusals() -> Iterator[None]:
    """Answer 409 to a change that the study does not take, and 507 where there is no room."""
    try:
        yield
    except StudiesFull as full:
        raise RoomFull(str(full)) from full
    except StudyRefused as refused:
        abort(409, str(refused))
