"""What programs write with the public package: type checkers accept all of it."""

from random import Random

import bezique
from bezique import (
    Card,
    EndDeal,
    Game,
    Meld,
    MeldName,
    Move,
    Play,
    Position,
    Report,
    Rules,
    card,
    cards,
    check,
    play,
    replay,
    review,
)  # fmt: skip


def play_at_random(seed: int) -> Report:
    """A bot that makes any legal move."""
    game, random = Game("zique", seed=seed), Random(seed)
    while moves := game.legal():
        game.do(random.choice(moves))
    return check(game.record)


def strongest(cards: list[Card]) -> Card:
    """The first of some cards."""
    return cards[0]


def first_hand(position: Position) -> Card:
    """A card of the first hand."""
    return strongest(position.hands[0])


def melds_of(game: Game) -> list[tuple[MeldName, list[Card]]]:
    """The melds that a game allows now."""
    return [(move.meld, move.cards) for move in game.legal() if isinstance(move, Meld)]


def cards_played(game: Game) -> list[Card]:
    """Every card played so far."""
    return [step.event.card for step in replay(game.record) if isinstance(step.event, Play)]


def ends(game: Game) -> bool:
    """Whether the deal can be settled."""
    return any(isinstance(move, EndDeal) for move in game.legal())


def revokes(report: Report) -> int:
    """How often a card of the suit led was held and not played."""
    return sum(finding.code == "must-follow-suit" for finding in report.findings)


class Miser:
    """A player of one's own, as an object."""

    def choose(self, view: Position) -> Move | None:
        """The lowest card that may be played."""
        plays = [move for move in view.legal() if isinstance(move, Play)]
        return min(plays, key=lambda move: move.card) if plays else view.legal()[0]


def anything(view: Position) -> Move:
    """A player of one's own, as a function."""
    return Random(view.key).choice(view.legal())


def tournament(house: Rules) -> list[int]:
    """The points of a match by a rulebook of one's own, and what its reviewed decisions lost."""
    record = play(house, [Miser(), anything], deals=2, names=["Ann", "Bob"])
    losses = [decision.lost for deal in review(record).deals for decision in deal.decisions]
    return [*(record.result.scores or [] if record.result else []), round(sum(losses))]


def by_our_rules(game: Game, file: str) -> Game:
    """A game by the rulebook of a file, which the record of another now names, too."""
    house: Rules = bezique.rulebook(file)
    record = game.record
    record.rules = bezique.rulebook(house)
    return Game(house, seed=1) if tournament(house) else Game(record)


def explored(game: Game) -> str:
    """What a copy of a game comes to."""
    twin = game.copy()
    twin.do(twin.legal()[0])
    twin.undo()
    return twin.position.key if twin == game else Game.from_notation(game.to_notation()).view(0).key


def decks(folder: str) -> list[Card]:
    """A hand written as people write it, and the sheets of a collection."""
    with bezique.open(folder) as games:
        print([record.rules.id for record in games.records()], games.rows("deals"))
    return [card("10♥"), *cards("AH TH")]
