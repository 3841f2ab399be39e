"""One way a deal may really lie: every copy of the pack has a name of its own (`QS.1`)."""

from dataclasses import dataclass, field, replace
from typing import Any

from records.rules.vocabulary import MeldRule, ReuseRule


class Wrong(Exception):
    """The rules forbid it, or a number is not true, in this world."""


def demand(condition: object, why: str) -> None:
    if not condition:
        raise Wrong(why)


@dataclass(frozen=True)
class Scored:
    """A meld scored: its row of the sheet and the very cards."""

    row: MeldRule
    cards: frozenset[str]


def places_for(seats: int) -> dict[str, Any]:
    """What a world has for each seat; by itself it has it for two."""
    return {
        "scored": [[] for _ in range(seats)],
        "taken": [[] for _ in range(seats)],
        "closed_tricks": [0] * seats,
        "chains": ["over"] * seats,
        "sevens_played": (None,) * seats,
        "brisques_claimed": [0] * seats,
        "points": [0] * seats,
    }


def _pair_of_lists() -> list[list[object]]:
    return [[], []]


@dataclass
class World:
    """Everything that is so at a table, with every card known by its own name."""

    hands: list[set[str]]
    unseen: set[str]
    down: int
    turn_up: str
    dealer: int
    trump: str | None
    to_act: int
    reuse: ReuseRule
    captures: bool
    labelled: bool = False
    laid: set[str] = field(default_factory=set)
    open: set[str] = field(default_factory=set)
    spent: set[str] = field(default_factory=set)
    scored: list[list[Scored]] = field(default_factory=_pair_of_lists)  # type: ignore[assignment]
    replaced: set[tuple[int, int]] = field(default_factory=set)
    trick: list[tuple[int, str]] = field(default_factory=list)
    taken: list[list[str]] = field(default_factory=_pair_of_lists)  # type: ignore[assignment]
    fresh: set[str] = field(default_factory=set)
    winners: list[int] = field(default_factory=list)
    closed_tricks: list[int] = field(default_factory=lambda: [0, 0])
    due: list[int] = field(default_factory=list)
    window: int | None = None
    melds_left: int = 0
    named: bool = True
    chains: list[str] = field(default_factory=lambda: ["over", "over"])
    was_cut: bool = False
    sevens_played: tuple[tuple[str, int] | None, ...] = (None, None)
    earned: dict[tuple[int, str], int] = field(default_factory=dict)
    claimed: set[tuple[int, str]] = field(default_factory=set)
    brisques_claimed: list[int] = field(default_factory=lambda: [0, 0])
    points: list[int] = field(default_factory=lambda: [0, 0])
    played: int = 0

    @property
    def seats(self) -> int:
        return len(self.hands)

    def copy(self) -> "World":
        return replace(
            self,
            hands=[set(hand) for hand in self.hands],
            unseen=set(self.unseen),
            laid=set(self.laid),
            open=set(self.open),
            spent=set(self.spent),
            scored=[list(scored) for scored in self.scored],
            replaced=set(self.replaced),
            trick=list(self.trick),
            taken=[list(taken) for taken in self.taken],
            fresh=set(self.fresh),
            winners=list(self.winners),
            closed_tricks=list(self.closed_tricks),
            due=list(self.due),
            chains=list(self.chains),
            earned=dict(self.earned),
            claimed=set(self.claimed),
            brisques_claimed=list(self.brisques_claimed),
            points=list(self.points),
        )

    def past(self, card: str) -> tuple[object, ...]:
        """What tells a copy from its twins: where it lies, and what it has served in.

        Of the melds only what a rule of reuse can still ask is kept: the kinds the copy has scored in, and
        which very melds, and whether in a later one too.
        """
        melds = [
            (seat, i, meld)
            for seat, scored in enumerate(self.scored)
            for i, meld in enumerate(scored)
            if card in meld.cards
        ]
        kinds = tuple(sorted({meld.row.kind for _, _, meld in melds if self.lasts(meld.row)}))
        sets = tuple(
            (i, any(later > i for _, later, _ in melds))
            for seat, i, meld in melds
            if self.matters(seat, i, meld)
        )
        return (
            card in self.laid,
            card in self.open,
            card in self.spent,
            card in self.fresh,
            kinds,
            sets,
        )

    def lasts(self, row: MeldRule) -> bool:
        """Whether a rule can still ask for the kind when the very meld is broken."""
        if self.reuse is ReuseRule.REFORMED_AFTER_LEAVING:
            return row.kind == "marriage" or row.family in ("sequence", "bezique")
        return self.reuse in (ReuseRule.ONCE_PER_KIND, ReuseRule.UPWARD_IN_CLASS)

    def matters(self, seat: int, number: int, meld: Scored) -> bool:
        """Whether a rule can still ask which meld this was, and not only of which kind."""
        if self.reuse is ReuseRule.AUGMENT_OR_RESTORE:
            return (seat, number) not in self.replaced
        by_set = (ReuseRule.ONCE_PER_SET, ReuseRule.REFORMED_AFTER_LEAVING)
        return self.reuse in by_set and meld.cards <= self.hands[seat]

    def key(self) -> tuple[object, ...]:
        """Two worlds with one key differ in nothing but the names of twins, which a record without labels never tells."""
        name = slice(None) if self.labelled else slice(2)
        melded = {card for scored in self.scored for meld in scored for card in meld.cards}
        captured = melded | self.fresh if self.captures else set[str]()
        return (
            tuple(tuple(sorted((c[name], self.past(c)) for c in hand)) for hand in self.hands),
            tuple(tuple(sorted((c[name], self.past(c)) for c in pile if c in captured))
                  for pile in self.taken),
            (self.turn_up[name], self.turn_up in self.spent),
            tuple(played and played[1] for played in self.sevens_played),
            tuple(self.points),
        )  # fmt: skip

    @property
    def closed(self) -> bool:
        """Whether nothing is left to draw."""
        return not self.down and not self.turn_up

    @property
    def over(self) -> bool:
        return self.closed and not self.trick and not any(self.hands)

    def earn(self, seat: int, what: str, points: int) -> None:
        self.points[seat] += points
        self.earned[seat, what] = points
