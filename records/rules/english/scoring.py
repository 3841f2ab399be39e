"""Bonuses, the tableau, brisques, and how a game is won, in sentences."""

from typing import assert_never

from records.phrases import join_words, number_word
from records.rules.english.vocabulary_phrases import (
    BONUS_WORDS,
    BRISQUE_COUNT_WORDS,
    CHAIN_WORDS,
    DIFFERENCE_WORDS,
    GAME_END_WORDS,
    HAND_CARD_WORDS,
    ROUNDING_WORDS,
    RUBICON_PAYMENT_WORDS,
    rank_name,
    zetemas_by_points,
)
from records.rules.vocabulary import (
    Bonus,
    BrisqueCount,
    Brisques,
    Chain,
    GameEnd,
    OneDeal,
    PhaseStep,
    RaceTo,
    RuleSheet,
    Settlement,
    TableauRule,
    When,
)


def explain_bonuses(sheet: RuleSheet) -> list[str]:
    """Points for tricks."""
    return [_bonus(bonus) for bonus in sheet.bonuses]


def _bonus(bonus: Bonus) -> str:
    # The winner of all tricks has the bonus for the last one too.
    more = " more" if bonus.when is When.ALL_CLOSED_TRICKS else ""
    return f"The {bonus.to.value} of {BONUS_WORDS[bonus.when]} scores {bonus.points}{more}."


def explain_tableau(sheet: RuleSheet) -> list[str]:
    """What completes a pile, and what it scores (Zetema)."""
    tableau = sheet.tableau
    if tableau is None:
        return []
    return [
        "Discards lie face up in piles, one for each rank.",
        f"The card that makes {number_word(tableau.full)} on a pile scores a zetema:"
        f" {_zetemas(tableau)}. Those cards leave the game.",
        f"Of marriages, {HAND_CARD_WORDS[tableau.marriage_hand_cards]} must come from the hand; the"
        " others may be taken from the tableau. The cards of marriages leave the game, and the turn"
        " ends without a discard.",
        f"Each marriage in a suit that comes twice scores {tableau.imperial_points} more when fewer than"
        f" {number_word(tableau.imperial_below)} marriages are melded at once.",
        "After any other combination the discard is one of its cards.",
        *(_chain(tableau.chain) if 2 in sheet.players else []),
    ]


def _zetemas(tableau: TableauRule) -> str:
    return "; ".join(
        f"{join_words((rank_name(rank, tableau.full) for rank in ranks), 'or')} {points}"
        for points, ranks in zetemas_by_points(tableau)
    )


def _chain(chain: Chain) -> list[str]:
    return [
        f"When two play, {CHAIN_WORDS[chain]}, a player who scores a zetema goes on discarding: cards"
        " that complete other piles while there are any, then one card more."
    ]


def explain_brisques(sheet: RuleSheet) -> list[str]:
    """What aces and tens taken in tricks are worth."""
    if PhaseStep.TRICK not in sheet.phases[0].steps:
        return []
    return [_brisques(sheet.brisques)]


def _brisques(brisques: Brisques) -> str:
    each = join_words(f"each {rank_name(rank)}" for rank in brisques.ranks).capitalize()
    if brisques.count is BrisqueCount.NEVER:
        return f"{each} taken in tricks scores nothing."
    return (
        f"{each} taken in tricks is a brisque worth {brisques.points}. Brisques are counted"
        f" {BRISQUE_COUNT_WORDS[brisques.count]}."
    )


def explain_game(sheet: RuleSheet) -> list[str]:
    """How the game is won."""
    match sheet.game:
        case RaceTo() as race:
            return [_target(race, max(sheet.players)), _race_end(race.end)]
        case OneDeal(settlement, rubicon, win_bonus):
            return [
                "A game is one deal.",
                f"A loser with fewer than {rubicon:,} points is rubiconed.",
                _settled(settlement, win_bonus),
                _drawn(settlement, sheet.brisques.count),
            ]
        case _:
            assert_never(sheet.game)


def _target(race: RaceTo, most_players: int) -> str:
    many = f" ({race.many_target:,} for {number_word(race.many_from)} players or more)"
    differs = most_players >= race.many_from and race.many_target != race.target
    return f"The game is {race.target:,} points{many if differs else ''}."


def _race_end(end: GameEnd) -> str:
    ends = f"When a side has reached them, the game ends {GAME_END_WORDS[end]}"
    if end is GameEnd.AT_ONCE:
        return f"{ends}."
    return f"{ends} and the highest total wins; if totals are equal, another deal decides."


def _drawn(settlement: Settlement, count: BrisqueCount) -> str:
    still = " with the brisques" if count is BrisqueCount.TO_SETTLE else ""
    nobody = "adds" if settlement is Settlement.SIX_PACK else "receives"
    return f"If both have the same score{still}, the game is drawn and nobody {nobody} anything."


def _settled(settlement: Settlement, bonus: int) -> str:
    rubiconed = RUBICON_PAYMENT_WORDS[settlement]
    if settlement is Settlement.SIX_PACK:
        return (
            f"The winner adds {bonus:,} to the score and, if the loser is rubiconed, {rubiconed};"
            " the loser keeps the points scored."
        )
    return (
        f"Scores are {ROUNDING_WORDS[settlement]}. The winner receives"
        f" {bonus:,}{DIFFERENCE_WORDS[settlement]}; if the loser is rubiconed, the winner instead"
        f" receives {rubiconed}."
    )
