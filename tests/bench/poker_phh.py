"""The poker peer: PokerKit reads hands in its own notation and replays every action."""

import random
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from pokerkit import Automation, HandHistory, NoLimitTexasHoldem, State

PLAYERS = 6
STACK = 200
LEFT_TO_THE_DEALER = (
    Automation.ANTE_POSTING,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.BET_COLLECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def read_hands(folder: Path, games: int) -> Callable[[], int]:
    """One round: every hand parsed and replayed to its end; returns the actions."""
    path = folder / f"poker-{version('pokerkit')}-{games}.phhs"
    if not path.exists():
        _write(path, games)
    text = path.read_text()
    return lambda: sum(map(_replay, HandHistory.loads_all(text)))


def _replay(history: HandHistory) -> int:
    return sum(action is not None for _state, action in history.state_actions)


def _write(path: Path, games: int) -> None:
    game = NoLimitTexasHoldem(LEFT_TO_THE_DEALER, True, 0, (1, 2), 2)
    hands = [HandHistory.from_game_state(game, _played(game, seed)) for seed in range(games)]
    with path.open("wb") as out:
        HandHistory.dump_all(hands, out)


def _played(game: NoLimitTexasHoldem, seed: int) -> State:
    """One hand; the library shuffles with the global generator, hence the seed there too."""
    random.seed(seed)
    rng = random.Random(seed)
    state = game((STACK,) * PLAYERS, PLAYERS)
    while state.status:
        _act(state, rng)
    return state


def _act(state: State, rng: random.Random) -> None:
    """Deal what is to be dealt, else let the player in turn fold, call or raise."""
    if state.can_deal_hole():
        state.deal_hole()
    elif state.can_burn_card():
        state.burn_card("??")
    elif state.can_deal_board():
        state.deal_board()
    elif rng.random() < 0.25 and state.can_fold():
        state.fold()
    elif rng.random() < 0.15 and state.can_complete_bet_or_raise_to():
        state.complete_bet_or_raise_to()
    else:
        state.check_or_call()
