"""Suggest corrections: the single changes that make an illegal deal legal.

A change is another card, another seat, two draws swapped, or a draw added. Every plausible change is made and
the deal replayed. Changes that leave nothing illegal are ranked: first by how few claims of the record they
contradict, then by how likely such a slip is, then by how near they are to the first breach.

Changes near the breach are tried first, and all others only if none of those helps.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from math import inf
from time import monotonic
from typing import Any, Literal, NamedTuple

import msgspec

from records.cards import FACE_OF, card_sign
from records.engine.copies import MOST_READING_STEPS, ReadingBudget, single_labels
from records.event_words import describe_event
from records.events import AnyEvent, Dix, Draw, Meld, Play
from records.phrases import name_card
from records.record import Deal, Record
from records.replay import Match, replay
from records.rules.compiled import CompiledSheet, compile_sheet
from records.rules.registry import ResolvedSheet, resolve_rules
from records.validate.finding import MOST_STEPS_A_RECORD, Finding, StepBudget

# The cards a deal has too many or too few of: what a wrongly written card may have been.


class CardCensus:
    """The surplus and the missing cards among those dealt and drawn, and among those played.

    In a deal played to its end (`is_whole`) every card is dealt once and played once. A wrongly written card is
    then one too many, and the right one is missing.
    """

    def __init__(self, deal: Deal, rules: CompiledSheet) -> None:
        self._plain = single_labels(rules)
        played = self._count([event.card for event in deal.events if isinstance(event, Play)])
        dealt = self._dealt(deal)
        # Any card may tell: hands may be hidden, and draws left out.
        labelled = any(["." in card for card in (*dealt, *played)])
        pack = Counter(rules.labelled_copies if labelled else rules.copies)
        self.faces = list(rules.copies)
        self.names = list(pack)
        self.is_whole = sum(played.values()) >= sum(pack.values()) - 1
        self.dealt_surplus, self.dealt_missing = dealt - pack, pack - dealt
        self.played_surplus, self.played_missing = played - pack, pack - played
        self.undrawn = list(self.dealt_missing)

    def instead_of_deal(self, card: str) -> list[str]:
        """The cards that one dealt or drawn may have been."""
        return self._instead_of(card, self.dealt_surplus, self.dealt_missing)

    def instead_of_play(self, card: str) -> list[str]:
        """The cards that one played may have been."""
        return self._instead_of(card, self.played_surplus, self.played_missing)

    def _instead_of(self, card: str, surplus: Counter[str], missing: Counter[str]) -> list[str]:
        name = self._name(card)
        if not self.is_whole:
            return [other for other in self.names if other != name]
        return list(missing) if name in surplus else []

    def _name(self, card: str) -> str:
        """A card as the pack names it: one of which there is no other has no label."""
        return self._plain.get(card, card)

    def _count(self, cards: list[str]) -> Counter[str]:
        return Counter(map(self._name, cards))

    def _dealt(self, deal: Deal) -> Counter[str]:
        """Every card that came from the pack into a hand; a seven exchanged for the turn-up is counted once."""
        cards = self._count([card for hand in deal.hands or [] for card in hand])
        cards += self._count([event.card for event in deal.events if isinstance(event, Draw)])
        exchanged = [e for e in deal.events if isinstance(e, Dix) and e.action == "exchange"]
        if exchanged and deal.turn_up is not None:
            cards[self._name(deal.turn_up)] += 1
            cards[self._name(exchanged[0].card or "7" + deal.turn_up[1])] -= 1
        return cards


MOST_CHANGES_TRIED = 5_000
"""Changes of one deal that are tried at most."""
MOST_CORRECTIONS_SUGGESTED = 8
MOST_CORRECTION_STEPS = 4 * MOST_STEPS_A_RECORD
"""What telling copies apart may take in all changes of a record together, each of them at most as much as a record."""
NEARBY_EVENTS = 2
"""Events from the breach within which changes are tried first."""

CorrectionKind = Literal["card", "seat", "draws", "missing draw", "dealt"]


class Correction(msgspec.Struct):
    """A change that makes a deal legal, in words (`says`).

    `event` is None for the deal itself. `mismatches` counts the claims that are still wrong, and `off` the
    events between the change and the breach. `repaired` is the corrected deal.
    """

    deal: int
    event: int | None
    kind: CorrectionKind
    says: str
    mismatches: int
    off: int
    repaired: Deal


class _Change(NamedTuple):
    """A change to try; a higher `likely` is a more likely slip."""

    event: int | None
    kind: CorrectionKind
    says: str
    deal: Deal
    likely: int


def suggest_corrections(record: Record, *, until: float = inf) -> list[Correction]:
    """Corrections for every illegal deal, the likeliest first.

    The search stops at the time `until`, on the clock of `time.monotonic`, or when its budget of steps has ended.
    """
    trials = _Trials(record, resolve_rules(record.rules), StepBudget(MOST_CORRECTION_STEPS), until)
    found: list[Correction] = []
    for number, deal in enumerate(record.deals):
        if trials.are_over:
            break
        at = trials.first_breach(deal)
        if at is not None:
            found += _suggestions(record, trials, number, at)
    return found


class _Trials:
    """Replays changed deals of a record, which share a `budget` and stop at a time."""

    def __init__(
        self, record: Record, resolved: ResolvedSheet, budget: StepBudget, until: float
    ) -> None:
        self._record, self.resolved = record, resolved
        self._budget, self._until = budget, until

    @property
    def are_over(self) -> bool:
        """Whether nothing more may be tried."""
        return monotonic() > self._until or self._budget.left <= 0

    def first_breach(self, deal: Deal) -> int | None:
        """The event of the first breach; -1 for the deal itself, None if the deal is legal."""
        for finding in self._findings(deal, self._readings()):
            if finding.severity == "illegal":
                return -1 if finding.at.event is None else finding.at.event
        return None

    def mismatches(self, deal: Deal) -> int | None:
        """How many claims of a deal are wrong; None if it is illegal, or may be and the budget ended."""
        readings, wrong = self._readings(), 0
        for finding in self._findings(deal, readings):
            if finding.severity == "illegal":
                return None
            wrong += finding.severity == "mismatch"
        return None if readings.is_cut_short else wrong

    def _readings(self) -> ReadingBudget:
        return ReadingBudget(min(max(0, self._budget.left), MOST_READING_STEPS))

    def _findings(self, deal: Deal, readings: ReadingBudget) -> Iterator[Finding]:
        single_deal = msgspec.structs.replace(
            self._record, deals=[deal], result=None, lines=None, notes=None
        )
        match = Match(single_deal, self.resolved, budget=readings)
        try:
            for frame in replay(single_deal, match=match, findings_only=True):
                yield from frame.findings
        finally:
            self._budget.spend(readings.spent)


def _suggestions(record: Record, trials: _Trials, number: int, at: int) -> list[Correction]:
    """The changes that make one deal legal, best first."""
    deal = record.deals[number]
    names = [player.name for player in record.players]
    pack = CardCensus(deal, compile_sheet(trials.resolved.sheet))
    ranked: list[tuple[tuple[int, int, int], Correction]] = []
    for changes in (_near(deal, at, pack, names), _anywhere(deal, at, pack, names)):
        for change in islice(changes, MOST_CHANGES_TRIED):
            if trials.are_over:
                break
            # A change far away is only worth trying while none nearby explains every claim.
            off = at - (-1 if change.event is None else change.event)
            if abs(off) > NEARBY_EVENTS and any(
                [not correction.mismatches for _, correction in ranked]
            ):
                break
            wrong = trials.mismatches(change.deal)
            if wrong is not None:
                found = Correction(
                    number, change.event, change.kind, change.says, wrong, off, change.deal
                )
                ranked.append(((wrong, -change.likely, abs(off)), found))
        if ranked:
            break
    ranked.sort(key=lambda entry: entry[0])
    return [correction for _, correction in ranked[:MOST_CORRECTIONS_SUGGESTED]]


def _near(deal: Deal, at: int, pack: CardCensus, names: list[str]) -> Iterator[_Change]:
    """Changes at or near the breach, and changes elsewhere that concern its card."""
    events = deal.events
    suspect = FACE_OF[card] if (card := getattr(_event(deal, at), "card", None)) else None
    for index in _nearest_first(deal, at):
        event = events[index]
        if abs(index - at) <= NEARBY_EVENTS:
            yield from _other_seat(deal, index, names)
            yield from _other_meld_card(deal, index, pack, names)
        if pack.is_whole or abs(index - at) <= NEARBY_EVENTS:
            yield from _other_card(deal, index, pack, names)
        if isinstance(event, Draw):
            after = _event(deal, index + 1)
            both = {FACE_OF[each.card] for each in (event, after) if isinstance(each, Draw)}
            if suspect in both or abs(index - at) <= NEARBY_EVENTS:
                yield from _swapped_draws(deal, index, names)
        if pack.is_whole or abs(index - at) <= 1:
            yield from _missing_draw(deal, index, pack, names)
    if pack.is_whole:
        yield from _other_dealt_card(deal, pack, names)


def _anywhere(deal: Deal, at: int, pack: CardCensus, names: list[str]) -> Iterator[_Change]:
    """All other changes up to the breach."""
    for index in _nearest_first(deal, at):
        yield from _swapped_draws(deal, index, names)
        if not pack.is_whole:
            yield from _other_card(deal, index, pack, names)
        yield from _other_meld_card(deal, index, pack, names)
    yield from _other_dealt_card(deal, pack, names)


def _nearest_first(deal: Deal, at: int) -> list[int]:
    """The events up to the breach and one after it, nearest first."""
    last = min(at + 1, len(deal.events) - 1)
    return sorted(range(last + 1), key=lambda index: abs(index - at))


def _event(deal: Deal, index: int) -> AnyEvent | None:
    return deal.events[index] if 0 <= index < len(deal.events) else None


def _other_card(deal: Deal, index: int, pack: CardCensus, names: list[str]) -> Iterator[_Change]:
    """Another card played or drawn."""
    event = deal.events[index]
    if not isinstance(event, Play | Draw):
        return
    wanted = pack.instead_of_play if isinstance(event, Play) else pack.instead_of_deal
    for card in wanted(event.card):
        changed = msgspec.structs.replace(event, card=card)
        likely = 1 + _likeness(card, event.card)
        says = f"{describe_event(changed, names)[:-1]} instead of {name_card(event.card)}."
        yield _replace_events(deal, index, [changed], "card", says, likely)


def _other_seat(deal: Deal, index: int, names: list[str]) -> Iterator[_Change]:
    """The other seat."""
    event = deal.events[index]
    if isinstance(event, Play | Draw | Meld):
        other = msgspec.structs.replace(event, seat=1 - event.seat)
        act = describe_event(event, names).removeprefix(names[event.seat])
        says = f"{names[other.seat]}, not {names[event.seat]},{act}"
        yield _replace_events(deal, index, [other], "seat", says, 2)


def _other_meld_card(
    deal: Deal, index: int, pack: CardCensus, names: list[str]
) -> Iterator[_Change]:
    """Another card in a meld, of the same rank or suit."""
    event = deal.events[index]
    if not isinstance(event, Meld):
        return
    for place, card in enumerate(event.cards):
        for replacement in pack.faces:
            if replacement != card and _likeness(replacement, card):
                cards = [*event.cards[:place], replacement, *event.cards[place + 1 :]]
                changed = msgspec.structs.replace(event, cards=cards)
                says = f"{describe_event(changed, names)[:-1]}, with {name_card(replacement)} instead of {name_card(card)}."
                yield _replace_events(deal, index, [changed], "card", says, 1)


def _swapped_draws(deal: Deal, index: int, names: list[str]) -> Iterator[_Change]:
    """Two draws in a row with their cards swapped, or in the other order."""
    first, second = deal.events[index], _event(deal, index + 1)
    if not isinstance(first, Draw) or not isinstance(second, Draw) or first.card == second.card:
        return
    swapped = [
        msgspec.structs.replace(first, card=second.card),
        msgspec.structs.replace(second, card=first.card),
    ]
    cards = " and ".join([describe_event(each, names)[:-1] for each in swapped])
    order = f"{names[second.seat]} draws before {names[first.seat]}."
    for pair, description, likely in (
        (swapped, f"{cards}, not the other way round.", 2),
        ([second, first], order, 1),
    ):
        yield _replace_events(deal, index, pair, "draws", description, likely, replaced=2)


def _missing_draw(deal: Deal, index: int, pack: CardCensus, names: list[str]) -> Iterator[_Change]:
    """A draw that is missing before an event."""
    event = deal.events[index]
    for seat in (0, 1):
        for card in pack.undrawn:
            draw = Draw(seat=seat, card=card)
            description = (
                f"{describe_event(draw, names)[:-1]} before {describe_event(event, names)}"
            )
            yield _replace_events(deal, index, [draw, event], "missing draw", description, 1)


def _other_dealt_card(deal: Deal, pack: CardCensus, names: list[str]) -> Iterator[_Change]:
    """Another card dealt or turned up."""
    for seat, hand in enumerate(deal.hands or []):
        for place, card in enumerate(hand):
            for replacement in pack.instead_of_deal(card):
                hands = [list(each) for each in deal.hands or []]
                hands[seat][place] = replacement
                changed = msgspec.structs.replace(deal, hands=hands)
                description = (
                    f"{names[seat]} is dealt {card_sign(replacement)}, not {card_sign(card)}."
                )
                yield _Change(None, "dealt", description, changed, 1 + _likeness(card, replacement))
    if deal.turn_up is not None:
        for replacement in pack.instead_of_deal(deal.turn_up):
            changed = msgspec.structs.replace(deal, turn_up=replacement)
            description = f"The turn-up is {card_sign(replacement)}, not {card_sign(deal.turn_up)}."
            yield _Change(None, "dealt", description, changed, 1)


def _replace_events(
    deal: Deal,
    index: int,
    events: list[Any],
    kind: CorrectionKind,
    description: str,
    likely: int,
    *,
    replaced: int = 1,
) -> _Change:
    changed = [*deal.events[:index], *events, *deal.events[index + replaced :]]
    return _Change(index, kind, description, msgspec.structs.replace(deal, events=changed), likely)


def _likeness(card: str, other: str) -> int:
    """1 if two cards are easily confused, sharing rank or suit, else 0."""
    return int(card[0] == other[0] or card[1] == other[1])
