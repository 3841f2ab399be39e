"""The deal, trumps, the seven of trumps, carte blanche."""

from collections.abc import Mapping
from typing import assert_never

from records.cards import SUIT_NAMES
from records.rules.english.phrases import join_words, number_word, plural, rank_name
from records.rules.vocabulary import (
    CarteBlancheRule,
    CutRule,
    DixRule,
    FirstScored,
    NoTrumps,
    OneDeal,
    Pack,
    RaceTo,
    RuleSheet,
    TurnUp,
    Window,
)


def explain_deal(sheet: RuleSheet) -> list[str]:
    """Who plays, with which cards, how many each."""
    low, high = min(sheet.players), max(sheet.players)
    players = number_word(low) if low == high else f"{number_word(low)} to {number_word(high)}"
    return [
        f"{players.capitalize()} play.",
        *_partners(sheet),
        _pack(sheet.pack),
        _hands(sheet.hand),
        *_next_deal(sheet),
    ]


def _pack(pack: Pack) -> str:
    suits = 4 * pack.copies + len(pack.doubled_suits)
    ranks = " ".join("10" if rank == "T" else rank for rank in pack.ranks)
    packs = (
        "one pack" if pack.copies == 1 else f"{number_word(pack.copies)} packs shuffled together"
    )
    twice = (
        join_words(SUIT_NAMES[suit] for suit in pack.doubled_suits) if pack.doubled_suits else ""
    )
    added = f" and a second set of {twice}" if twice else ""
    size = len(pack.ranks) * suits
    return f"The {size} cards are {packs}{added}, ranking {ranks} from high to low."


def _hands(hands: Mapping[int, int]) -> str:
    usual = max(hands.values())
    fewer = [f"{number_word(cards)} when {number_word(players)} play"
             for players, cards in hands.items() if cards != usual]  # fmt: skip
    exception = f", or {join_words(fewer)}" if fewer else ""
    return f"Each player is dealt {plural(usual, 'card')}{exception}."


def _partners(sheet: RuleSheet) -> list[str]:
    if not sheet.partners:
        return []
    sides = [
        f"{number_word(players)} as {join_words((_sides(players, size) for size in sizes), 'or')}"
        for players, sizes in sheet.partners.items()
    ]
    return [f"Each plays alone, or {join_words(sides)}, partners sitting alternately."]


def _sides(players: int, size: int) -> str:
    return f"{number_word(players // size)} sides of {number_word(size)}"


def _next_deal(sheet: RuleSheet) -> list[str]:
    match sheet.game:
        case RaceTo():
            return ["The deal passes to the next player each time."]
        case OneDeal():
            return []
        case _:
            assert_never(sheet.game)


def explain_cut(sheet: RuleSheet) -> list[str]:
    """The cut before the deal, if there is one."""
    match sheet.cut:
        case None:
            return []
        case CutRule(packet, dealer_points, guess_points):
            return [
                f"Before the deal the dealer cuts a packet, and the other player guesses its size "
                f"before it is counted. A packet of exactly {packet} cards scores {dealer_points} "
                f"for the dealer, a right guess {guess_points} for the other; both may score."
            ]
        case _:
            assert_never(sheet.cut)


def explain_trumps(sheet: RuleSheet) -> list[str]:
    """What makes trumps."""
    match sheet.trumps:
        case TurnUp(dealer_seven):
            bonus = f"If it is a seven, the dealer scores {dealer_seven}."
            turned = "A card is turned up after the deal, and its suit is trumps."
            return [turned, bonus] if dealer_seven else [turned]
        case FirstScored(by):
            first = join_words((f"a {name}" for name in by), "or")
            return [
                f"There are no trumps until {first} is scored: its suit is trumps for the rest of "
                "the deal, and it already scores as one in trumps."
            ]
        case NoTrumps():
            return ["There are no trumps."]
        case _:
            assert_never(sheet.trumps)


def explain_dix(sheet: RuleSheet) -> list[str]:
    """What the seven of trumps is good for."""
    found = sheet.dix
    if isinstance(sheet.trumps, NoTrumps):
        return []
    if found is None or (found.points == 0 and found.exchange is Window.NEVER):
        return ["The seven of trumps has no special value."]
    worth = f"worth {found.points} points" if found.points else "which scores nothing"
    return [
        f"The seven of trumps is the dix, {worth}.",
        *_exchange(found, one_meld=sheet.phases[0].melds == 1),
        *_show(found),
        *(_spent(found) if found.points else []),
    ]


def _exchange(found: DixRule, *, one_meld: bool) -> list[str]:
    score = f" and score {found.points}" if found.points else ""
    match found.exchange:
        case Window.NEVER:
            return []
        case Window.AFTER_TRICK_WON:
            when = "After winning a trick, while the turn-up lies there, its holder may"
        case Window.AT_ANY_TIME:
            when = "At any time, until the turn-up is drawn, its holder may"
        case _:
            assert_never(found.exchange)
    swap = f"{when} exchange it for the turn-up{score}; a seven turned up is not exchanged."
    if not one_meld or found.exchange is not Window.AFTER_TRICK_WON:
        return [swap]
    counts = "counts" if found.exchange_is_the_meld else "does not count"
    return [swap, f"The exchange {counts} as the meld of that trick."]


def _show(found: DixRule) -> list[str]:
    match found.show:
        case Window.NEVER:
            return []
        case Window.AFTER_TRICK_WON:
            return [f"Shown after winning a trick it scores {found.points} and stays in the hand."]
        case Window.AT_ANY_TIME:
            return [f"It may be shown at any time, in turn or not, and scores {found.points}."]
        case _:
            assert_never(found.show)


def _spent(found: DixRule) -> list[str]:
    told = []
    if found.played:
        told.append(
            "A dix that has not scored yet scores when it is played, whoever wins the trick."
        )
    if not found.in_last_tricks:
        told.append("After the close it scores no more.")
    if found.once_per_card:
        told.append(
            "Each dix scores once a deal; a seven that scored when it was turned up is spent."
        )
    else:
        told.append("A dix that has scored scores again whenever it is played.")
    if found.spent_exchanges and found.exchange is not Window.NEVER:
        told.append("A dix that has scored may still be exchanged, for nothing.")
    return told


def explain_carte_blanche(sheet: RuleSheet) -> list[str]:
    """What a hand without court cards scores."""
    match sheet.carte_blanche:
        case None:
            return []
        case CarteBlancheRule(points, courts, before_first_lead):
            names = join_words((rank_name(rank) for rank in courts), "or")
            limit = "the first lead" if before_first_lead else "playing a first card"
            return [
                f"A hand dealt without a {names} may be shown before {limit}: carte blanche, "
                f"{points} points.",
                f"Each card drawn after that, as long as none is a {names} and each is shown"
                f" before the next play, scores {points} again.",
            ]
        case _:
            assert_never(sheet.carte_blanche)
