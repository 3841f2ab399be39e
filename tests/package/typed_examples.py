"""What programs write with the public package: type checkers accept all of it."""

from random import Random

from bezique import Card, EndDeal, Game, Meld, MeldName, Play, Position, Report, check, replay


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
