"""Random small endings: three to five cards per player, under every rule for play after the close."""

from collections import Counter
from collections.abc import Iterator
from itertools import count
from random import Random
from typing import NamedTuple

from records.engine.deal import lay_out_deal
from records.engine.table import Table
from records.record import Deal, Laid, Setup
from records.rules.compiled import CompiledSheet, compile_sheet
from records.rules.registry import ALL_SHEETS, resolve_sheet
from records.rules.vocabulary import ChoiceOption, FirstMeld, RuleOptionValue, RuleSheet
from tests.referee.last_trick_worlds import forming
from tests.referee.minimax import Worlds, close_worlds

NAMES = ["North", "South"]
MELDS = "meld_after_close"
MOST_LAID = 5
"""So many cards lie in melds at most."""
LARGEST_HAND = 5
"""Of so many cards, those that lie included, are hands with melds; of one more where so many lie."""
Way = tuple[str, dict[str, RuleOptionValue]]


class Ending(NamedTuple):
    """A position after the close: a table of the engine, and the worlds of the referee that it may be."""

    table: Table
    worlds: Worlds


def every_way() -> Iterator[Way]:
    """Every sheet of two hands with tricks, each option of it turned alone, wherever the close is another by that.

    Where nothing may be melded after the close, each is asked again with melds.
    """
    seen = set()
    for sheet in (each for each in ALL_SHEETS if each.rules.tableau is None):
        for options in _turned(sheet):
            law = _law_of_the_close(resolve_sheet(sheet.id, None, options).sheet)
            if law not in seen:
                seen.add(law)
                yield sheet.id, options


def _turned(sheet: RuleSheet) -> Iterator[dict[str, RuleOptionValue]]:
    for base in ({}, {MELDS: True}) if _is_off(sheet) else ({},):
        yield base
        for option in sheet.options:
            for value in option.permitted if isinstance(option, ChoiceOption) else ():
                if value != option.default:
                    yield {**base, option.name: value}


def _is_off(sheet: RuleSheet) -> bool:
    return any(option.name == MELDS and not option.default for option in sheet.options)


def _law_of_the_close(sheet: RuleSheet) -> str:
    """Everything in a sheet that the value of an ending may depend on."""
    melds = sheet.rules.melds if sheet.rules.phases[-1].meld_limit else ()
    dix, trumps = sheet.rules.dix, type(sheet.rules.trumps)
    brisques, bonuses = sheet.rules.brisques, sheet.rules.bonuses
    return repr(
        (
            sheet.rules.pack,
            sheet.rules.phases[-1],
            sheet.rules.reuse,
            melds,
            trumps,
            dix,
            brisques,
            bonuses,
        )
    )


def endings(sheet: str, options: dict[str, RuleOptionValue], *, seed: int) -> Iterator[Ending]:
    """Positions after the close in which somebody is to lead, one after another without end."""
    book = compile_sheet(resolve_sheet(sheet, None, options).sheet)
    random = Random(f"{sheet} {sorted(options.items())} {seed}")
    melds = book.sheet.rules.phases[-1].meld_limit and not book.melds_captured
    for number in count():
        deal = _melded_deal(book, random) if melds and number % 2 else _deal(book, random)
        yield Ending(lay_out_deal(book, deal, NAMES), close_worlds(book.sheet, deal))


def _deal(book: CompiledSheet, random: Random) -> Deal:
    """A position with few suits, so that they are fought for."""
    suits = random.sample("SHDC", random.choice([2, 3, 3, 4]))
    size = random.choice([3, 3, 3, 4, 4, 5])
    pack = [face for face, copies in book.copies.items() for _ in range(copies) if face[1] in suits]
    random.shuffle(pack)
    first_scored = isinstance(book.sheet.rules.trumps, FirstMeld)
    none_yet = first_scored and random.random() < 0.25
    setup = Setup(
        hands=[pack[:size], pack[size : 2 * size]],
        seat=random.randrange(2),
        trump=None if none_yet else random.choice(suits),
        captured=_captured(book, pack, random, size) if book.melds_captured else None,
    )
    return Deal(dealer=0, setup=setup, knowledge="full")


def _melded_deal(book: CompiledSheet, random: Random) -> Deal:
    """A position in which a seat that may meld has scored some, and holds cards that may make others with them.

    Two melds have no face in common, for a position would mean one card by it.
    """
    trump = random.choice("SHDC")
    left, lying = Counter(dict(book.copies)), Counter[str]()
    laid: list[Laid] = []
    for _ in range(random.choice([1, 2])):
        formed = [
            Laid(meld=row.name, cards=list(faces))
            for row in book.sheet.rules.melds
            for faces in forming(book.sheet, row, left.elements(), trump)
            if lying.total() + len(faces) <= MOST_LAID
            and lying.keys().isdisjoint(faces)
            and book.meld_rule(trump, row.name, faces)
        ]
        if formed:
            laid.append(random.choice(formed))
            lying.update(laid[-1].cards)
    left.subtract(lying)
    # Copies of the cards laid first, then what may marry them.
    others = list(left.elements())
    random.shuffle(others)
    others.sort(key=lambda face: (face not in lying, face[0] not in "KQJ"))
    own = random.sample(others[:10], random.randint(1, max(1, LARGEST_HAND - lying.total())))
    left.subtract(own)
    theirs = random.sample(list(left.elements()), len(own) + lying.total())
    seat = random.randrange(2)
    setup = Setup(
        hands=[theirs, own] if seat else [own, theirs],
        tables=[[], laid] if seat else [laid, []],
        seat=seat,
        won=True,
        trump=trump,
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
