"""The weights of the base player: how much each thing counts, sheet by sheet, as `analyzer.play.fitting` found them."""

from functools import lru_cache
from importlib.resources import files

import msgspec

WEIGHTS_FILE = files("analyzer.play") / "base_weights.json"


class BaseWeights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much each thing counts; none is negative, and `win` and the chains are at most 1.

    Where nothing else is said a weight is in points, or a factor of points.
    """

    win: float = 0.6
    """The chance to win a trick if one wants to: so soon can a meld be scored that is ready."""
    chain: float = 0.9
    """The chance, for each card missing, that a meld of certain cards is kept together until it comes."""
    rank_chain: float = 1.0
    """The same for melds of several cards of one rank."""
    brisque: float = 1.0
    """Of the points of a brisque in the trick."""
    now: float = 1.2
    """Of the points of the dearest meld that is ready, as far as there may be no later trick to score it."""
    slot: float = 6.0
    """To win a trick before the close, whatever is in it."""
    trump: float = 8.0
    """To keep a trump."""
    trump_rank: float = 10.0
    """To keep the highest trump rather than none; lower ones in proportion."""
    plain_rank: float = 3.0
    """To keep an ace of another suit; lower ranks in proportion."""
    late: float = 1.0
    """By how much more trumps and high cards are worth when the stock is gone."""
    seven: float = 3.0
    """To keep a seven of trumps that may be exchanged or shown."""
    low_beaten: float = 0.5
    """How fast the hope to win with a card led falls with the number of unseen cards that take it."""
    brisque_beaten: float = 1.0
    """The same for a brisque led: the other wants it more."""
    mine: float = 1.0
    """Where melds are made of captured cards: of what a card captured may still score."""
    theirs: float = 1.0
    """The same for a card that the other captures."""


class SheetWeights(msgspec.Struct, frozen=True):
    """The weights of a sheet; `how` says where they come from."""

    weights: BaseWeights
    how: str = ""


class WeightsFile(msgspec.Struct, frozen=True):
    """What the file of weights holds; `generic` serves sheets that have none of their own."""

    method: str
    generic: BaseWeights
    sheets: dict[str, SheetWeights]


@lru_cache(maxsize=1)
def weights_file() -> WeightsFile:
    """The file of weights, read once."""
    return msgspec.json.decode(WEIGHTS_FILE.read_bytes(), type=WeightsFile)


def weights_for(sheet_id: str) -> BaseWeights:
    """The weights of a sheet."""
    found = weights_file().sheets.get(sheet_id)
    return found.weights if found else weights_file().generic
