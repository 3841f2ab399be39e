"""A player who wins trick after trick and melds after each: the tests for the rules of reuse.

    melded("KH QH QH", "marriage KH QH", "led QH, marriage KH QH", sheet="rubicon-bezique")

North holds these cards and others that form no meld. Each act is a trick that North leads and wins: with
the card that is `led`, or one of the others; then what North melds, if anything. Acts may show a
meld unscored (`shows bezique QS JD`). Both then draw cards of no use. Where the hand tells its copies apart
(`KS.1 KS.2`), so do the others.
"""

from records.rules.registry import get_sheet
from tests.make.tables import Told, table

MOST_COPIES = 4


def melded(hand: str, *acts: str, sheet: str, trump: str = "H", **options: object) -> Told:
    """What the replay makes of these acts; `trump` is empty where there are none yet."""
    assert trump != "C"
    number, copies = (
        _numbered if "." in hand else list,
        min(MOST_COPIES, get_sheet(sheet).rules.pack.packs),
    )
    led_cards = number([rank + "D" for rank in "789" for _ in range(copies)])
    replies = number([rank + "C" for rank in "789" for _ in range(copies)])
    drawn = iter(number([rank + suit for suit in "SH" for rank in "789" for _ in range(copies)]))
    assert len(acts) < len(replies)
    position = f"N: {hand} {' '.join(led_cards)} | S: {' '.join(replies)} | stock 40 | N leads"
    position += f" | trump {trump}" if trump else ""
    fillers, replied = iter(led_cards), iter(replies)
    told = []
    for act in acts:
        led, melds = _parts(act)
        told += [f"N {led or next(fillers)}", f"S {next(replied)}", *melds]
        told += [f"N draws {next(drawn)}", f"S draws {next(drawn)}"]
    return table(position, ", ".join(told), sheet=sheet, **options)


def _numbered(cards: list[str]) -> list[str]:
    return [f"{card}.{cards[:i].count(card) + 1}" for i, card in enumerate(cards)]


def _parts(act: str) -> tuple[str, list[str]]:
    parts = [part.strip() for part in act.split(",") if part.strip()]
    led = parts.pop(0).removeprefix("led ") if parts and parts[0].startswith("led ") else ""
    return led, [f"N {part}" if part.startswith("shows") else f"N melds {part}" for part in parts]


def points(told: Told) -> list[int]:
    """The points of the melds scored, in order, where every one of them is legal."""
    assert told.codes == [], [finding.message for finding in told.findings]
    return [points for _, points in told.scored("meld")]
