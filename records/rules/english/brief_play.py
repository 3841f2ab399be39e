"""The deal, trumps and the play of a sheet as the short cells of a table."""

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
    FOLLOW_WORDS,
    TRUMPS_BY_WORDS,
    WINDOW_WORDS,
    first_play_words,
    pack_size,
    rank_signs,
)
from records.rules.vocabulary import (
    CarteBlancheRule,
    CutRule,
    DixRule,
    FirstMeld,
    NoTrumps,
    PhaseStep,
    RuleSheet,
    TurnUp,
    Window,
)

STEP_WORDS = {
    PhaseStep.TRICK: "trick", PhaseStep.DECLARE: "melds", PhaseStep.DRAW: "draw", PhaseStep.DRAW_UP: "draw up",
    PhaseStep.COMBINE: "combine", PhaseStep.DISCARD: "discard",
}  # fmt: skip


def _players(sheet: RuleSheet) -> str:
    low, high = min(sheet.players), max(sheet.players)
    return str(low) if low == high else f"{low} to {high}"


def _sides(sheet: RuleSheet) -> str:
    sides = [
        f"{players} players as {join_words((f'{players // size} × {size}' for size in sizes), 'or')}"
        for players, sizes in sheet.partners.items()
    ]
    return "; ".join(["each alone", *sides])


def _packs(sheet: RuleSheet) -> str:
    doubled = "".join(
        f" and a second {card_sign('?' + suit)[1:]}" for suit in sheet.pack.doubled_suits
    )
    return f"{sheet.pack.copies}{doubled}"


def _trumps(sheet: RuleSheet) -> str:
    match sheet.trumps:
        case TurnUp():
            return "the card turned up"
        case FirstMeld(kinds, by):
            return f"the first {join_words(kinds, 'or')} {TRUMPS_BY_WORDS[by]}"
        case NoTrumps():
            return "none"
        case _:
            assert_never(sheet.trumps)


def _dealer_seven(sheet: RuleSheet) -> str:
    return str((isinstance(sheet.trumps, TurnUp) and sheet.trumps.dealer_seven) or NOT_IN_GAME)


def _of_dix(says: Callable[[DixRule], str]) -> Callable[[RuleSheet], str]:
    """A property of the seven of trumps, in games where it scores or is exchanged."""

    def cell(sheet: RuleSheet) -> str:
        dix = sheet.dix
        return (
            says(dix) if dix and (dix.points or dix.exchange is not Window.NEVER) else NOT_IN_GAME
        )

    return cell


def _of_scoring_dix(says: Callable[[DixRule], str]) -> Callable[[RuleSheet], str]:
    return _of_dix(lambda dix: says(dix) if dix.points else NOT_IN_GAME)


def _exchange_is_meld(sheet: RuleSheet) -> str:
    dix = sheet.dix
    if not dix or dix.exchange is not Window.AFTER_TRICK_WON or sheet.phases[0].melds != 1:
        return NOT_IN_GAME
    return yes_or_no(holds=dix.exchange_is_the_meld)


def _of_blanche(says: Callable[[CarteBlancheRule], str]) -> Callable[[RuleSheet], str]:
    return lambda sheet: says(sheet.carte_blanche) if sheet.carte_blanche else NOT_IN_GAME


def _of_cut(says: Callable[[CutRule], str]) -> Callable[[RuleSheet], str]:
    return lambda sheet: says(sheet.cut) if sheet.cut else NOT_IN_GAME


def _turn(phase: int) -> Callable[[RuleSheet], str]:
    return lambda sheet: ", ".join(STEP_WORDS[step] for step in sheet.phases[phase].steps)


def _reply(phase: int) -> Callable[[RuleSheet], str]:
    return lambda sheet: (
        FOLLOW_WORDS[sheet.phases[phase].follow] if has_tricks(sheet.phases[phase]) else NOT_IN_GAME
    )


PLAY_PROPERTIES: tuple[SheetProperty, ...] = (
    ("deal", "players", _players),
    ("deal", "sides", _sides),
    ("deal", "packs", _packs),
    ("deal", "cards", lambda sheet: str(pack_size(sheet.pack))),
    ("deal", "ranks, high to low", lambda sheet: rank_signs(sheet.pack.ranks)),
    ("deal", "cards dealt to each", lambda sheet: number_by_players(sheet.hand)),
    ("cut", "a packet that scores", _of_cut(lambda cut: f"{cut.packet} cards")),
    ("cut", "points for the packet", _of_cut(lambda cut: str(cut.dealer_points))),
    ("cut", "points for a right guess", _of_cut(lambda cut: str(cut.guess_points))),
    ("trumps", "what makes trumps", _trumps),
    ("trumps", "a seven turned up scores", _dealer_seven),
    ("dix", "points", _of_dix(lambda dix: str(dix.points or "none"))),
    ("dix", "exchanged for the turn-up", _of_dix(lambda dix: WINDOW_WORDS[dix.exchange])),
    ("dix", "shown", _of_scoring_dix(lambda dix: WINDOW_WORDS[dix.show])),
    ("dix", "scores when played", _of_scoring_dix(lambda dix: yes_or_no(holds=dix.played))),
    ("dix", "scores after the close", _of_scoring_dix(lambda dix: yes_or_no(holds=dix.in_last_tricks))),
    ("dix", "scores only once", _of_scoring_dix(lambda dix: yes_or_no(holds=dix.once_per_card))),
    ("dix", "an exchange is the trick's meld", _exchange_is_meld),
    ("dix", "exchanged after it scored", _of_dix(lambda dix: yes_or_no(holds=dix.spent_exchanges))),
    ("carte_blanche", "points, and again for each draw", _of_blanche(lambda rule: str(rule.points))),
    ("carte_blanche", "a hand without", _of_blanche(lambda rule: rank_signs(rule.courts))),
    ("carte_blanche", "shown before", _of_blanche(first_play_words)),
    ("play", "a turn", _turn(0)),
    ("play", "the reply to a card led", _reply(0)),
    ("close", "a turn", _turn(-1)),
    ("close", "the reply to a card led", _reply(-1)),
    ("close", "melds per turn", meld_limit(-1)),
)  # fmt: skip
"""The rows that compare deals, trumps and play, in the order of the articles."""
