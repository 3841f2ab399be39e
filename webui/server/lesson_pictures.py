"""A rulebook in pictures: what each article says, seen in a short example game."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from records.events import Meld
from records.rules.english import explain_sheet
from records.rules.registry import get_sheet
from webui.server.lessons import GameMoment, find_moments, open_example

STORY_SENTENCES = 2
"""How many sentences of its article stand beside a picture of the story."""
STORY_PARTS: Mapping[str, tuple[str, str]] = {
    "deal": ("The deal", "The deal"),
    "play": ("A trick", "A turn"),
    "melds": ("A meld", "A combination"),
    "close": ("The close", "The close"),
    "game": ("The count", "The count"),
}
"""The articles that the story tells, with its headings where there are tricks and where there are none."""


@dataclass(frozen=True, slots=True)
class PictureRow:
    """Cards that lie together, as the replay writes them, and whose or what they are."""

    label: str
    cards: list[str]


@dataclass(frozen=True, slots=True)
class Picture:
    """A position of an example game: its cards, what has just happened, and where to open it.

    `deal` counts from 1. `gains` are the points that were made, in words; `scores` are those of all, where the picture
    shows them.
    """

    game: str
    deal: int
    step: int
    say: str
    gains: list[str]
    rows: list[PictureRow]
    scores: list[tuple[str, int | None]]


@dataclass(frozen=True, slots=True)
class StoryPart:
    """One picture of the game in pictures, with what the rulebook says."""

    heading: str
    article: str
    text: str
    picture: Picture


@dataclass(frozen=True, slots=True)
class Lesson:
    """A rulebook in pictures: the story of a game, and a picture for each article."""

    game: str
    story: list[StoryPart]
    pictures: Mapping[str, Picture]


@cache
def sheet_lesson(sheet_id: str) -> Lesson:
    """The lesson of a rulebook, from the example game of this name."""
    sheet = get_sheet(sheet_id)
    sentences = {part.article: part.sentences for part in explain_sheet(sheet).sections}
    moments = find_moments(open_example(sheet_id), list(sentences))
    pictures = {name: _picture(sheet_id, name, moment) for name, moment in moments.items()}
    has_tricks = sheet.rules.tableau is None
    story = [
        StoryPart(
            headings[not has_tricks],
            name,
            " ".join(sentences[name][:STORY_SENTENCES]),
            pictures[name],
        )
        for name, headings in STORY_PARTS.items()
        if name in pictures
    ]
    return Lesson(sheet_id, story, pictures)


def _picture(game: str, article: str, moment: GameMoment) -> Picture:
    names = open_example(game).deal(moment.deal).deal.names
    step = moment.step
    return Picture(
        game=game,
        deal=moment.deal + 1,
        step=moment.number,
        say=step.say,
        gains=[f"{names[gain.seat]} +{gain.points} {gain.words}" for gain in step.gains],
        rows=[_shown(row, article) for row in ROWS[article](moment, names) if row.cards],
        scores=[(name, seat.total) for name, seat in zip(names, step.seats, strict=True)]
        if article in ("game", "brisques")
        else [],
    )


def _shown(row: PictureRow, article: str) -> PictureRow:
    """The row with its marks; only the picture of the close says which cards may be played."""
    if article == "close":
        return row
    return PictureRow(row.label, [item.replace(" legal", "") for item in row.cards])


Rows = Iterator[PictureRow]


def _hands(moment: GameMoment, names: list[str]) -> Rows:
    for name, seat in zip(names, moment.step.seats, strict=True):
        yield PictureRow(name, [*seat.hand, *["??"] * seat.backs])


def _own_hand(moment: GameMoment, names: list[str]) -> Rows:
    """The hand of whoever acted, or of the first player."""
    who = moment.step.who or 0
    yield PictureRow(names[who], moment.step.seats[who].hand)


def _stock(moment: GameMoment, names: list[str]) -> Rows:
    step = moment.step
    pile = ["??"] if step.stock else []
    yield PictureRow("Stock", [*pile, *([step.turn_up] if step.turn_up else [])])


def _trick(moment: GameMoment, names: list[str]) -> Rows:
    for seat, item in moment.step.centre:
        yield PictureRow(names[seat], [item])


def _laid(moment: GameMoment, names: list[str]) -> Rows:
    """What lies melded before whoever acted."""
    who = moment.step.who or 0
    for group in moment.step.seats[who].laid:
        yield PictureRow(f"{names[who]}, {group.words}", group.cards)


def _tableau(moment: GameMoment, names: list[str]) -> Rows:
    for pile in moment.step.tableau:
        yield PictureRow(pile.words, pile.cards)


def _joined(
    *parts: Callable[[GameMoment, list[str]], Rows],
) -> Callable[[GameMoment, list[str]], Rows]:
    """The rows of several kinds, one after the other."""

    def rows(moment: GameMoment, names: list[str]) -> Rows:
        for part in parts:
            yield from part(moment, names)

    return rows


def _play(moment: GameMoment, names: list[str]) -> Rows:
    """The trick, or the tableau with the hand of whoever plays where there are no tricks."""
    yield from (
        _joined(_own_hand, _tableau)(moment, names)
        if moment.step.tableau
        else _trick(moment, names)
    )


def _meld(moment: GameMoment, names: list[str]) -> Rows:
    """The meld that has just been made; its cards alone, if they do not stay on the table."""
    lifted = [row for row in _laid(moment, names) if _is_lifted(row)]
    if not lifted and isinstance(moment.event, Meld):
        lifted = [PictureRow(names[moment.event.seat], list(moment.event.cards))]
    yield from lifted or _own_hand(moment, names)


def _reuse(moment: GameMoment, names: list[str]) -> Rows:
    """All melds of whoever made one, or the hand in which its cards stay."""
    laid = list(_laid(moment, names))
    yield from laid or _own_hand(moment, names)


def _is_lifted(row: PictureRow) -> bool:
    return any("lifted" in item.split() for item in row.cards)


def _trumps(moment: GameMoment, names: list[str]) -> Rows:
    yield from _stock(moment, names) if moment.step.turn_up else _meld(moment, names)


def _dix(moment: GameMoment, names: list[str]) -> Rows:
    yield from _trick(moment, names) if moment.step.centre and not moment.step.gains else ()
    yield from _joined(_own_hand, _stock)(moment, names) if moment.step.gains else ()


ROWS: Mapping[str, Callable[[GameMoment, list[str]], Rows]] = {
    "deal": _joined(_hands, _stock),
    "cut": _stock,
    "trumps": _trumps,
    "dix": _dix,
    "carte_blanche": _own_hand,
    "play": _play,
    "draw": _joined(_own_hand, _stock),
    "close": _joined(_trick, _hands),
    "melds": _meld,
    "reuse": _reuse,
    "pending": _laid,
    "tableau": _tableau,
    "bonuses": _trick,
    "brisques": _trick,
    "game": _trick,
}
"""What the picture of each article shows."""
