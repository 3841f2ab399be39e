"""Melds, bonuses and the end of a game as the short cells of a table."""

from collections.abc import Callable
from typing import assert_never

from records.cards import card_sign
from records.phrases import join_words
from records.rules.english.brief import (
    NOT_IN_GAME,
    SheetProperty,
    has_tricks,
    meld_limit,
    number_by_players,
    yes_or_no,
)
from records.rules.english.vocabulary_phrases import (
    BONUS_WORDS,
    BRISQUE_COUNT_WORDS,
    CHAIN_WORDS,
    DIFFERENCE_WORDS,
    GAME_END_WORDS,
    HAND_CARD_WORDS,
    LEAVING_WORDS,
    REUSE_WORDS,
    ROUNDING_WORDS,
    RUBICON_PAYMENT_WORDS,
    places_of_the_ace,
    rank_signs,
    zetemas_by_points,
)
from records.rules.patterns import bezique_faces, parse_pattern
from records.rules.vocabulary import (
    BeziqueCards,
    MeldsFrom,
    OneDeal,
    Pending,
    RaceTo,
    ReuseRule,
    RuleSheet,
    TableauRule,
    When,
)


def _of_tableau(describe: Callable[[TableauRule], str]) -> Callable[[RuleSheet], str]:
    return lambda sheet: describe(sheet.tableau) if sheet.tableau else NOT_IN_GAME


def _made_of(sheet: RuleSheet) -> str:
    return "cards won in tricks" if sheet.melds_from is MeldsFrom.CAPTURED else "cards held"


def _bezique_cards(sheet: RuleSheet) -> str:
    if not any(parse_pattern(meld.cards).speaks_of("b") for meld in sheet.melds):
        return NOT_IN_GAME
    fixed = " ".join(map(card_sign, bezique_faces(None, sheet.bezique_cards)))
    if sheet.bezique_cards is BeziqueCards.FIXED:
        return fixed
    others = " ".join(map(card_sign, bezique_faces("S", sheet.bezique_cards)))
    return f"{fixed}; {others} when spades or diamonds are trumps"


def _row(sheet: RuleSheet) -> str:
    ends = places_of_the_ace(sheet.pack)
    return join_words(ends, "or") if ends else NOT_IN_GAME


def _melds(sheet: RuleSheet) -> set[str]:
    return {meld.name for meld in sheet.melds}


def _reading(says: Callable[[RuleSheet], bool], *melds: str) -> Callable[[RuleSheet], str]:
    """A detail of the rule of reuse, where the sheet has the melds that it is about."""

    def cell(sheet: RuleSheet) -> str:
        return yes_or_no(holds=says(sheet)) if set(melds) <= _melds(sheet) else NOT_IN_GAME

    return cell


def _leaves(sheet: RuleSheet) -> str:
    leaving = (ReuseRule.REFORMED_AFTER_LEAVING, ReuseRule.AUGMENT_OR_RESTORE)
    return LEAVING_WORDS[sheet.reuse.leaves_by] if sheet.reuse.rule in leaving else NOT_IN_GAME


def _zetemas(tableau: TableauRule) -> str:
    rows = zetemas_by_points(tableau)
    return "; ".join(f"{rank_signs(ranks)} {points}" for points, ranks in rows)


def _bonus(when: When) -> SheetProperty:
    def cell(sheet: RuleSheet) -> str:
        due = [bonus for bonus in sheet.bonuses if bonus.when is when]
        return ", ".join(f"{bonus.points} to the {bonus.to.value}" for bonus in due) or NOT_IN_GAME

    return ("bonuses", BONUS_WORDS[when], cell)


def _brisques(says: Callable[[RuleSheet], str]) -> Callable[[RuleSheet], str]:
    return lambda sheet: says(sheet) if has_tricks(sheet.phases[0]) else NOT_IN_GAME


def _target(sheet: RuleSheet) -> str:
    match sheet.game:
        case OneDeal():
            return "one deal"
        case RaceTo(target, many_from, many_target):
            differs = many_target != target and many_from <= max(sheet.players)
            many = f"; {many_target:,} for {many_from} players or more" if differs else ""
            return f"{target:,} points{many}"
        case _:
            assert_never(sheet.game)


def _race_end(sheet: RuleSheet) -> str:
    return GAME_END_WORDS[sheet.game.end] if isinstance(sheet.game, RaceTo) else NOT_IN_GAME


def _of_deal(says: Callable[[OneDeal], str]) -> Callable[[RuleSheet], str]:
    return lambda sheet: says(sheet.game) if isinstance(sheet.game, OneDeal) else NOT_IN_GAME


SCORING_PROPERTIES: tuple[SheetProperty, ...] = (
    ("melds", "melds per turn before the close", meld_limit(0)),
    ("melds", "made of", _made_of),
    ("melds", "cards of a bezique", _bezique_cards),
    ("melds", "the ace in a row", _row),
    ("reuse", "a card may score", lambda sheet: REUSE_WORDS[sheet.reuse.rule]),
    ("reuse", "a card leaves a meld when it is", _leaves),
    ("reuse", "sequence, then its marriage",
     _reading(lambda sheet: sheet.reuse.sequence_then_marriage, "sequence", "marriage")),
    ("reuse", "two beziques, then the double",
     _reading(lambda sheet: sheet.reuse.singles_then_double, "bezique", "double_bezique")),
    ("reuse", "double bezique, then a single",
     _reading(lambda sheet: sheet.reuse.double_then_single, "bezique", "double_bezique")),
    ("reuse", "each card in only one meld", lambda sheet: yes_or_no(holds=sheet.reuse.once_ever)),
    ("pending", "a shown meld may score later",
     lambda sheet: yes_or_no(holds=sheet.pending is Pending.YES)),
    ("tableau", "cards that make a zetema", _of_tableau(lambda tableau: str(tableau.full))),
    ("tableau", "points of a zetema", _of_tableau(_zetemas)),
    ("tableau", "cards drawn up to",
     _of_tableau(lambda tableau: number_by_players(tableau.draw_up_to))),
    ("tableau", "of marriages, from the hand",
     _of_tableau(lambda tableau: HAND_CARD_WORDS[tableau.marriage_hand_cards])),
    ("tableau", "a marriage in the doubled suit", _of_tableau(
        lambda tableau: f"{tableau.imperial_points} more when fewer than {tableau.imperial_below}")),
    ("tableau", "two players go on after a zetema",
     _of_tableau(lambda tableau: CHAIN_WORDS[tableau.chain])),
    *map(_bonus, BONUS_WORDS),
    ("brisques", "brisques are", _brisques(lambda sheet: rank_signs(sheet.brisques.ranks))),
    ("brisques", "points each", _brisques(lambda sheet: str(sheet.brisques.points))),
    ("brisques", "counted", _brisques(lambda sheet: BRISQUE_COUNT_WORDS[sheet.brisques.count])),
    ("game", "a game is", _target),
    ("game", "ends", _race_end),
    ("game", "rubicon", _of_deal(lambda game: f"{game.rubicon:,}")),
    ("game", "scores are", _of_deal(lambda game: ROUNDING_WORDS[game.settlement])),
    ("game", "winner receives",
     _of_deal(lambda game: f"{game.win_bonus:,}{DIFFERENCE_WORDS[game.settlement]}")),
    ("game", "if the loser is rubiconed",
     _of_deal(lambda game: RUBICON_PAYMENT_WORDS[game.settlement])),
)  # fmt: skip
"""The rows that compare scoring, in the order of the articles; the melds' points are rows of their own."""
