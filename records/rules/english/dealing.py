"""The deal, the cut, trumps, the seven of trumps and carte blanche in sentences."""

from collections.abc import Mapping
from typing import assert_never

from records.cards import SUIT_NAMES
from records.phrases import count_in_words, join_words, number_word, with_article
from records.rules.english.vocabulary_phrases import (
    TRUMPS_BY_WORDS,
    WINDOW_WORDS,
    first_play_words,
    pack_size,
    rank_name,
    rank_signs,
    usual_and_exceptions,
)
from records.rules.vocabulary import (
    CutRule,
    DixRule,
    FirstMeld,
    NoTrumps,
    OneDeal,
    Pack,
    RaceTo,
    RuleSheet,
    TurnUp,
    Window,
)


def explain_deal(sheet: RuleSheet) -> list[str]:
    """How many play, with which cards, and how many each is dealt."""
    low, high = min(sheet.players), max(sheet.players)
    players = number_word(low) if low == high else f"{number_word(low)} to {number_word(high)}"
    return [
        f"The game is for {players} players.",
        *_partners(sheet),
        _pack(sheet.pack),
        _hands(sheet.hand),
        *_next_deal(sheet),
    ]


def _pack(pack: Pack) -> str:
    packs = count_in_words(pack.copies, "pack")
    if pack.doubled_suits:
        twice = join_words(SUIT_NAMES[suit] for suit in pack.doubled_suits)
        packs += f" and a second set of {twice}"
    together = " shuffled together" if pack.copies > 1 else ""
    ranks = rank_signs(pack.ranks)
    return f"The {pack_size(pack)} cards are {packs}{together}, ranking {ranks} from high to low."


def _hands(hands: Mapping[int, int]) -> str:
    usual, exceptions = usual_and_exceptions(hands)
    others = [f"{number_word(cards)} when {number_word(players)} play"
              for players, cards in exceptions.items()]  # fmt: skip
    exception = f", or {join_words(others)}" if others else ""
    return f"Each player is dealt {count_in_words(usual, 'card')}{exception}."


def _partners(sheet: RuleSheet) -> list[str]:
    if not sheet.partners:
        return []
    sides = [
        f"{number_word(players)} players form {join_words((_sides(players, size) for size in sizes), 'or')}"
        for players, sizes in sheet.partners.items()
    ]
    return [
        f"Each plays alone, or with partners who sit alternately: {'; '.join(sides)}.",
    ]


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
                "Before the deal the dealer cuts a packet, and the other player guesses how many cards"
                f" it has. A packet of exactly {packet} cards scores {dealer_points} for the dealer;"
                f" a right guess scores {guess_points} for the other player. Both may score."
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
        case FirstMeld(kinds, by):
            first = join_words(map(with_article, kinds), "or")
            return [
                f"There are no trumps until {first} is {TRUMPS_BY_WORDS[by]}. Its suit is trumps for the"
                " rest of the deal, and this first meld already scores as one in trumps."
            ]
        case NoTrumps():
            return ["There are no trumps."]
        case _:
            assert_never(sheet.trumps)


def explain_dix(sheet: RuleSheet) -> list[str]:
    """What the seven of trumps scores and when."""
    dix = sheet.dix
    if isinstance(sheet.trumps, NoTrumps):
        return []
    if dix is None or (dix.points == 0 and dix.exchange is Window.NEVER):
        return ["The seven of trumps has no special value."]
    worth = f"worth {dix.points} points" if dix.points else "which scores nothing"
    return [
        f"The seven of trumps is the dix, {worth}.",
        *_exchange(dix, one_meld=sheet.phases[0].melds == 1),
        *_show(dix),
        *(_spent(dix) if dix.points else []),
    ]


def _exchange(dix: DixRule, *, one_meld: bool) -> list[str]:
    if dix.exchange is Window.NEVER:
        return []
    score = f" and score {dix.points}" if dix.points else ""
    swap = (
        f"{WINDOW_WORDS[dix.exchange].capitalize()}, its holder may exchange it for the turn-up{score},"
        " unless the turn-up has been drawn or is itself a seven."
    )
    if not one_meld or dix.exchange is not Window.AFTER_TRICK_WON:
        return [swap]
    counts = "counts" if dix.exchange_is_the_meld else "does not count"
    return [swap, f"The exchange {counts} as the meld of that trick."]


def _show(dix: DixRule) -> list[str]:
    if dix.show is Window.NEVER:
        return []
    turn = ", in turn or not," if dix.show is Window.AT_ANY_TIME else ""
    return [f"Shown {WINDOW_WORDS[dix.show]}{turn} it scores {dix.points} and stays in the hand."]


def _spent(dix: DixRule) -> list[str]:
    sentences = []
    if dix.played:
        sentences.append(
            "A dix that has not scored yet scores when it is played, whoever wins the trick."
        )
    if not dix.in_last_tricks:
        sentences.append("After the close it no longer scores.")
    if dix.once_per_card:
        sentences.append(
            "Each dix scores once per deal; one that scored as the turn-up does not score again."
        )
    else:
        sentences.append("A dix that has scored scores again whenever it is played.")
    if dix.spent_exchanges and dix.exchange is not Window.NEVER:
        sentences.append("A dix that has scored may still be exchanged, but scores nothing then.")
    return sentences


def explain_carte_blanche(sheet: RuleSheet) -> list[str]:
    """What a hand without court cards scores."""
    rule = sheet.carte_blanche
    if rule is None:
        return []
    names = join_words((rank_name(rank) for rank in rule.courts), "or")
    return [
        f"A hand dealt without {with_article(names)} may be shown before {first_play_words(rule)}:"
        f" this is carte blanche and scores {rule.points}.",
        f"After that, each card drawn scores {rule.points} again if it is shown before the next card"
        f" is played; the first {names} drawn ends this.",
    ]
