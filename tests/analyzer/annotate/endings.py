"""Random small endings: three to five cards per player, under every rule for play after the close."""

from collections.abc import Iterator
from random import Random

from records.engine.deal import lay_out_deal
from records.engine.table import Table
from records.record import Deal, Setup
from records.rules.compiled import CompiledSheet, compile_sheet
from records.rules.registry import ALL_SHEETS, resolve_sheet
from records.rules.vocabulary import ChoiceOption, FirstMeld, RuleOptionValue, RuleSheet

NAMES = ["North", "South"]
MELDS = "meld_after_close"
Way = tuple[str, dict[str, RuleOptionValue]]


def every_way() -> Iterator[Way]:
    """Every sheet of two hands with tricks, each option of it turned alone, wherever the close is another by that.

    Where nothing may be melded after the close, each is asked again with melds.
    """
    seen = set()
    for sheet in (each for each in ALL_SHEETS if each.tableau is None):
        for options in _turned(sheet):
            law = _law_of_the_close(resolve_sheet(sheet.id, None, options).sheet)
            if law not in seen:
                seen.add(law)
                yield sheet.id, options


def _turned(sheet: RuleSheet) -> Iterator[dict[str, RuleOptionValue]]:
    for base in ({}, {MELDS: True}) if _is_off(sheet) else ({},):
        yield base
        for option in sheet.options:
            for value in option.values if isinstance(option, ChoiceOption) else ():
                if value != option.default:
                    yield {**base, option.name: value}


def _is_off(sheet: RuleSheet) -> bool:
    return any(option.name == MELDS and not option.default for option in sheet.options)


def _law_of_the_close(sheet: RuleSheet) -> str:
    """Everything in a sheet that the value of an ending may depend on."""
    melds = sheet.melds if sheet.phases[-1].melds else ()
    dix, trumps = sheet.dix, type(sheet.trumps)
    brisques, bonuses = sheet.brisques, sheet.bonuses
    return repr((sheet.pack, sheet.phases[-1], sheet.reuse, melds, trumps, dix, brisques, bonuses))


def endings(sheet: str, options: dict[str, RuleOptionValue], *, seed: int) -> Iterator[Table]:
    """Tables after the close on which somebody is to lead, one after another without end."""
    book = compile_sheet(resolve_sheet(sheet, None, options).sheet)
    random = Random(f"{sheet} {sorted(options.items())} {seed}")
    while True:
        yield lay_out_deal(book, _deal(book, random), NAMES)


def _deal(book: CompiledSheet, random: Random) -> Deal:
    """A position with few suits, so that they are fought for."""
    suits = random.sample("SHDC", random.choice([2, 3, 3, 4]))
    size = random.choice([3, 3, 3, 4, 4, 5])
    pack = [face for face, copies in book.copies.items() for _ in range(copies) if face[1] in suits]
    random.shuffle(pack)
    first_scored = isinstance(book.sheet.trumps, FirstMeld)
    none_yet = first_scored and random.random() < 0.25
    setup = Setup(
        hands=[pack[:size], pack[size : 2 * size]],
        seat=random.randrange(2),
        trump=None if none_yet else random.choice(suits),
        captured=_captured(book, pack, random, size) if book.melds_captured else None,
    )
    return Deal(dealer=0, setup=setup, knowledge="full")


def _captured(book: CompiledSheet, pack: list[str], random: Random, size: int) -> list[list[str]]:
    """What both have won so far: some of what is not held."""
    left = [face for face, copies in book.copies.items() for _ in range(copies)]
    for card in pack[: 2 * size]:
        left.remove(card)
    random.shuffle(left)
    share = random.choice([4, 8, 12])
    return [left[:share], left[share : 2 * share]]
