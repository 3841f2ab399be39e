"""The tables of tricks say what the referee says of every card, and whoever has a form of them of its own has the same."""

from collections.abc import Iterator
from itertools import product
from types import SimpleNamespace

import pytest

from analyzer.play.fast_rules import fast_rules
from analyzer.solver.suits import SuitCache, TrickRules
from analyzer.solver.tricks import TrickPlaySolver
from records.cards import FACE_OF, SUITS
from records.engine.copies import ReadingBudget
from records.engine.following import is_lawful_reply, lawful_replies
from records.engine.table import Table
from records.rules.compiled import compile_sheet
from records.rules.registry import ALL_SHEETS, resolve_sheet
from records.rules.tricks import better_replies, rank_cards
from records.rules.vocabulary import Follow, RuleSheet
from tests.playouts.tricks import TrickReferee

SHEETS = [
    resolve_sheet(sheet.id, None, {"follow": follow.value}).sheet
    for sheet in ALL_SHEETS
    if sheet.rules.tableau is None
    for follow in Follow
]
"""Every sheet with tricks by every option for what is owed after the close."""
OF_RANKS = list(
    {(sheet.rules.pack.ranks, sheet.rules.phases[-1].follow): sheet for sheet in SHEETS}.values()
)
"""One sheet for all those that differ neither in ranks nor in what is owed."""
TRUMPS = (None, *SUITS)


def named(sheet: RuleSheet) -> str:
    return f"{sheet.id} {sheet.rules.phases[-1].follow.value}"


def pack(sheet: RuleSheet) -> list[str]:
    return [rank + suit for suit in SUITS for rank in sheet.rules.pack.ranks]


@pytest.mark.parametrize("sheet", OF_RANKS, ids=named)
def test_what_is_owed_is_what_the_referee_says(sheet: RuleSheet) -> None:
    """Whether a reply is lawful depends on no two other cards: so hands of two cards are all there is to ask.

    Spades are trumps, or nothing is, and one suit that is none stands for all.
    """
    rules, referee, cards = compile_sheet(sheet), TrickReferee(sheet), pack(sheet)
    table = Table(rules, ["North", "South"], ReadingBudget(), dealer=1)
    table.phase = rules.phases[-1]
    for trump, led in product((None, "S"), cards[: len(cards) // 2]):
        table.set_trump(trump)
        owed = table.phase.duties[trump][led]
        for reply, other in product(cards, cards):
            world = SimpleNamespace(
                closed=True, trick=[(1, led)], hands=[[reply, other]], trump=trump
            )
            table.held[0] = {reply: 1, other: 1}
            wanted = referee.lawful(world, 0, reply)  # type: ignore[arg-type]
            assert (reply in lawful_replies(table, 0, led)) is wanted, (led, reply, other, trump)
            assert is_lawful_reply(table, 0, led, reply) is wanted
            assert (other not in better_replies(owed, reply)) is wanted


@pytest.mark.parametrize("sheet", OF_RANKS, ids=named)
def test_what_takes_a_card_is_what_the_referee_says(sheet: RuleSheet) -> None:
    rules, cards = compile_sheet(sheet), pack(sheet)
    for trump, led, reply in product(TRUMPS, cards, cards):
        highest = max(
            [led, reply], key=lambda card: "".join(reversed(sheet.rules.pack.ranks)).index(card[0])
        )
        beats = reply[0] != led[0] and highest == reply
        wanted = beats if reply[1] == led[1] else reply[1] == trump
        assert (reply in rules.beaters(trump)[led]) is wanted
        assert (f"{reply}.2" in rules.beaters(trump)[f"{led}.1"]) is wanted


@pytest.mark.parametrize("sheet", SHEETS, ids=named)
def test_roll_outs_and_solver_have_the_same_tables(sheet: RuleSheet) -> None:
    rules, fast = compile_sheet(sheet), fast_rules(sheet)
    for trump in TRUMPS:
        view, solver = fast.under[trump], TrickPlaySolver(rules, trump)
        solved = set[str]()
        for place, name in enumerate(view.cards.names):
            led, taking = FACE_OF[name], rules.beaters(trump)[name]
            assert faces(view.cards.names_of(view.cards.beats[place])) == faces(taking, sheet)
            for phase in rules.phases:
                owed = [faces(group, sheet) for group in phase.duties[trump][led]]
                masks = view.duties[phase.name][place]
                assert [faces(view.cards.names_of(mask)) for mask in masks] == owed
            if led in solved:
                continue  # the solver does not tell copies apart
            solved.add(led)
            coded = [set(cards_in(solver, *group)) for group in solver.duties[led]]
            assert [group for group in coded if group] == [group for group in owed if group]
            assert [solver.takes(led, reply) for reply in pack(sheet)] == [
                reply in taking for reply in pack(sheet)
            ]


def faces(cards: object, sheet: RuleSheet | None = None) -> set[str]:
    """The faces of cards, those of a sheet's pack alone if one is given."""
    found = {FACE_OF[card] for card in cards}  # type: ignore[attr-defined]
    return found & set(pack(sheet)) if sheet else found


def cards_in(solver: TrickPlaySolver, suit: int, counts: int) -> Iterator[str]:
    """The cards that some bits of a coded hand count."""
    return (
        card
        for card, (number, shift) in solver.place_of.items()
        if number == suit and counts >> shift & 15
    )


@pytest.mark.long
@pytest.mark.parametrize("sheet", OF_RANKS, ids=named)
def test_the_search_by_suits_gives_the_same_replies(sheet: RuleSheet) -> None:
    """It has steps, not cards: a reply is told by what it makes the trick worth, and by whether it takes it."""
    ranks, follow = sheet.rules.pack.ranks, sheet.rules.phases[-1].follow
    cache = SuitCache(TrickRules(follow, 10, 10, ranks, sheet.rules.brisques.ranks))
    worth = {rank: int(rank in sheet.rules.brisques.ranks) for rank in ranks}
    for is_trump, led, one, other in product((True, False), ranks, ranks, ranks):
        trump = "S" if is_trump else "H"
        hand = [f"{one}S", f"{other}S"]
        rows = [(worth[r], int(r == led), (r == one) + (r == other)) for r in ranks]
        suit, _ = cache.merge_steps(rows, is_trump=is_trump)
        ((taking, losing),) = cache.leads(suit)
        found = {(units, True) for units, *_ in taking} | {(units, False) for units, *_ in losing}
        owed = rank_cards(ranks).duties(follow, trump)[f"{led}S"]
        beaters = rank_cards(ranks).beaters(trump)[f"{led}S"]
        assert found == {
            (worth[led] + worth[card[0]], card in beaters)
            for card in hand
            if better_replies(owed, card).isdisjoint(hand)
        }
