"""Every position of a legal game is one that a game can come to, with labels, without, and with cards unknown."""

import os
from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from records.cards import is_unknown
from records.record import Deal, Laid, Record, Setup
from records.validator import check_record
from tests.playouts.fragments import bare_setup, may_begin, position_setup, turn_setup
from tests.playouts.games import OPTIONED, STANDARD, Way
from tests.playouts.referee import judge
from tests.playouts.world import World

GAMES = int(os.environ.get("BEZIQUE_POSITIONS", "0"))
"""So many games of every way to play are set up at every event; 0: one of every way, at a few events."""
MOST_POSITIONS = 2
"""So many positions of a game are tried where few are asked for."""


def positions(record: Record) -> Iterator[Deal]:
    """Every position in which a fragment of the game may begin, as a deal of that position alone."""
    for deal, trail in zip(record.deals, judge(record).trails, strict=True):
        labelled = any("." in card for hand in deal.hands or [] for card in hand)
        for at in range(1, len(deal.events)):
            worlds = trail.worlds[at]
            if len(worlds) != 1 or not may_begin(deal.events, at, worlds[0]):
                continue
            world = worlds[0]
            setup = (
                position_setup(world, labelled) if isinstance(world, World) else turn_setup(world)
            )
            yield Deal(dealer=deal.dealer, setup=setup)


def blurred(setup: Setup, random: Random, share: float) -> Setup:
    """The position with some cards unknown, or known in part."""

    def blur(cards: list[str] | None) -> list[str] | None:
        return cards and [
            random.choice(["??", f"?{card[1]}", f"{card[0]}?"])
            if random.random() < share and not is_unknown(card)
            else card
            for card in cards
        ]

    tables = [
        [Laid(meld=laid.meld, cards=blur(laid.cards) or [], scored=laid.scored) for laid in melds]
        for melds in setup.tables or []
    ]
    return replace(
        setup,
        hands=[blur(hand) or [] for hand in setup.hands],
        tables=tables or None,
        captured=setup.captured and [blur(pile) or [] for pile in setup.captured],
        trick=blur(setup.trick),
        tableau=blur(setup.tableau),
        spent_dixes=blur(setup.spent_dixes),
        turn_up=(blur([setup.turn_up]) or [None])[0] if setup.turn_up else None,
        trump=random.choice([setup.trump, None]) if setup.turn_up else setup.trump,
    )


def found(record: Record, deal: Deal) -> list[tuple[str, str]]:
    report = check_record(replace(record, deals=[deal], result=None))
    return [(f.code, f.message) for f in report.findings if f.severity in ("illegal", "mismatch")]


@pytest.mark.slow
@pytest.mark.parametrize("way", [*STANDARD, *OPTIONED], ids=str)
def test_a_position_of_a_legal_game_can_be(way: Way):
    copies = way.sheet.rules.pack.packs > 1 or bool(way.sheet.rules.pack.doubled_suits)
    for seed in range(max(1, GAMES)):
        random = Random(f"{way} {seed}")
        style = ["greedy", "random"][(seed + len(str(way))) % 2]
        record = way.play(seed, style, deals=1, labels=copies)
        some = list(positions(record))
        for deal in some if GAMES else random.sample(some, min(MOST_POSITIONS, len(some))):
            assert deal.setup is not None
            assert found(record, deal) == [], deal
            bare = replace(deal, setup=bare_setup(deal.setup))
            assert found(record, bare) == [], bare
            for share in (0.2, 1):
                unknown = replace(
                    deal, setup=blurred(bare.setup, random, share), knowledge="public"
                )
                assert found(record, unknown) == [], unknown
