"""Melds, bonuses and the game of a sheet in a word or two each, for tables of sheets side by side."""

from collections.abc import Callable
from typing import assert_never

from records.cards import card_sign
from records.rules.english.brief import (
    NOT_IN_GAME,
    SheetProperty,
    has_tricks,
    meld_limit,
    number_by_players,
    rank_signs,
    yes_or_no,
)
from records.rules.patterns import bezique_faces, parse_pattern
from records.rules.vocabulary import (
    BeziqueCards,
    Bonus,
    BrisqueCount,
    Chain,
    GameEnd,
    HandCards,
    LeavesBy,
    MeldsFrom,
    OneDeal,
    Pending,
    RaceTo,
    ReuseRule,
    RuleSheet,
    Settlement,
    Tableau,
    When,
)

REUSE_WORDS = {
    ReuseRule.ONCE_PER_SET: "one set of cards once in one meld",
    ReuseRule.ONCE_PER_KIND: "once in each kind of meld",
    ReuseRule.UPWARD_IN_CLASS: "once in each kind, upward in a class",
    ReuseRule.REFORMED_AFTER_LEAVING: "again when a card has left the meld",
    ReuseRule.AUGMENT_OR_RESTORE: "once in each class; added to, or restored",
    ReuseRule.LEAVES_THE_HAND: "what stays in the hand, again",
}
LEAVING_WORDS = {LeavesBy.PLAYED: "played", LeavesBy.PLAYED_OR_MELDED: "played or melded again"}
BRISQUE_COUNT_WORDS = {
    BrisqueCount.AT_THE_END: "at the end of the deal",
    BrisqueCount.TO_SETTLE: "to break a tie or save the rubicon",
    BrisqueCount.NEVER: "never",
}
RUBICON_PAYMENT_WORDS = {
    Settlement.RUBICON: "1,000 and both scores, in hundreds",
    Settlement.CLUB: "1,000, both scores in hundreds, 320, and 100 from a loser below 100",
    Settlement.PORTLAND: "1,300, both scores in hundreds, and 100 from a loser below 100",
    Settlement.SIX_PACK: "the loser's points besides",
}
DIFFERENCE_PAYMENT_WORDS = {
    Settlement.RUBICON: " and the difference in hundreds",
    Settlement.CLUB: " and the difference in hundreds",
    Settlement.PORTLAND: " and the difference in hundreds, at least 100",
    Settlement.SIX_PACK: " besides one's points",
}
GAME_END_WORDS = {GameEnd.FINISH_HAND: "when the deal is over", GameEnd.AT_ONCE: "at once"}


def _of_tableau(says: Callable[[Tableau], str]) -> Callable[[RuleSheet], str]:
    return lambda sheet: says(sheet.tableau) if sheet.tableau else NOT_IN_GAME


def _made_of(sheet: RuleSheet) -> str:
    return "cards won in tricks" if sheet.melds_from is MeldsFrom.CAPTURED else "cards held"


def _bezique_cards(sheet: RuleSheet) -> str:
    if not any(parse_pattern(meld.cards).speaks_of("b") for meld in sheet.melds):
        return NOT_IN_GAME
    fixed = " ".join(map(card_sign, bezique_faces(None, sheet.bezique_cards)))
    if sheet.bezique_cards is BeziqueCards.FIXED:
        return fixed
    return f"{fixed}; {' '.join(map(card_sign, bezique_faces('S', sheet.bezique_cards)))} when those are trumps"


def _row(sheet: RuleSheet) -> str:
    ends = {"A": "low"} if sheet.pack.runs.endswith("A") else {}
    high = sheet.pack.runs.startswith("A")
    return f"{ends['A']} or high" if ends and high else ends.get("A", NOT_IN_GAME)


def _melds(sheet: RuleSheet) -> set[str]:
    return {meld.name for meld in sheet.melds}


def _reading(says: Callable[[RuleSheet], bool], *melds: str) -> Callable[[RuleSheet], str]:
    """A reading of the rule of reuse, where the sheet has the melds that it is about."""

    def said(sheet: RuleSheet) -> str:
        return yes_or_no(holds=says(sheet)) if set(melds) <= _melds(sheet) else NOT_IN_GAME

    return said


def _leaves(sheet: RuleSheet) -> str:
    leaving = (ReuseRule.REFORMED_AFTER_LEAVING, ReuseRule.AUGMENT_OR_RESTORE)
    return LEAVING_WORDS[sheet.reuse.leaves_by] if sheet.reuse.rule in leaving else NOT_IN_GAME


def _zetemas(tableau: Tableau) -> str:
    ranks: dict[int, str] = {}
    for rank, points in tableau.zetemas.items():
        ranks[points] = ranks.get(points, "") + rank
    return "; ".join(
        f"{rank_signs(of)} {points}" for points, of in sorted(ranks.items(), reverse=True)
    )


def _bonus(when: When) -> Callable[[RuleSheet], str]:
    def said(bonus: Bonus) -> str:
        return f"{bonus.points} to the {bonus.to.value}"

    return lambda sheet: ", ".join(said(b) for b in sheet.bonuses if b.when is when) or NOT_IN_GAME


def _brisques(says: Callable[[RuleSheet], str]) -> Callable[[RuleSheet], str]:
    return lambda sheet: says(sheet) if has_tricks(sheet.phases[0]) else NOT_IN_GAME


def _target(sheet: RuleSheet) -> str:
    match sheet.game:
        case OneDeal():
            return "one deal"
        case RaceTo(target, many_from, many_target):
            differs = many_target != target and many_from <= max(sheet.players)
            return f"{target:,}" + (
                f"; {many_target:,} from {many_from} players" if differs else ""
            )
        case _:
            assert_never(sheet.game)


def _race_end(sheet: RuleSheet) -> str:
    return GAME_END_WORDS[sheet.game.end] if isinstance(sheet.game, RaceTo) else NOT_IN_GAME


def _of_deal(says: Callable[[OneDeal], str]) -> Callable[[RuleSheet], str]:
    return lambda sheet: says(sheet.game) if isinstance(sheet.game, OneDeal) else NOT_IN_GAME


SCORING_PROPERTIES: tuple[SheetProperty, ...] = (
    ("melds", "scored a turn, before the close", meld_limit(0)),
    ("melds", "made of", _made_of),
    ("melds", "cards of bezique", _bezique_cards),
    ("melds", "the ace in a row", _row),
    ("reuse", "a card may score", lambda sheet: REUSE_WORDS[sheet.reuse.rule]),
    ("reuse", "a card leaves a meld when", _leaves),
    ("reuse", "sequence, then marriage of it",
     _reading(lambda sheet: sheet.reuse.sequence_then_marriage, "sequence", "marriage")),
    ("reuse", "two beziques, then the double",
     _reading(lambda sheet: sheet.reuse.singles_then_double, "bezique", "double_bezique")),
    ("reuse", "double bezique, then a single",
     _reading(lambda sheet: sheet.reuse.double_then_single, "bezique", "double_bezique")),
    ("reuse", "each card in one meld only", lambda sheet: yes_or_no(holds=sheet.reuse.once_ever)),
    ("pending", "melds may wait to be scored",
     lambda sheet: yes_or_no(holds=sheet.pending is Pending.YES)),
    ("tableau", "cards that make a zetema", _of_tableau(lambda found: str(found.full))),
    ("tableau", "points of a zetema", _of_tableau(_zetemas)),
    ("tableau", "cards drawn up to",
     _of_tableau(lambda found: number_by_players(dict(found.draw_up_to)))),
    ("tableau", "of marriages, from the hand", _of_tableau(
        lambda found: "one card in all" if found.marriage_hand_cards is HandCards.ONE
        else "one card of each")),
    ("tableau", "a marriage of the second suit", _of_tableau(
        lambda found: f"{found.imperial_points} more when fewer than {found.imperial_below}")),
    ("tableau", "two players go on after a zetema", _of_tableau(
        lambda found: "once the stock is empty" if found.chain is Chain.STOCK_EMPTY
        else "in the whole hand")),
    ("bonuses", "last trick before the close", _bonus(When.LAST_STOCK_TRICK)),
    ("bonuses", "last trick", _bonus(When.LAST_TRICK)),
    ("bonuses", "all tricks after the close", _bonus(When.ALL_CLOSED_TRICKS)),
    ("brisques", "brisques are", _brisques(lambda sheet: rank_signs(sheet.brisques.ranks))),
    ("brisques", "points each", _brisques(lambda sheet: str(sheet.brisques.points))),
    ("brisques", "counted", _brisques(lambda sheet: BRISQUE_COUNT_WORDS[sheet.brisques.count])),
    ("game", "won at", _target),
    ("game", "ends", _race_end),
    ("game", "rubicon", _of_deal(lambda game: f"{game.rubicon:,}")),
    ("game", "winner receives",
     _of_deal(lambda game: f"{game.win_bonus:,}{DIFFERENCE_PAYMENT_WORDS[game.settlement]}")),
    ("game", "from a loser below the rubicon",
     _of_deal(lambda game: RUBICON_PAYMENT_WORDS[game.settlement])),
)  # fmt: skip
"""What a table of sheets compares of them, in the order of the articles; the melds apart."""
