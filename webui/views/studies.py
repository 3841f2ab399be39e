"""Studies: the list of them, the reader's view of one, its print, its frame, and the file with its games inside.

Whoever may read sees a public study, and one that is unlisted at its address. A private one needs its link, by which the
author is known, or the rights of the admin. What a study shows of a private game everybody sees who sees the study.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
from flask import Response, abort, flash, g, make_response, request, url_for
from flask.typing import ResponseReturnValue
from msgspec.structs import replace

from analyzer.store.studies import (
    ListedStudy,
    StoredStudy,
    StudyContent,
    StudyGame,
    StudyRefused,
    StudyVisibility,
    begin_study,
    list_studies,
    read_stored_study,
)
from records.format import codec
from records.phrases import pluralize
from records.study import (
    Study,
    StudyFile,
    StudyMoment,
    StudyUnreadable,
    pointed_cards,
    write_study,
)
from webui.replay.steps import FULL_VISIBILITY, DealSteps, ReplayStep, point_at
from webui.replay.what_if import UnlawfulLine, read_line_steps
from webui.server.access import may, name_of_actor
from webui.server.actions import Action
from webui.server.game_cache import CachedGame, GameNotFound, OpenedGame
from webui.server.page import Page, Views
from webui.server.private_links import (
    link_key,
    new_link_key,
    own_studies,
    remember_study,
    study_key,
    upload_id,
)
from webui.server.private_uploads import open_private_record
from webui.server.request_kinds import EXPORTS, PAGES, REPLAYS
from webui.server.responses import allow_framing, attachment, keep_private
from webui.server.sent_studies import find_studies
from webui.views import game_cache, private_uploads, store
from webui.views.deals import TablePage, occasion_of, requested_number
from webui.views.sent import ask_for_link

blueprint = Views("studies", __name__)
WRONG_LINE_TEXT = "A place in a line is a number; 0 is before its first event."
QUESTION = "What would you play?"
VISIBILITY_WORDS: dict[StudyVisibility, str] = {
    "private": "Private: only you, with your editing link",
    "unlisted": "Unlisted: whoever has the readers’ link",
    "public": "Public: everybody, and it is in the list of studies",
}
VISIBILITY_NOTICES: dict[StudyVisibility, str] = {
    "private": "Only you see it, with your editing link.",
    "unlisted": "Whoever has the readers’ link sees it.",
    "public": "Everybody sees it, and it is in the list of studies.",
}
"""The same as it is said after the choice."""


# Who may see and change a study.


def may_edit(study: str) -> bool:
    """Whether who asks may change a study: its author, known by its link, and the admin."""
    return not store().read_only and (bool(study_key(study)) or may("edit-studies"))


def find_study(study: str) -> StoredStudy:
    """A study that is not deleted and that who asks may see; otherwise a page asks for its link, or 404."""
    stored = read_stored_study(store(), study)
    if stored is None or stored.content is None:
        abort(404)
    if stored.content.visibility == "private" and not (study_key(study) or may("edit-studies")):
        offer_link()
        abort(404)
    g.is_public_study = stored.content.visibility == "public"
    return stored


def content_of(stored: StoredStudy) -> StudyContent:
    """What a study contains; answers 404 for a deleted one."""
    return stored.content or abort(404)


def offer_link() -> None:
    """Answer the request of a person, who may have a link, with the page that asks for it."""
    if request.method == "GET" and "text/html" in request.headers.get("Accept", ""):
        abort(make_response(ask_for_link(request.path)))


def author_word() -> str:
    """Who changes a study, as it is noted with the change."""
    return name_of_actor() if may("edit-studies") else "author"


@blueprint.after_request
def _keep_private(response: Response) -> Response:
    """Let no cache and no search engine keep what is not public."""
    return response if g.get("is_public_study") else keep_private(response)


# The games and moments of a study.


def open_study_game(game: StudyGame) -> OpenedGame | None:
    """A game of a study; None if it is not stored any more."""
    if not game.sent:
        try:
            return game_cache().game(game.digest)
        except GameNotFound:
            return None
    upload = private_uploads().load_whole(game.sent)
    if upload is None or not 1 <= game.number <= len(upload.records):
        return None
    return open_private_record(upload.records[game.number - 1], game.sent, game.number)


@dataclass(frozen=True, slots=True)
class LineStep:
    """An event of a line: in words, the points that it scored, and the comment on it."""

    says: str
    gains: list[tuple[str, int]]
    note: str


class MomentOnTable(NamedTuple):
    """A moment as it is shown: the deal with its line, the step where the line begins, and what is wrong with the line."""

    deal: DealSteps
    start: int
    line: list[LineStep]
    problem: str = ""


def lay_out_moment(game: OpenedGame, moment: StudyMoment) -> MomentOnTable | None:
    """A moment of a game; None where the game has no such position."""
    number, start = moment.at
    if number >= len(game.record.deals):
        return None
    deal = game.deal(number, FULL_VISIBILITY).deal
    start = min(start, len(deal.steps) - 1)
    if not moment.line:
        return MomentOnTable(deal, start, [])
    try:
        branch, line = read_line_steps(game.shown_record, game.resolved, number, start, moment.line)
    except UnlawfulLine as wrong:
        return MomentOnTable(deal, start, [], str(wrong))
    notes = {note.event: note.text for note in moment.notes}
    played = branch.steps[start + 1 : start + 1 + len(line)]
    return MomentOnTable(
        branch,
        start,
        [_line_step(step, branch.names, notes.get(event, "")) for event, step in enumerate(played)],
    )


def _line_step(step: ReplayStep, names: Sequence[str], note: str) -> LineStep:
    return LineStep(step.say, [(names[gain.seat], gain.points) for gain in step.gains], note)


class ShownStudy(msgspec.Struct, frozen=True):
    """A study on a page: its public id, what it contains, whether who asks may change it, and whether it is in a frame."""

    id: str
    content: StudyContent
    may_edit: bool
    framed: bool = False

    @property
    def says(self) -> Study:
        """What it says."""
        return self.content.study

    def moment_title(self, number: int) -> str:
        """What a moment is called, by its number from 1."""
        return self.says.moments[number - 1].title or f"Moment {number}"

    def address(self, number: int = 1, line: int | None = None) -> str:
        """The address of a moment, by its number from 1, and of a place in its line."""
        anchor = "study" if line is None else "here"
        if number == 1 and line is None and not self.framed:
            return url_for("studies.show", study=self.id, _anchor=anchor)
        view = "studies.embed" if self.framed else "studies.moment"
        return url_for(view, study=self.id, number=number, line=line, _anchor=anchor)


@dataclass(frozen=True, slots=True)
class ShownMoment:
    """A moment on a page, by its number from 1; after `place` events of its `line`, or before it is wanted: None."""

    study: ShownStudy
    number: int
    moment: StudyMoment
    line: list[LineStep]
    place: int | None
    problem: str = ""

    @property
    def is_answered(self) -> bool:
        """Whether the answer is shown."""
        return self.place is not None

    @property
    def question(self) -> str:
        """What is asked; empty if nothing is."""
        return self.moment.question or ""

    def at(self, place: int) -> str:
        """The address of a place in the line."""
        return self.study.address(self.number, place)

    @property
    def on(self) -> tuple[str, str]:
        """The address of what comes next, and what that is, in words: the answer, the line, the next moment; or nothing."""
        if self.question and not self.is_answered:
            return self.at(0), "Show the answer"
        if (self.place or 0) < len(self.line):
            return self.at((self.place or 0) + 1), "Step on"
        if self.number < len(self.study.says.moments):
            return self.study.address(self.number + 1), "Next moment"
        return "", ""

    @property
    def back(self) -> str:
        """The address of what came before; empty at the beginning."""
        if self.place and (self.place > 1 or self.question):
            return self.at(self.place - 1)
        if self.is_answered:
            return self.study.address(self.number)
        return self.study.address(self.number - 1) if self.number > 1 else ""

    @property
    def title(self) -> str:
        """What it is called."""
        return self.study.moment_title(self.number)

    @property
    def text_in_line(self) -> str:
        """The comment on the event of the line that is shown."""
        return self.line[self.place - 1].note if self.place else ""

    @property
    def spoken(self) -> str:
        """What a screen reader says of a step: the event of the line with its comment, the answer, or what it is called."""
        if self.place:
            return f"{self.line[self.place - 1].says} {self.text_in_line}".strip()
        return (self.moment.answer or "") if self.is_answered else self.title

    @property
    def pointed(self) -> frozenset[str]:
        """The cards that the comments point at which are shown."""
        if self.place:
            return pointed_cards(self.text_in_line)
        parts = [self.moment.text, self.moment.question]
        return pointed_cards(
            " ".join(filter(None, [*parts, self.moment.answer if self.is_answered else ""]))
        )


class StudyPage(TablePage):
    """A moment of a study on the table."""

    template = "studies/study.html"
    view = "replay"
    shown: ShownMoment
    opens: bool

    @property
    def step(self) -> ReplayStep:
        """The step that is shown, with marks on the cards that are pointed at."""
        return point_at(self.deal.steps[self.step_number], self.shown.pointed)

    @property
    def turn(self) -> str:
        """Whose turn it is at the position, in words; empty if it is nobody's."""
        last = len(self.deal.steps) - 1
        return self.deal.steps[min(self.shown.moment.at[1], last)].turn

    @property
    def preview_address(self) -> str:
        """The whole address of the picture that programs show beside a link to this page; empty for a private one."""
        if not self.digest or self.shown.study.content.visibility == "private":
            return ""
        deal, start = self.shown.moment.at
        near = self.near or None
        return url_for("deals.replay_preview", digest=self.digest, deal=deal + 1, step=start, near=near, _external=True)  # fmt: skip

    @property
    def game_address(self) -> str:
        """The address of the game at this position, where whoever asks may open it; empty elsewhere."""
        return self.address("replay", step=self.shown.moment.at[1]) if self.opens else ""


class TextOfStudyPage(Page):
    """A study without moments, or a moment whose game is not stored any more."""

    template = "studies/study.html"
    shown: ShownMoment | None
    study: ShownStudy


# The pages.


class StudyListPage(Page):
    """The public studies, and those that the browser has the links of, or all of them for the admin."""

    template = "studies/studies.html"
    studies: Sequence[ListedStudy]
    own: frozenset[str]

    @property
    def data(self) -> object:
        """The studies that who asks may see in the list, with their titles."""
        return [
            {
                "id": each.id,
                "title": each.content.study.title,
                "by": each.content.study.by,
                "moments": len(each.content.study.moments),
                "visibility": each.content.visibility,
                "changed_at": each.changed_at,
            }
            for each in self.studies
        ]


@blueprint.page("/studies", Action.READ, PAGES)
def index() -> StudyListPage:
    """The list of studies."""
    own = own_studies()
    studies = list_studies(store(), own, every=may("edit-studies"))
    return StudyListPage(studies=studies, own=frozenset(own))


def _study_data(study: str) -> object:
    """What a study says, who may see it, and the digests of its games, which its moments name by their numbers."""
    content = content_of(find_study(study))
    return {
        "id": study,
        "visibility": content.visibility,
        **msgspec.to_builtins(content.study),
        "games": [game.digest for game in content.games],
    }


def _moment_data(study: str, number: int) -> object:
    """What a moment of a study says, and the digest of its game."""
    content = content_of(find_study(study))
    if not 1 <= number <= len(content.study.moments):
        abort(404)
    moment = content.study.moments[number - 1]
    return {**msgspec.to_builtins(moment), "game": content.games[moment.game].digest}


@blueprint.page("/study/<study>", Action.READ, REPLAYS, data=_study_data)
def show(study: str) -> StudyPage | TextOfStudyPage:
    """A study, at its first moment."""
    return _page(find_study(study), 1, framed=False)


@blueprint.page("/study/<study>/<int:number>", Action.READ, REPLAYS, data=_moment_data)
def moment(study: str, number: int) -> StudyPage | TextOfStudyPage:
    """A moment of a study, by its number from 1; `?line=` is a place in its line, and shows the answer."""
    stored = find_study(study)
    if not 1 <= number <= len(content_of(stored).study.moments):
        abort(404)
    return _page(stored, number, framed=False)


def _embedded_data(study: str, number: int) -> object:
    """What a moment of a study says that is not private, and the digest of its game."""
    _require_framed(study, number)
    return _moment_data(study, number)


@blueprint.page("/embed/study/<study>/<int:number>", Action.READ, REPLAYS, data=_embedded_data)
def embed(study: str, number: int) -> Response:
    """A moment of a study alone, for a frame in another page; a private study is in none."""
    stored = _require_framed(study, number)
    return allow_framing(make_response(_page(stored, number, framed=True).render()))


def _require_framed(study: str, number: int) -> StoredStudy:
    """A study that others may frame, which has this moment; answers 404 if there is none."""
    stored = read_stored_study(store(), study)
    if stored is None or stored.content is None or stored.content.visibility == "private":
        abort(404)
    g.is_public_study = stored.content.visibility == "public"
    return stored if 1 <= number <= len(stored.content.study.moments) else abort(404)


def _page(stored: StoredStudy, number: int, *, framed: bool) -> StudyPage | TextOfStudyPage:
    content = content_of(stored)
    study = ShownStudy(stored.id, content, not framed and may_edit(stored.id), framed)
    if not content.study.moments:
        return TextOfStudyPage(shown=None, study=study)
    return moment_page(study, number, requested_number("line", WRONG_LINE_TEXT))


def moment_page(study: ShownStudy, number: int, place: int | None) -> StudyPage | TextOfStudyPage:
    """The page of a moment, by its number from 1, after so many events of its line."""
    shown = study.says.moments[number - 1]
    of_game = study.content.games[shown.game]
    game = open_study_game(of_game)
    table = lay_out_moment(game, shown) if game else None
    if game is None or table is None:
        place = None if place is None else 0
        return TextOfStudyPage(study=study, shown=ShownMoment(study, number, shown, [], place))
    place = None if place is None else min(place, len(table.line))
    return StudyPage(
        digest=game.digest,
        source=game.source,
        deal=table.deal,
        sheet=game.resolved.sheet,
        visibility=FULL_VISIBILITY,
        near=min(shown.near, len(game.record.players) - 1),
        step_number=_step_of_place(table, place or 0),
        least_loss=None,
        occasion=occasion_of(game),
        shown=ShownMoment(study, number, shown, table.line, place, table.problem),
        opens=not study.framed and (bool(game.digest) or bool(link_key(of_game.sent))),
    )


def _step_of_place(table: MomentOnTable, place: int) -> int:
    """The step after so many events of the line; a line that ends the deal ends with its settlement."""
    ends = bool(table.line) and place == len(table.line) and bool(table.deal.outcome)
    return len(table.deal.steps) - 1 if ends else table.start + place


class PrintedStudyPage(Page):
    """A whole study on one page, every line at its end, for paper."""

    template = "studies/print.html"
    study: ShownStudy
    moments: Sequence[StudyPage | TextOfStudyPage]


@blueprint.page("/study/<study>/print", Action.READ, EXPORTS, data=_study_data)
def printed(study: str) -> PrintedStudyPage:
    """A whole study on one page, to print."""
    stored = find_study(study)
    content = content_of(stored)
    shown = ShownStudy(stored.id, content, may_edit=False)
    numbers = range(1, len(content.study.moments) + 1)
    return PrintedStudyPage(
        study=shown, moments=[moment_page(shown, number, None) for number in numbers]
    )


# The file of a study, and what is made of one that was sent.


@blueprint.address("/study/<study>/file.json", Action.READ, EXPORTS)
def file(study: str) -> ResponseReturnValue:
    """A study as one file with the records of its games, which another site takes as an upload."""
    content = content_of(find_study(study))
    found = list(map(_record_of_game, content.games))
    lost = [number for number, data in enumerate(found) if data is None]
    records = [data for data in found if data is not None]
    try:
        data = write_study(_without_games(content.study, lost), records)
    except StudyUnreadable as wrong:
        abort(413, str(wrong))
    return attachment(data, f"study-{study[:12]}.json")


def _record_of_game(of_game: StudyGame) -> bytes | None:
    """The record of a game as it is stored, which another site then stores, too; None if the game is not there any more."""
    game = open_study_game(of_game)
    if game is None:
        return None
    if isinstance(game, CachedGame):
        return _as_member(game.corrected_data, game)
    upload = private_uploads().load_whole(of_game.sent)
    return _as_member(upload.records[of_game.number - 1].data, game) if upload else None


def _as_member(data: bytes, game: OpenedGame) -> bytes:
    """The bytes of a record as a member of a file: its own, unless they are no JSON by themselves."""
    try:
        msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return codec.encode(game.record)
    return data.strip()


def _without_games(study: Study, lost: Sequence[int]) -> Study:
    """A study without the moments of games that are not there any more; the others are numbered anew."""
    moments = [
        replace(each, game=each.game - sum(number < each.game for number in lost))
        for each in study.moments
        if each.game not in lost
    ]
    return replace(study, moments=moments)


def keep_studies(files: Sequence[tuple[str, bytes]], sent: str = "") -> list[str]:
    """Store the studies among files that were sent, each as a private one of the sender's, and say so.

    Their games are stored by now, or those of the private upload `sent`, by its public id. Returns the studies' public ids.
    """
    kept = list[str]()
    for each in find_studies(files):
        if isinstance(each, StudyUnreadable):
            flash(str(each))
            continue
        key = new_link_key()
        games = _games_of_file(each, sent)
        content = StudyContent(each.study, games)
        try:
            begin_study(store(), upload_id(key), content, author_word())
        except StudyRefused as refused:
            flash(str(refused))
            continue
        remember_study(key)
        kept.append(upload_id(key))
        moments = pluralize(len(each.moments), "moment")
        flash(f"Stored the study “{each.title}” with {moments}: find it under Studies.")
    return kept


def _games_of_file(file: StudyFile, sent: str) -> list[StudyGame]:
    digests = [codec.decode(bytes(raw)).digest() or "" for raw in file.records]
    if not sent:
        return [StudyGame(digest) for digest in digests]
    upload = private_uploads().load_whole(sent)
    private = [codec.decode(each.data).digest() for each in upload.records] if upload else []
    return [
        StudyGame(digest, sent, private.index(digest) + 1)
        if digest in private
        else StudyGame(digest)
        for digest in digests
    ]
