"""What the replay page draws of a deal, step by step: what lies where, and what is marked.

A step is complete in itself. A card is one word, with the classes it is drawn in after it: `QS`,
`7D legal`, `KH half lifted`. The browser draws these words and knows no rule.
"""

from collections.abc import Sequence

import msgspec

from records.validate.finding import Finding
from webui.display.words.reason_words import gain_sentence
from webui.replay.comments import DealComments
from webui.replay.layout import CardGroup, LegalOption


class SeatStep(msgspec.Struct):
    """What one seat has: `backs` counts the cards held that are not known.

    `points` are those of the deal and `total` those of the game; `won` says what it took, in words. `unsure` says
    that the record leaves open where a card lies: it stands, marked `half`, in the hand and on the table, or, marked
    `either`, in more melds than one.
    """

    hand: list[str]
    backs: int
    laid: list[CardGroup]
    points: int | None
    total: int | None
    won: str
    unsure: bool


class Gain(msgspec.Struct):
    """Points made at a step; `words` say in short what they are for, `reason` in the words of the sheet.

    The reason is empty where the event itself says it.
    """

    seat: int
    points: int
    words: str
    reason: str


class ReplayStep(msgspec.Struct):
    """One step: `event` is its index in the deal, `who` its seat, `named` its cards, `ms` the time it took.

    `taken` says who takes the trick that the event completes, and why. `trick` is the number of its trick or turn, from 1. `choice` says that the next event was one of
    several legal choices.

    `tableau` are the piles of a game that has them; `out` says how many cards have left the game. `turn` says
    what is due next, and `seat` from whom. `centre` are the cards in the middle with the seats they came from;
    `plays` are the cards that may be played next.
    """

    event: int | None
    who: int | None
    named: list[str]
    ms: int | None
    choice: bool
    say: str
    taken: str
    gains: list[Gain]
    phase: str
    trick: int
    heading: str
    trump: str | None
    turn_up: str | None
    stock: int
    centre: list[tuple[int, str]]
    tableau: list[CardGroup]
    out: str
    seats: list[SeatStep]
    seat: int | None
    turn: str
    plays: list[str]
    options: list[LegalOption]
    findings: list[int]
    tainted: bool


class DealSteps(msgspec.Struct):
    """A whole deal, from the cards dealt to the last card played.

    `sides` says on which side each seat plays, and `partners` with whom, in words. `cards` gives the
    words and the sign of every card; `findings` are those of the steps, `margin` what the record says
    beside them. `more` says that later steps are held back; then `deals` counts no later deal. `outcome` are the
    sentences that say how the deal ended, and the match with it.
    """

    deal: int
    deals: int
    names: list[str]
    sides: list[int]
    partners: list[str]
    dealer: int
    sheet: str
    ranks: str
    no_trump: str
    before: list[int | None]
    cards: dict[str, tuple[str, str]]
    findings: list[Finding]
    margin: DealComments
    steps: list[ReplayStep]
    more: bool
    outcome: list[str]


def step_reasons(step: ReplayStep, names: Sequence[str]) -> list[str]:
    """What a step does not say by itself, in sentences: who takes the trick and why, and what points are for."""
    gains = [
        gain_sentence(names[gain.seat], gain.points, gain.reason)
        for gain in step.gains
        if gain.reason
    ]
    return [step.taken, *gains] if step.taken else gains


def trick_starts(steps: Sequence[ReplayStep]) -> list[int]:
    """The steps at which a trick is led to, the deal first."""
    starts = [0]
    for number in range(1, len(steps)):
        if steps[number].trick != steps[number - 1].trick:
            starts.append(number)
    return starts
