"""Bonuses, brisques, and how a game is won."""

from typing import assert_never

from records.rules.english.phrases import join_words, number_word, rank_name
from records.rules.vocabulary import (
    Bonus,
    BrisqueCount,
    Brisques,
    Chain,
    GameEnd,
    HandCards,
    OneDeal,
    PhaseStep,
    RaceTo,
    RuleSheet,
    Settlement,
    Tableau,
    To,
    When,
)


def explain_bonuses(sheet: RuleSheet) -> list[str]:
    """Points for tricks."""
    return [_bonus(bonus) for bonus in sheet.bonuses]


def _bonus(bonus: Bonus) -> str:
    return f"{_who(bonus)} scores {bonus.points}{_besides(bonus)}."


def _besides(bonus: Bonus) -> str:
    return " more" if bonus.when is When.ALL_CLOSED_TRICKS else ""


def _who(bonus: Bonus) -> str:
    match bonus.when:
        case When.LAST_TRICK:
            return f"The {_side(bonus.to)} of the last trick"
        case When.LAST_STOCK_TRICK:
            return f"The {_side(bonus.to)} of the last trick before the close"
        case When.ALL_CLOSED_TRICKS:
            return f"The {_side(bonus.to)} of every trick after the close"
        case _:
            assert_never(bonus.when)


def _side(to: To) -> str:
    match to:
        case To.WINNER:
            return "winner"
        case To.LOSER:
            return "loser"
        case _:
            assert_never(to)


def explain_tableau(sheet: RuleSheet) -> list[str]:
    """What completes a pile, and what it scores (Zetema)."""
    match sheet.tableau:
        case None:
            return []
        case Tableau() as found:
            return [
                "Discards lie face up in piles, one for each rank.",
                f"The card that makes {number_word(found.full)} on a pile scores a zetema:"
                f" {_zetemas(found)}. Those cards leave the game.",
                f"{_hand_cards(found.marriage_hand_cards)} must come from the hand, the others may"
                " be taken from the tableau; the cards of marriages leave the game, and no card is"
                " discarded in that turn.",
                f"A marriage in a suit that comes twice scores {found.imperial_points} more when"
                f" fewer than {number_word(found.imperial_below)} are declared.",
                "After any other combination the discard is one of its cards.",
                *(_chain(found.chain) if 2 in sheet.players else []),
            ]
        case _:
            assert_never(sheet.tableau)


def _zetemas(found: Tableau) -> str:
    by_points: dict[int, list[str]] = {}
    for rank, points in found.zetemas.items():
        by_points.setdefault(points, []).append(rank_name(rank, found.full))
    rows = sorted(by_points.items(), reverse=True)
    return "; ".join(f"{join_words(ranks, 'or')} {points}" for points, ranks in rows)


def _hand_cards(found: HandCards) -> str:
    match found:
        case HandCards.ONE:
            return "Of marriages, one card"
        case HandCards.EACH_PAIR:
            return "Of each marriage, one card"
        case _:
            assert_never(found)


def _chain(found: Chain) -> list[str]:
    match found:
        case Chain.STOCK_EMPTY:
            when = "When two play, and once the stock is empty"
        case Chain.WHOLE_HAND:
            when = "When two play"
        case _:
            assert_never(found)
    return [
        f"{when}, a player who scores a zetema goes on: while able, with a card that completes"
        " another, then with one card more."
    ]


def explain_brisques(sheet: RuleSheet) -> list[str]:
    """What aces and tens taken in tricks are worth."""
    if PhaseStep.TRICK not in sheet.phases[0].steps:
        return []
    return [_brisques(sheet.brisques)]


def _brisques(found: Brisques) -> str:
    each = join_words(f"each {rank_name(rank)}" for rank in found.ranks).capitalize()
    match found.count:
        case BrisqueCount.AT_THE_END:
            return (
                f"{each} taken in tricks is a brisque and scores {found.points} at the end of the"
                " deal."
            )
        case BrisqueCount.TO_SETTLE:
            return (
                f"{each} taken in tricks is a brisque worth {found.points}. Brisques are counted,"
                " by both, only to break a tie or to save a player from the rubicon."
            )
        case BrisqueCount.NEVER:
            return f"{each} taken in tricks scores nothing."
        case _:
            assert_never(found.count)


def explain_game(sheet: RuleSheet) -> list[str]:
    """How the game is won."""
    match sheet.game:
        case RaceTo() as race:
            return [_target(race, max(sheet.players)), _race_end(race.end)]
        case OneDeal(settlement, rubicon, win_bonus):
            return [
                "One deal is a game.",
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
    match end:
        case GameEnd.FINISH_HAND:
            return (
                "The deal in which they are reached is played out, and the highest total wins; if"
                " totals are equal, another deal decides."
            )
        case GameEnd.AT_ONCE:
            return "Play stops as soon as they are reached."
        case _:
            assert_never(end)


def _drawn(settlement: Settlement, count: BrisqueCount) -> str:
    still = " with the brisques" if count is BrisqueCount.TO_SETTLE else ""
    nobody = "adds" if settlement is Settlement.SIX_PACK else "receives"
    return f"If both have the same{still}, the game is drawn and nobody {nobody} anything."


def _settled(settlement: Settlement, bonus: int) -> str:
    match settlement:
        case Settlement.RUBICON:
            return (
                f"Scores are rounded down to hundreds. The winner receives {bonus:,} and the difference,"
                " or, if the loser is rubiconed, 1,000 and both scores together."
            )
        case Settlement.CLUB:
            return (
                f"Scores are rounded down to hundreds. The winner receives {bonus:,} and the difference,"
                " or, if the loser is rubiconed, 1,000, both scores together and 320 for all the"
                " brisques, with another 100 if the loser has not even 100."
            )
        case Settlement.PORTLAND:
            return (
                f"Scores are rounded down to hundreds. The winner receives {bonus:,} and the difference,"
                " which counts at least 100, or, if the loser is rubiconed, 1,300 and both scores"
                " together, with another 100 if the loser has not even 100."
            )
        case Settlement.SIX_PACK:
            return (
                f"The winner adds {bonus:,} to the score and, if the loser is rubiconed, the loser's"
                " points as well; the loser keeps the points scored."
            )
        case _:
            assert_never(settlement)
