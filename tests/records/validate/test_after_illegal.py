"""After an illegal event: the table of the specification holds for one breach of every code on every kind of event."""

import re
from collections.abc import Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import NamedTuple

import pytest

from records.documents.schemas import SPEC_FOLDER
from records.engine.table import Table
from records.events import (
    CarteBlanche,
    Cut,
    Declare,
    Discard,
    Dix,
    Draw,
    Event,
    Irregular,
    Meld,
    Play,
    Score,
    Trick,
)
from records.record import Deal, Record
from records.replay import Frame, replay
from records.validate.codes import FINDING_CODES
from tests.make import tables, turns
from tests.playouts.games import STANDARD, Way
from tests.playouts.mutants import KINDS
from tests.samples.broken import RECORDS

FULL_PILE = 5
CHAPTER = (SPEC_FOLDER / "format.md").read_text().split("\n### After an illegal event\n", 1)[1]
CHAPTER = CHAPTER.split("\n## ", 1)[0].split("\n### ", 1)[0]


class Row(NamedTuple):
    """What the specification says of an event: whether it scores, where its cards go, whose turn it is."""

    scores: str
    cards: str
    turn: str


def specified() -> dict[tuple[str, str], Row]:
    """The row of the table for every code on every kind of event."""
    lines = re.findall(r"^\| `.*", CHAPTER, re.MULTILINE)
    rows = {}
    for line in lines:
        codes, kinds, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        for code in re.findall(r"`([^`]+)`", codes):
            for kind in kinds.split(", "):
                assert (code, kind) not in rows
                rows[code, kind] = Row(*cells)
    return rows


SPECIFIED = specified()
DEALT = set(re.findall(r"`([^`]+)`", CHAPTER.split("On the deal itself (", 1)[1].split(")", 1)[0]))
"""The codes of what is wrong before the first event or after the last."""


def kind_of(event: Event, *, zetema: bool) -> str:
    """The kind of an event as the table calls it."""
    match event:
        case Meld(meld=name) if zetema:
            return "marriages" if name == "marriages" else "combination"
        case Dix(action="exchange"):
            return "exchange"
        case Dix():
            return "dix"
        case CarteBlanche():
            return "carte blanche"
    return {Play: "play", Draw: "draw", Meld: "meld", Declare: "declare", Discard: "discard",
            Cut: "cut"}[type(event)]  # fmt: skip


class Breach(NamedTuple):
    """A position and events of which the last is illegal; it would score, or takes a trick, wherever it can."""

    code: str
    position: str
    told: str
    sheet: str = "bezique"
    options: Mapping[str, object] = MappingProxyType({})

    @property
    def record(self) -> Record:
        if self.sheet == "zetema":
            return turns.record_of(self.deal, **self.options)
        return tables.record_of([self.deal], sheet=self.sheet, **self.options)

    @property
    def deal(self) -> Deal:
        told = turns if self.sheet == "zetema" else tables
        deal = told.deal_of(self.position, self.told)
        deal.knowledge = "full"
        return deal

    @property
    def kind(self) -> str:
        return kind_of(self.deal.events[-1], zetema=self.sheet == "zetema")

    def __str__(self) -> str:
        return f"{self.code}-{self.kind}"


NORTH_WON = "S: 9S 9H 9D | turn-up 8C | stock 1 | N won"
NORTH_LEADS = "S: 9S 9H 9D | turn-up 8C | stock 1 | N leads"
LAST = "N: 9S | S: 8S | trump H | N leads"
FULL = "A: 2S 3S 4S 5S 6S 8S | B: 3H 3D 4C 7H 8D 9D"
# fmt: off
PLAYS = [
    Breach("must-follow-suit", "N: 8C | S: 9H 7S | trump S | S replies to KH", "S 7S"),
    Breach("must-beat", "N: 7S | S: AH 7H | trump H | S replies to 8H", "S 7H"),
    Breach("must-trump", "N: 7S | S: 8S 7C | trump S | S replies to KH", "S 7C"),
    Breach("not-on-table", "N: 7H | S: 8S | trump H | N leads", "N 7H from table"),
    Breach("not-in-hand", "N: 8D | N lays marriage KS QS | S: 9H 9D | turn-up 8C | stock 1 | N replies to 9S",
           "N KS from hand", "marjolet"),
    Breach("out-of-turn", "N: 9S | S: 7H | trump H | N leads", "S 7H"),
    Breach("out-of-turn", "N: 9S 7H | S: 8S 8C | trump H | N replies to 8H", "S 8C"),
    Breach("draw-missing", "N: 7H | S: 9H | turn-up 8H | stock 1 | N won", "N 7H"),
    Breach("event-after-end", LAST, "N 9S, S 8S, N 7S"),
]
DRAWS = [
    Breach("draw-out-of-turn", "N: 9S | S: 9H | turn-up 8C | stock 1 | N won", "S draws KC"),
    Breach("draw-not-due", "N: 9S | S: 9H | turn-up 8C | stock 1 | N leads", "N draws KC"),
    Breach("draw-not-due", "N: 9S | S: 9H | trump C | N leads", "N draws KC"),
    Breach("wrong-card-drawn", "N: 9S | S: 9H | turn-up 8C | stock 1 | N won", "N draws KC, S draws QC"),
]
MELDS = [
    Breach("meld-by-loser", "N: 9H 9D | S: KS QS | turn-up 8C | stock 1 | N won", "S melds marriage KS QS 20"),
    Breach("meld-out-of-window", f"N: KS QS | {NORTH_LEADS}", "N melds marriage KS QS 20"),
    Breach("meld-after-close", "N: KS QS | S: 9H 9D | trump H | N won", "N melds marriage KS QS 20"),
    Breach("too-many-melds", f"N: KS QS JD | {NORTH_WON}",
           "N melds marriage KS QS 20, N melds bezique QS JD 40"),
    Breach("meld-not-in-rules", f"N: JC QD | {NORTH_WON}", "N melds marjolet JC QD 40"),
    Breach("wrong-cards-for-meld", f"N: KS QH | {NORTH_WON}", "N melds marriage KS QH 20"),
    Breach("meld-reuses-cards", f"N: | N lays marriage KS QS | {NORTH_WON}", "N melds marriage KS QS 20"),
    Breach("meld-by-loser", "N: 9H 9D | S: KS QS | turn-up 8C | stock 1 | N won", "S shows marriage KS QS"),
    Breach("meld-out-of-window", f"N: KS QS | {NORTH_LEADS}", "N shows marriage KS QS"),
    Breach("meld-after-close", "N: KS QS | S: 9H 9D | trump H | N won", "N shows marriage KS QS"),
    Breach("meld-not-in-rules", f"N: JC QD | {NORTH_WON}", "N shows marjolet JC QD"),
    Breach("wrong-cards-for-meld", f"N: KS QH | {NORTH_WON}", "N shows marriage KS QH"),
    Breach("no-pending-melds", f"N: KS QS | {NORTH_WON}", "N shows marriage KS QS", "zique"),
]
FLUSH = "A melds flush 2S 3S 4S 5S 6S 8S 30"
PAIRED = "A: KS QS 4S 5S 6S 8S | B: 3H 3D 4C 7H 8D 9D"
LYING = " | tableau KH QH"
PAIRS = PAIRED + LYING
MARRY = "A melds marriages KS QS 20"
FOUR = "tableau 2C 2D 2H 2S"
THIRD = "C: 4H 5D 6C 9H TD JD"
KINGS = "A: KS KS KH KD KC | B: 3H 3D 4C 7H 8D 9D"
FOUR = "tableau 2C 2D 2H 2S"
TURNS = [
    Breach("out-of-turn", f"{FULL} | {THIRD} | stock 9 | C plays", FLUSH, "zetema"),
    Breach("too-many-melds", f"{FULL} | stock 9", f"{FLUSH}, {FLUSH}", "zetema"),
    Breach("wrong-cards-for-meld", f"{FULL} | stock 9", FLUSH.replace("flush", "flush_sequence"), "zetema"),
    Breach("meld-not-in-rules", f"{FULL} | stock 9", "A melds four_aces 2S 3S 4S 5S 100", "zetema"),
    Breach("meld-after-close", KINGS, "A melds assembly KS KS KH KD KC 130", "zetema"),
    Breach("draw-missing", f"{KINGS} | stock 9", "A melds assembly KS KS KH KD KC 130", "zetema"),
    Breach("out-of-turn", f"{PAIRED} | {THIRD} | stock 9 | C plays{LYING}", MARRY, "zetema"),
    Breach("too-many-melds", f"{PAIRS} | stock 9", f"A melds flush KS QS 4S 5S 6S 8S 30, {MARRY}", "zetema"),
    Breach("wrong-cards-for-meld", f"{PAIRS} | stock 9", "A melds marriages KS QS KH 30", "zetema"),
    Breach("meld-after-close", PAIRS.replace(" 8S", ""), MARRY, "zetema"),
    Breach("draw-missing", f"{PAIRS.replace(' 8S', '')} | stock 9", MARRY, "zetema"),
    Breach("not-on-tableau", f"{PAIRS} | stock 9", "A melds marriages KS QS from KS 20", "zetema"),
    Breach("marriage-without-hand-card", f"{PAIRS} | stock 9", "A melds marriages KH QH 10", "zetema"),
    Breach("out-of-turn", f"{FULL} | {THIRD} | stock 9 | C plays | {FOUR}", "A discards 2S", "zetema"),
    Breach("discard-not-of-combination", f"A: KS KS KH KD KC 2S | B: 3H 3D 4C 7H 8D 9D | stock 9 | {FOUR}",
           "A melds assembly KS KS KH KD KC 130, A discards 2S", "zetema"),
    Breach("must-go-on", "A: KS QS 9S | B: 9D | tableau KS KH KD KC QS QH QD QC 9H 9S 9C",
           "A discards KS, A discards 9S", "zetema"),
    Breach("draw-missing", f"{FULL.replace(' 8S', '')} | stock 9 | {FOUR}", "A discards 2S", "zetema"),
]
DIXES = [
    Breach("dix-not-in-rules", f"N: 7C | {NORTH_WON}", "N dix exchange 10", "zique"),
    Breach("dix-not-in-rules", f"N: 7C | {NORTH_WON}", "N dix show 10", "zique"),
    Breach("dix-out-of-window", f"N: 7C | {NORTH_LEADS}", "N dix exchange 10"),
    Breach("dix-out-of-window", f"N: 7C | {NORTH_LEADS}", "N dix show 10"),
    Breach("dix-spent", f"N: 7C | spent 7C | {NORTH_WON}", "N dix exchange 10"),
    Breach("dix-spent", f"N: 7C | spent 7C | {NORTH_WON}", "N dix show 10"),
    Breach("dix-not-played", f"N: 7C | {NORTH_LEADS}", "N dix play 10"),
    Breach("too-many-melds", f"N: 7C KS QS | {NORTH_WON}", "N melds marriage KS QS, N dix exchange 10",
           options={"exchange_is_the_meld": True}),
    Breach("nothing-to-exchange", "N: 7C | S: 9H | trump C | N won", "N dix exchange 10"),
]
OPENINGS = [
    Breach("not-blank", "N: KS 9S | S: 9H | stock 2 | N leads", "N shows carte_blanche 50", "rubicon-bezique"),
    Breach("carte-blanche-too-late", "N: 9S 8S | S: 9H | stock 2 | N leads",
           "N 9S, N shows carte_blanche 50", "rubicon-bezique"),
    Breach("cut-out-of-place", "N: 9S | S: 9H | stock 2 | S deals", "N cuts 24 guessed 24", "six-pack-bezique"),
    Breach("impossible-cut", "N: 9S | S: 9H | stock 2 | S deals", "S cuts 0 guessed 0", "six-pack-bezique"),
]
FOREIGN = [
    Breach("event-not-in-rules", f"N: 9S | {NORTH_LEADS}", "N shows carte_blanche 50"),
    Breach("event-not-in-rules", f"N: 9S | {NORTH_LEADS}", "S cuts 24 guessed 24"),
]
AT_ONCE = {"game_end": "at_once"}
AFTER_THE_END = [
    Breach("event-after-end", f"{PAIRS} | stock 9 | scores 295 0", f"{MARRY}, B discards 3H", "zetema", AT_ONCE),
    Breach("event-after-end", f"{PAIRED.replace('3H 3D', 'KD QD')} | stock 9 | scores 295 0{LYING}",
           f"{MARRY}, B melds marriages KD QD 10", "zetema", AT_ONCE),
]
STOPS = [
    Breach("card-not-held", LAST, "N KS"),
    Breach("card-not-held", f"{FULL} | stock 9", "A discards JD", "zetema"),
    Breach("meld-card-not-held", f"N: KS | {NORTH_WON}", "N melds marriage KS QS 20"),
    Breach("meld-card-not-held", f"N: KS | {NORTH_WON}", "N shows marriage KS QS"),
    Breach("meld-card-not-held", f"{PAIRS} | stock 9", "A melds marriages KC QC 10", "zetema"),
    Breach("meld-card-not-held", f"{FULL} | stock 9", "A melds flush 2S 3S 4S 5S 6S 9S 30", "zetema"),
    Breach("dix-not-held", f"N: 9C | {NORTH_WON}", "N dix show 10"),
    Breach("dix-not-held", f"N: 9C | {NORTH_WON}", "N dix exchange 10"),
    Breach("no-such-card-left", "N: KC | S: KC | turn-up 8C | stock 1 | N won", "N draws KC"),
    Breach("card-not-in-pack", LAST, "N 6S"),
    Breach("card-not-in-pack", "N: KC | S: KD | turn-up 8C | stock 1 | N won", "N draws 6S"),
    Breach("card-not-in-pack", "N: KS.1 QS.1 | S: 9S.1 9H.1 9D.1 | turn-up 8C.1 | stock 1 | N won",
           "N melds marriage KS.3 QS.1 20"),
]
BREACHES = [*PLAYS, *DRAWS, *MELDS, *TURNS, *DIXES, *OPENINGS, *FOREIGN, *AFTER_THE_END, *STOPS]
# fmt: on


class Facts(NamedTuple):
    """What there is to see at a table."""

    points: list[int]
    hands: list[int]
    trick: tuple[str | None, int]
    won: list[int]
    laid: int
    turn_up: str | None
    tableau: int
    removed: int
    acts: tuple[int, str]


def facts_of(table: Table) -> Facts:
    seats = range(table.seats)
    return Facts(
        points=list(table.points),
        hands=[table.hand_count(seat) for seat in seats],
        trick=(table.trick.led, table.tricks),
        won=[len(cards) for cards in table.won],
        laid=sum(map(len, table.melding.laid)),
        turn_up=table.stock.turn_up,
        tableau=sum(map(len, table.tableau.piles.values())),
        removed=len(table.tableau.removed),
        acts=(table.seat, table.step.name),
    )


def row_of(breach: Breach, before: Facts, after: Facts, *, stopped: bool) -> Row:
    """What happened between two tables, in the words of the specification."""
    scores = after.points != before.points or after.won != before.won
    turn = "as before" if after.acts == before.acts else "goes on"
    return Row(
        "as always" if scores else "nothing",
        movement(breach.kind, before, after),
        "the deal stops" if stopped else turn,
    )


def movement(kind: str, before: Facts, after: Facts) -> str:
    """Where the cards of an event have gone."""
    left_the_game = after.removed - before.removed
    piled = after.tableau - before.tableau == 1 or left_the_game == FULL_PILE
    moved = {
        "are played": after.trick != before.trick,
        "lie on the table": after.laid > before.laid,
        "are drawn": kind == "draw" and sum(after.hands) > sum(before.hands),
        "go to their pile": piled,
        "leave the game": left_the_game > 0 and not piled,
        "are exchanged": kind == "exchange" and after.turn_up != before.turn_up,
    }
    found = [words for words, so in moved.items() if so]
    assert len(found) < 2, found
    return found[0] if found else "stay"


def next_seat(breach: Breach, before: Facts) -> int | None:
    """Who acts next, if the seat that acted is thought of as having been in turn; None if a trick decides it."""
    seat, players = breach.deal.events[-1].seat, len(before.hands)
    if breach.kind == "combination":
        return seat
    if breach.kind == "play" and before.trick[0] is not None:
        return None
    return (seat + 1) % players


def frames_of(record: Record) -> Iterator[Frame]:
    """The frames of a position that is cut down to the cards that matter."""
    with tables.cut_down():
        yield from replay(record)


@pytest.mark.parametrize("breach", BREACHES, ids=str)
def test_the_table_is_true(breach: Breach) -> None:
    before = after = None
    found: list[str] = []
    stopped = False
    last = len(breach.deal.events) - 1
    for frame in frames_of(breach.record):
        codes = [finding.code for finding in frame.findings if finding.severity == "illegal"]
        if frame.index < last:
            assert codes == []
            before = facts_of(frame.table)
        elif frame.index == last:
            after, found, stopped = facts_of(frame.table), codes, True
        else:
            stopped = False
    assert before is not None
    assert after is not None
    assert found == [breach.code]
    assert row_of(breach, before, after, stopped=stopped) == row_specified(breach)
    if row_specified(breach).turn == "goes on" and breach.kind != "draw":
        assert next_seat(breach, before) in (None, after.acts[0])


def row_specified(breach: Breach) -> Row:
    return row_for(breach.code, breach.kind)


def row_for(code: str, kind: str) -> Row:
    return SPECIFIED.get((code, kind)) or SPECIFIED[code, "any"]


class Seen(NamedTuple):
    """An event of a damaged game that was found illegal for one reason: the code, its kind, the tables around it."""

    code: str
    kind: str
    before: Facts
    after: Facts
    stopped: bool


def illegal_events(record: Record) -> Iterator[Seen]:
    """Every event of a record with one illegal finding."""
    zetema = record.rules.id == "zetema"
    before, found = None, None
    for frame in replay(record):
        if found is not None:
            yield found._replace(stopped=frame.index < 0)
        facts, found = facts_of(frame.table), None
        codes = [finding.code for finding in frame.findings if finding.severity == "illegal"]
        listed = not isinstance(frame.event, Trick | Score | Irregular | None)
        if len(codes) == 1 and listed and before is not None:
            kind = kind_of(frame.event, zetema=zetema)
            found = Seen(codes[0], kind, before, facts, stopped=True)
        before = facts
    if found is not None:
        yield found


def differences(seen: Seen) -> Iterator[str]:
    """What the specification says otherwise of an event."""
    row, before, after = row_for(seen.code, seen.kind), seen.before, seen.after
    cards = movement(seen.kind, before, after)
    # A seven exchanged for the like seven turned up looks as if nothing had moved.
    no_other_card = row.cards == "are exchanged" and (before.turn_up or "7")[0] == "7"
    if cards != ("stay" if no_other_card else row.cards):
        yield f"cards: {cards}"
    if row.scores == "nothing" and (after.points, after.won) != (before.points, before.won):
        yield "scores"
    if row.turn == "as before" and after.acts != before.acts:
        yield f"turn: {before.acts}, then {after.acts}"
    if (row.turn == "the deal stops") != seen.stopped:
        yield "stops" if seen.stopped else "does not stop"


@pytest.mark.long
@pytest.mark.parametrize("way", STANDARD[::3], ids=str)
def test_the_table_is_true_of_damaged_games(way: Way) -> None:
    record = way.play(11, "random", deals=2, where=True)
    wrong = [
        (name, seen.code, seen.kind, said)
        for name, damage in KINDS.items()
        for attempt in range(3)
        for mutant in [damage(record, Random(f"{way} {name} {attempt}"))]
        if mutant is not None
        for seen in illegal_events(mutant.record)
        for said in differences(seen)
    ]
    assert wrong == []


def test_every_row_is_tried_and_every_illegal_code_is_there() -> None:
    tried = {(breach.code, breach.kind) for breach in BREACHES}
    assert {pair for pair in SPECIFIED if pair[1] != "any"} <= tried
    assert {code for code, kind in SPECIFIED if kind == "any"} <= {code for code, _ in tried}
    illegal = {code.code for code in FINDING_CODES.values() if code.severity == "illegal"}
    assert illegal <= set(re.findall(r"`([a-z-]+)`", CHAPTER))


def test_what_is_wrong_with_the_deal_itself_stops_nothing() -> None:
    for code in DEALT:
        deals = {frame.deal: frame.index for frame in replay(RECORDS[code].record())}
        ends = [len(deal.events) for deal in RECORDS[code].record().deals]
        assert list(deals.values()) == ends, code


# what "nothing" means


@pytest.mark.parametrize("sheet", ["rubicon-bezique-club", "six-pack-bezique", "rubicon-bezique"])
@pytest.mark.parametrize("verb", ["melds", "shows"])
def test_an_illegal_marriage_makes_no_trumps(sheet: str, verb: str) -> None:
    position = "N: 9H 9D | S: KS QS | stock 2 | N won"
    told = tables.table(position, f"S {verb} marriage KS QS", sheet=sheet)
    assert "meld-by-loser" in told.codes
    assert told.position is not None
    assert told.position.trump is None


def test_the_cards_of_an_illegal_meld_have_not_scored() -> None:
    """The same marriage is legal after the next trick."""
    position = "N: KS QS 9H | S: 7D 7S 8S | turn-up 8C | stock 6 | N leads"
    told = tables.table(
        position, "N melds marriage KS QS 20, N 9H, S 7D, N melds marriage KS QS 20"
    )
    told.only("meld-out-of-window")
    assert told.points == [20, 0]


def test_an_illegal_meld_does_not_use_up_the_meld_of_the_trick() -> None:
    told = tables.table(
        f"N: KS QS QH | {NORTH_WON}", "N melds marriage KS QH 20, N melds marriage KS QS 20"
    )
    told.only("wrong-cards-for-meld")
    assert told.points == [20, 0]


def test_a_dix_shown_out_of_time_scores_when_it_is_played() -> None:
    position = "N: 7C 9S | S: 9H 9D | turn-up 8C | stock 3 | N leads"
    told = tables.table(position, "N dix show 10, N 7C, S 9H, N dix play 10")
    told.only("dix-out-of-window")
    assert told.points == [10, 0]


def test_what_is_excused_does_everything_that_a_legal_event_does() -> None:
    position = "N: 9H 9D | S: KS QS | stock 2 | N won"
    told = tables.table(
        position, "S melds marriage KS QS 40, irregular S other", sheet="rubicon-bezique"
    )
    assert (told.points, told.position and told.position.trump) == ([0, 40], "S")
