"""The properties of a sheet in a word or two each, for tables of sheets side by side."""

from collections.abc import Callable
from typing import assert_never

from records.cards import sign
from records.rules.english.phrases import joined
from records.rules.patterns import bezique_faces, parse
from records.rules.vocabulary import (
    ANY_NUMBER,
    BeziqueCards,
    Bonus,
    CarteBlanche,
    Chain,
    Count,
    Cut,
    Dix,
    FirstScored,
    Follow,
    GameEnd,
    HandCards,
    LeavesBy,
    MeldsFrom,
    NoTrumps,
    OneDeal,
    Pending,
    Phase,
    RaceTo,
    ReuseRule,
    RuleSheet,
    Settlement,
    Step,
    Tableau,
    TurnUp,
    When,
    Window,
)

NONE = "–"
"""What a sheet says of something that its game does not have."""

Property = tuple[str, str, Callable[[RuleSheet], str]]
"""The article it belongs to, its name, and what a sheet says of it."""

FOLLOW = {
    Follow.ANY: "any card",
    Follow.HEAD: "follow suit and win, or trump",
    Follow.SUIT: "follow suit, or trump; beat a trump led",
}
STEPS = {
    Step.TRICK: "trick", Step.DECLARE: "melds", Step.DRAW: "draw", Step.DRAW_UP: "draw up",
    Step.COMBINE: "combine", Step.DISCARD: "discard",
}  # fmt: skip
WINDOWS = {
    Window.NEVER: "no",
    Window.AFTER_TRICK_WON: "after a trick won",
    Window.AT_ANY_TIME: "at any time",
}
REUSE = {
    ReuseRule.ONCE_PER_SET: "one set of cards once in one meld",
    ReuseRule.ONCE_PER_KIND: "once in each kind of meld",
    ReuseRule.UPWARD_IN_CLASS: "once in each kind, upward in a class",
    ReuseRule.REFORMED_AFTER_LEAVING: "again when a card has left the meld",
    ReuseRule.AUGMENT_OR_RESTORE: "once in each class; added to, or restored",
    ReuseRule.LEAVES_THE_HAND: "what stays in the hand, again",
}
LEAVES = {LeavesBy.PLAYED: "played", LeavesBy.PLAYED_OR_MELDED: "played or melded again"}
COUNTS = {
    Count.AT_THE_END: "at the end of the deal",
    Count.TO_SETTLE: "to break a tie or save the rubicon",
    Count.NEVER: "never",
}
RUBICONED = {
    Settlement.RUBICON: "1,000 and both scores, in hundreds",
    Settlement.CLUB: "1,000, both scores in hundreds, 320, and 100 from a loser below 100",
    Settlement.PORTLAND: "1,300, both scores in hundreds, and 100 from a loser below 100",
    Settlement.SIX_PACK: "the loser's points besides",
}
DIFFERENCES = {
    Settlement.RUBICON: " and the difference in hundreds",
    Settlement.CLUB: " and the difference in hundreds",
    Settlement.PORTLAND: " and the difference in hundreds, at least 100",
    Settlement.SIX_PACK: " besides one's points",
}
ENDS = {GameEnd.FINISH_HAND: "when the deal is over", GameEnd.AT_ONCE: "at once"}


def _yes(*, holds: bool) -> str:
    return "yes" if holds else "no"


def _rank(rank: str) -> str:
    return "10" if rank == "T" else rank


def _ranks(ranks: str) -> str:
    return " ".join(map(_rank, ranks))


def _by_players(numbers: dict[int, int]) -> str:
    """A number that may depend on the number of players: `6; 5 for 6 players`."""
    usual = max(numbers.values())
    fewer = [f"{cards} for {players} players" for players, cards in numbers.items()
             if cards != usual]  # fmt: skip
    return "; ".join([str(usual), *fewer])


def _players(sheet: RuleSheet) -> str:
    low, high = min(sheet.players), max(sheet.players)
    return str(low) if low == high else f"{low} to {high}"


def _sides(sheet: RuleSheet) -> str:
    sides = [
        f"{players} as {joined((f'{players // size} × {size}' for size in sizes), 'or')}"
        for players, sizes in sheet.partners.items()
    ]
    return "; ".join(["each alone", *sides])


def _cards(sheet: RuleSheet) -> str:
    return str(len(sheet.pack.ranks) * (4 * sheet.pack.copies + len(sheet.pack.doubled_suits)))


def _packs(sheet: RuleSheet) -> str:
    doubled = "".join(f" and {sign('?' + suit)[1:]} again" for suit in sheet.pack.doubled_suits)
    return f"{sheet.pack.copies}{doubled}"


def _trumps(sheet: RuleSheet) -> str:
    match sheet.trumps:
        case TurnUp():
            return "the card turned up"
        case FirstScored(by):
            return f"the first {joined(by, 'or')} scored"
        case NoTrumps():
            return "none"
        case _:
            assert_never(sheet.trumps)


def _dealer_seven(sheet: RuleSheet) -> str:
    return str((isinstance(sheet.trumps, TurnUp) and sheet.trumps.dealer_seven) or NONE)


def _of_dix(says: Callable[[Dix], str]) -> Callable[[RuleSheet], str]:
    """A property of a seven of trumps that is worth something."""

    def said(sheet: RuleSheet) -> str:
        dix = sheet.dix
        return says(dix) if dix and (dix.points or dix.exchange is not Window.NEVER) else NONE

    return said


def _of_scoring_dix(says: Callable[[Dix], str]) -> Callable[[RuleSheet], str]:
    return _of_dix(lambda dix: says(dix) if dix.points else NONE)


def _exchange_is_meld(sheet: RuleSheet) -> str:
    dix = sheet.dix
    if not dix or dix.exchange is not Window.AFTER_TRICK_WON or sheet.phases[0].melds != 1:
        return NONE
    return _yes(holds=dix.exchange_is_the_meld)


def _of_blanche(says: Callable[[CarteBlanche], str]) -> Callable[[RuleSheet], str]:
    return lambda sheet: says(sheet.carte_blanche) if sheet.carte_blanche else NONE


def _of_cut(says: Callable[[Cut], str]) -> Callable[[RuleSheet], str]:
    return lambda sheet: says(sheet.cut) if sheet.cut else NONE


def _of_tableau(says: Callable[[Tableau], str]) -> Callable[[RuleSheet], str]:
    return lambda sheet: says(sheet.tableau) if sheet.tableau else NONE


def _turn(phase: int) -> Callable[[RuleSheet], str]:
    return lambda sheet: ", ".join(STEPS[step] for step in sheet.phases[phase].steps)


def _reply(phase: int) -> Callable[[RuleSheet], str]:
    return lambda sheet: (
        FOLLOW[sheet.phases[phase].follow] if _tricks(sheet.phases[phase]) else NONE
    )


def _tricks(phase: Phase) -> bool:
    return Step.TRICK in phase.steps


def _limit(phase: int) -> Callable[[RuleSheet], str]:
    def said(sheet: RuleSheet) -> str:
        melds = sheet.phases[phase].melds
        return "any number" if melds == ANY_NUMBER else str(melds or "none")

    return said


def _made_of(sheet: RuleSheet) -> str:
    return "cards won in tricks" if sheet.melds_from is MeldsFrom.CAPTURED else "cards held"


def _bezique_cards(sheet: RuleSheet) -> str:
    if not any(parse(meld.cards).speaks_of("b") for meld in sheet.melds):
        return NONE
    fixed = " ".join(map(sign, bezique_faces(None, sheet.bezique_cards)))
    if sheet.bezique_cards is BeziqueCards.FIXED:
        return fixed
    return f"{fixed}; {' '.join(map(sign, bezique_faces('S', sheet.bezique_cards)))} when those are trumps"


def _row(sheet: RuleSheet) -> str:
    ends = {"A": "low"} if sheet.pack.runs.endswith("A") else {}
    high = sheet.pack.runs.startswith("A")
    return f"{ends['A']} or high" if ends and high else ends.get("A", NONE)


def _melds(sheet: RuleSheet) -> set[str]:
    return {meld.name for meld in sheet.melds}


def _reading(says: Callable[[RuleSheet], bool], *melds: str) -> Callable[[RuleSheet], str]:
    """A reading of the rule of reuse, where the sheet has the melds that it is about."""

    def said(sheet: RuleSheet) -> str:
        return _yes(holds=says(sheet)) if set(melds) <= _melds(sheet) else NONE

    return said


def _leaves(sheet: RuleSheet) -> str:
    leaving = (ReuseRule.REFORMED_AFTER_LEAVING, ReuseRule.AUGMENT_OR_RESTORE)
    return LEAVES[sheet.reuse.leaves_by] if sheet.reuse.rule in leaving else NONE


def _zetemas(tableau: Tableau) -> str:
    ranks: dict[int, str] = {}
    for rank, points in tableau.zetemas.items():
        ranks[points] = ranks.get(points, "") + rank
    return "; ".join(f"{_ranks(of)} {points}" for points, of in sorted(ranks.items(), reverse=True))


def _bonus(when: When) -> Callable[[RuleSheet], str]:
    def said(bonus: Bonus) -> str:
        return f"{bonus.points} to the {bonus.to.value}"

    return lambda sheet: ", ".join(said(b) for b in sheet.bonuses if b.when is when) or NONE


def _brisques(says: Callable[[RuleSheet], str]) -> Callable[[RuleSheet], str]:
    return lambda sheet: says(sheet) if _tricks(sheet.phases[0]) else NONE


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
    return ENDS[sheet.game.end] if isinstance(sheet.game, RaceTo) else NONE


def _of_deal(says: Callable[[OneDeal], str]) -> Callable[[RuleSheet], str]:
    return lambda sheet: says(sheet.game) if isinstance(sheet.game, OneDeal) else NONE


PROPERTIES: tuple[Property, ...] = (
    ("deal", "players", _players),
    ("deal", "sides", _sides),
    ("deal", "packs", _packs),
    ("deal", "cards", _cards),
    ("deal", "ranks, high to low", lambda sheet: _ranks(sheet.pack.ranks)),
    ("deal", "cards dealt to each", lambda sheet: _by_players(dict(sheet.hand))),
    ("cut", "a packet that scores", _of_cut(lambda cut: f"{cut.packet} cards")),
    ("cut", "points for the packet", _of_cut(lambda cut: str(cut.dealer_points))),
    ("cut", "points for a right guess", _of_cut(lambda cut: str(cut.guess_points))),
    ("trumps", "what makes trumps", _trumps),
    ("trumps", "a seven turned up scores", _dealer_seven),
    ("dix", "points", _of_dix(lambda dix: str(dix.points or "none"))),
    ("dix", "exchanged for the turn-up", _of_dix(lambda dix: WINDOWS[dix.exchange])),
    ("dix", "shown", _of_scoring_dix(lambda dix: WINDOWS[dix.show])),
    ("dix", "scores when played", _of_scoring_dix(lambda dix: _yes(holds=dix.played))),
    ("dix", "scores after the close", _of_scoring_dix(lambda dix: _yes(holds=dix.in_last_tricks))),
    ("dix", "scores only once", _of_scoring_dix(lambda dix: _yes(holds=dix.once_per_card))),
    ("dix", "exchange is the trick's meld", _exchange_is_meld),
    ("dix", "exchanged after it scored", _of_dix(lambda dix: _yes(holds=dix.spent_exchanges))),
    ("carte_blanche", "points, and again a draw", _of_blanche(lambda found: str(found.points))),
    ("carte_blanche", "a hand without", _of_blanche(lambda found: _ranks(found.courts))),
    ("carte_blanche", "shown before", _of_blanche(
        lambda found: "the first lead" if found.before_first_lead else "one's first card")),
    ("play", "a turn", _turn(0)),
    ("play", "the reply to a card led", _reply(0)),
    ("close", "a turn", _turn(-1)),
    ("close", "the reply to a card led", _reply(-1)),
    ("close", "melds scored a turn", _limit(-1)),
    ("melds", "scored a turn, before the close", _limit(0)),
    ("melds", "made of", _made_of),
    ("melds", "cards of bezique", _bezique_cards),
    ("melds", "the ace in a row", _row),
    ("reuse", "a card may score", lambda sheet: REUSE[sheet.reuse.rule]),
    ("reuse", "a card leaves a meld when", _leaves),
    ("reuse", "sequence, then marriage of it",
     _reading(lambda sheet: sheet.reuse.sequence_then_marriage, "sequence", "marriage")),
    ("reuse", "two beziques, then the double",
     _reading(lambda sheet: sheet.reuse.singles_then_double, "bezique", "double_bezique")),
    ("reuse", "double bezique, then a single",
     _reading(lambda sheet: sheet.reuse.double_then_single, "bezique", "double_bezique")),
    ("reuse", "each card in one meld only", lambda sheet: _yes(holds=sheet.reuse.once_ever)),
    ("pending", "melds may wait to be scored",
     lambda sheet: _yes(holds=sheet.pending is Pending.YES)),
    ("tableau", "cards that make a zetema", _of_tableau(lambda found: str(found.full))),
    ("tableau", "points of a zetema", _of_tableau(_zetemas)),
    ("tableau", "cards drawn up to",
     _of_tableau(lambda found: _by_players(dict(found.draw_up_to)))),
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
    ("brisques", "brisques are", _brisques(lambda sheet: _ranks(sheet.brisques.ranks))),
    ("brisques", "points each", _brisques(lambda sheet: str(sheet.brisques.points))),
    ("brisques", "counted", _brisques(lambda sheet: COUNTS[sheet.brisques.count])),
    ("game", "won at", _target),
    ("game", "ends", _race_end),
    ("game", "rubicon", _of_deal(lambda game: f"{game.rubicon:,}")),
    ("game", "winner receives",
     _of_deal(lambda game: f"{game.win_bonus:,}{DIFFERENCES[game.settlement]}")),
    ("game", "from a loser below the rubicon",
     _of_deal(lambda game: RUBICONED[game.settlement])),
)  # fmt: skip
"""What a table of sheets compares, in the order of the articles, the melds and options apart."""
