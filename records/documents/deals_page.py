"""The published page with a deal of every game; `python -m records.documents.deals_page` writes it from the samples."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from records.documents.schemas import SPEC_FOLDER
from records.engine.table import Table
from records.event_words import SCORE_WORDS
from records.events import CarteBlanche, Cut, Declare, Discard, Dix, Draw, Meld, Play
from records.format import codec
from records.phrases import join_words, name_meld
from records.record import Record
from records.replay import Frame, replay
from records.rules.english import option_value_text
from records.rules.registry import ALL_SHEETS, cited_laws, resolve_rules
from records.rules.vocabulary import BrisqueCount, MeldsFrom, OneDeal, RuleSheet

# A deal told trick by trick, or turn by turn, with the law beside the first event that shows it.

LAW_NOTES = {
    "leads": ("C2", "the player after the dealer leads first"),
    "trump": ("C3", "a trump takes the trick"),
    "like": ("C3", "of two identical cards the first takes it"),
    "window": ("C5", "the winner melds before drawing"),
    "draws": ("C5", "the winner draws first"),
    "turn_up": ("C6", "the last draw: the loser takes the turn-up"),
    "close": ("C7", "the stock is gone: laid cards return to the hand"),
    "follow": ("C8", "from here on the reply has a duty to follow"),
    "brisques": ("C9", "brisques are counted at the end"),
    "four": ("C10", "any four of the rank"),
    "bezique": ("C11", "bezique"),
    "captured": ("C12", "the meld has a card just won"),
    "makes_trumps": ("C13", "the first marriage or sequence makes trumps, and scores as one of them"),
    "carte_blanche": ("C14", "a hand without court cards"),
    "settled": ("C15", "brisques count only to settle"),
    "cut": ("C16", "the packet is cut, and its size guessed"),
    "last_trick": ("A-09", "the last trick of the deal"),
    "dix": ("A-02", "each dix scores once"),
    "turn": ("Z2", "a turn: draw up, combine, discard"),
    "combination": ("Z3", "a combination, of which one card is discarded"),
    "marriages": ("Z3", "marriages: their cards leave the game, and nothing is discarded"),
    "pending": ("R-PENDING", "shown now, to score after a later trick"),
    "zetema": ("Z4", "the fifth card of a pile"),
    "discards": ("Z5", "the stock is empty: from here on a turn is a discard"),
}  # fmt: skip
"""What a deal shows, by the law that says it; each is noted once, where the sheet cites that law."""

LAW_NOTES_OF_MORE = LAW_NOTES | {
    "leads": ("C17", "the player to the left of the dealer leads first"),
    "draws": ("C17", "the winner draws first, then the others in turn"),
    "turn_up": ("C17", "the last draw: the last of them takes the turn-up"),
    "follow": ("C17", "from here on all but the leader have a duty to follow"),
}
"""The same where more than two play tricks."""

_NAMES_OF_FOURS = ("four_aces", "four_tens", "four_kings", "four_queens", "four_jacks")


@dataclass
class DealRow:
    """A trick or a turn: what was played, who took it, what else happened, the points after it, and the laws."""

    plays: list[tuple[str, str]] = field(default_factory=list)
    taken_by: str = ""
    told: list[str] = field(default_factory=list)
    draws: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    points: tuple[int, ...] = ()
    seat: int | None = None


class DealTeller:
    """Tells the first deal of a legal record, row by row."""

    def __init__(self, record: Record, sheet: RuleSheet) -> None:
        self.names = [player.name for player in record.players]
        self.record, self.sheet = record, sheet
        notes = LAW_NOTES_OF_MORE if sheet.rules.tricks_of_more else LAW_NOTES
        self.unnoted = {
            key: (law, words)
            for key, (law, words) in notes.items()
            if law in {each.number for each in cited_laws(each.cited for each in sheet.articles)}
        }
        self.scored: list[set[str]] = [set() for _ in record.players]
        self.rows = [DealRow()]

    def tell(self) -> list[DealRow]:
        """The rows; the first is what happens before the first card is played."""
        for frame in replay(self.record):
            if frame.deal > 0:
                break
            self._frame(frame)
        return self.rows

    def _frame(self, frame: Frame) -> None:
        table, event = frame.table, frame.event
        match event:
            case Play():
                self._play(event, table)
            case Draw():
                self._draw(event, table)
            case Meld():
                self._meld(event, frame)
            case Declare():
                self._note("pending")
                cards = " ".join(event.cards)
                self.rows[-1].told.append(
                    f"{self.names[event.seat]} shows {name_meld(event.meld)} `{cards}`"
                )
            case Discard():
                self._discard(event, table)
            case Dix() | CarteBlanche() | Cut():
                self._before_the_play(event)
        self._awards(frame)
        self.rows[-1].points = tuple(table.points)

    def _play(self, event: Play, table: Table) -> None:
        if len(self.rows[-1].plays) in (0, len(self.names)):
            self.rows.append(DealRow())
            self._note("leads")
            if not table.phase.draws:
                self._note("close")
        row = self.rows[-1]
        row.plays.append((self.names[event.seat], event.card))
        self.scored[event.seat].discard(event.card)
        if len(row.plays) == len(self.names) and table.trick.winner is not None:
            row.taken_by = self.names[table.trick.winner]
            led, cards = row.plays[0][1], [card for _, card in row.plays]
            best = dict(row.plays)[row.taken_by]
            if cards.count(best) > 1:
                self._note("like")
            elif table.trump == best[1] != led[1]:
                self._note("trump")
            if not table.phase.draws:
                self._note("follow")

    def _draw(self, event: Draw, table: Table) -> None:
        if table.rules.has_tableau:
            self._turn_of(event.seat)
            self._note("turn")
        else:
            is_last = table.stock.left == 0 and table.stock.turn_up is None
            self._note("turn_up" if is_last and "turn_up" in self.unnoted else "draws")
        self.rows[-1].draws.append(f"{self.names[event.seat]} `{event.card}`")

    def _meld(self, event: Meld, frame: Frame) -> None:
        if frame.table.rules.has_tableau:
            self._turn_of(event.seat)
        points = sum(award.points for award in frame.awards)
        words = " ".join(event.cards)
        self.rows[-1].told.append(
            f"{self.names[event.seat]} melds {name_meld(event.meld)} `{words}`: {points}"
        )
        if event.meld in frame.table.rules.makes_trumps:
            self._note("makes_trumps")
        if event.meld == "bezique" or event.meld in _NAMES_OF_FOURS:
            self._note("bezique" if event.meld == "bezique" else "four")
        in_turns = "marriages" if event.meld == "marriages" else "combination"
        self._note(in_turns if frame.table.rules.has_tableau else "window")
        if self.sheet.rules.melds_from is MeldsFrom.CAPTURED:
            self._note("captured")
        elif self.scored[event.seat] & set(event.cards):
            self._note_reuse(event, frame.table)
        self.scored[event.seat] |= set(event.cards)

    def _note_reuse(self, event: Meld, table: Table) -> None:
        """A card that surely is the one that scored before: the only one of its kind that the player holds."""
        again = [
            card
            for card in dict.fromkeys(event.cards)
            if card in self.scored[event.seat] and table.held[event.seat].get(card) == 1
        ]
        law = self.sheet.rules.reuse.law
        if again and not any(law in note for row in self.rows for note in row.notes):
            self.rows[-1].notes.append(f"`{again[0]}` has scored before, and may again ({law})")

    def _discard(self, event: Discard, table: Table) -> None:
        self._turn_of(event.seat)
        row = self.rows[-1]
        if not row.draws and table.stock.left == 0:
            self._note("discards")
        row.told.append(f"discards `{event.card}`")

    def _turn_of(self, seat: int) -> None:
        """In Zetema a turn is a row."""
        row = self.rows[-1]
        if row.seat != seat:
            self.rows.append(DealRow(seat=seat))

    def _before_the_play(self, event: Dix | CarteBlanche | Cut) -> None:
        name, row = self.names[event.seat], self.rows[-1]
        match event:
            case Dix(action="exchange"):
                row.told.append(f"{name} exchanges the dix")
            case Dix(action="show"):
                row.told.append(f"{name} shows the dix")
            case CarteBlanche():
                row.told.append(f"{name} shows carte blanche")
                self._note("carte_blanche")
            case Cut():
                row.told.append(f"{name} cuts {event.packet} cards, {event.guess} guessed")
                self._note("cut")

    def _awards(self, frame: Frame) -> None:
        for award in frame.awards:
            if award.source == "meld":
                continue
            words = "the dix" if award.source == "dix" else SCORE_WORDS[award.source]
            self.rows[-1].told.append(f"{self.names[award.seat]} scores {words}: {award.points}")
            self._note(award.source)
        ended = frame.event is None and frame.index > 0
        if ended and self.sheet.rules.brisques.count is BrisqueCount.TO_SETTLE:
            self._note("settled")

    def _note(self, key: str) -> None:
        law, words = self.unnoted.pop(key, ("", ""))
        if law:
            self.rows[-1].notes.append(f"{words} ({law})")


def deal_table(rows: Sequence[DealRow], names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The rows as cells, with the heads first: numbered tricks, or turns where there are none."""
    score = " : ".join(names)
    if any(row.plays for row in rows):
        yield ("trick", "played", "taken by", "then", score, "law")
    else:
        yield ("turn", "whose", "draws", "does", score, "law")
    for number, row in enumerate(rows):
        draws = ", ".join(row.draws)
        then = "; ".join([*row.told, *([f"draws: {draws}"] if draws and row.plays else [])])
        if row.plays:
            played = ", ".join(f"{name} `{card}`" for name, card in row.plays)
            middle: tuple[str, ...] = (played, row.taken_by)
        elif row.seat is not None:
            drawn = " ".join(text.split()[-1] for text in row.draws)
            middle = (names[row.seat], drawn)
        elif then:
            middle = ("before the first card", "")
        else:
            continue
        points = " : ".join(map(str, row.points))
        yield (str(number or ""), *middle, then, points, "; ".join(row.notes))


GOOD_SAMPLES = Path(__file__).parents[2] / "samples/good"
"""The good samples of the repository; an installed package does not have them, and needs only the page."""

SAMPLES_OF_MORE = ("bezique-three-hands.json", "bezique-four-partners.json")
"""Those of more than two at the tricks, which have their rulebooks inside."""

_HEAD = """# A deal of every game

The first deal of a sample for every rule sheet, and of one for three and one for four at the tricks, trick by trick,
with the points after each and the law beside the first event that shows it. Cards are written as in a record: `TS` is
the ten of spades. The points are those that the rules give, whether or not an event claims them; compare your program's
with them. What all events look like in JSON is in
[format.md](format.md#events), the laws are in [rulings.md](rulings.md), the points of melds in
[points.md](points.md).

The players are programs that choose simply, so do not learn tactics from them.

<!-- `python -m records.documents.deals_page` writes this page from the samples; do not edit it by hand. -->
"""


def deals_page() -> str:
    """The page: a chapter for every sheet, and for three and four at the tricks."""
    return "\n".join([_HEAD, *(_chapter(name, record) for name, record in samples_shown())])


def samples_shown() -> list[tuple[str, Record]]:
    """The samples that the page tells, by their file names: of every sheet, then of more than two at the tricks."""
    of_more = [(name, read_record(GOOD_SAMPLES / name)) for name in SAMPLES_OF_MORE]
    return [*map(read_sample, ALL_SHEETS), *of_more]


def read_sample(sheet: RuleSheet) -> tuple[str, Record]:
    """The sample of a sheet, the one with the fewest players: its file name and its record."""
    for path in sorted(GOOD_SAMPLES.glob("*.json")):
        record = read_record(path)
        if record.rules.id == sheet.id:
            return path.name, record
    raise FileNotFoundError(f"no sample is played by {sheet.id}")


def read_record(path: Path) -> Record:
    """The record of a sample."""
    record = codec.decode(path.read_bytes()).record
    assert record is not None, path
    return record


def _chapter(name: str, record: Record) -> str:
    names = [player.name for player in record.players]
    resolved = resolve_rules(record.rules).sheet
    rows = DealTeller(record, resolved).tell()
    heads, *lines = deal_table(rows, names)
    table = [f"| {' | '.join(cells)} |" for cells in (heads, ["---"] * len(heads), *lines)]
    return "\n".join(
        [f"## {resolved.name}\n", _dealt(name, record, names), "", *table, "", _end(record, resolved, names), ""]
    )  # fmt: skip


def _dealt(name: str, record: Record, names: list[str]) -> str:
    """Where the deal is from, the rules with their options, the sides, and what was dealt."""
    deal, rules = record.deals[0], record.rules
    chosen = [f"`{option}` {option_value_text(value)}" for option, value in rules.options.items()]
    sheet = f"the sheet [`{rules.id}`](sheets/{rules.id}.json)"
    by = sheet if rules.sheet is None else "the rulebook inside"
    played = f" with the option {join_words(chosen)}" if chosen else ""
    sides = [join_words([names[seat] for seat in side]) for side in record.sides or ()]
    partners = f" {' play against '.join(sides)}." if sides else ""
    hands = [
        f"{player} gets `{' '.join(hand)}`"
        for player, hand in zip(names, deal.hands or (), strict=True)
    ]
    turned = f" `{deal.turn_up}` is turned up." if deal.turn_up else ""
    return (
        f"From [{name}](../../samples/good/{name}), by {by}{played}.{partners}"
        f" {names[deal.dealer]} deals; {join_words(hands)}.{turned}"
    )


def _end(record: Record, sheet: RuleSheet, names: list[str]) -> str:
    """What the deal comes to, as the record claims it: a sample's claims are right."""
    claims, result = record.deals[0].claims, record.result
    scores = claims.scores if claims is not None and claims.scores is not None else []
    told = f"The deal adds {' : '.join(map(str, scores))} to the scores."
    if (
        isinstance(sheet.rules.match, OneDeal)
        and result is not None
        and result.settlement is not None
    ):
        paid = " : ".join(map(str, result.settlement))
        told += f" The match is settled with {paid} (C15)."
    return told


def main() -> None:
    """Write the page beside the specification."""
    (SPEC_FOLDER / "deals.md").write_text(deals_page())


if __name__ == "__main__":
    main()
