"""What the words of the vocabulary are called: phrases for the long sentences and the short cells alike."""

from collections.abc import Mapping

from records.cards import RANK_NAMES
from records.phrases import number_word, plural
from records.rules.vocabulary import (
    ANY_NUMBER_OF_MELDS,
    BrisqueCount,
    CarteBlancheRule,
    Chain,
    Follow,
    GameEnd,
    HandCards,
    LeavesBy,
    Pack,
    ReuseRule,
    Settlement,
    TableauRule,
    TrumpsBy,
    When,
    Window,
)

FOLLOW_WORDS = {
    Follow.ANY: "any card",
    Follow.HEAD: "follow suit, with a winning card if able, or else trump",
    Follow.SUIT: "follow suit, beating a trump led if able, or else trump",
}
"""What the second player owes; for `any`, what may be played."""

WINDOW_WORDS = {
    Window.NEVER: "never",
    Window.AFTER_TRICK_WON: "after winning a trick",
    Window.AT_ANY_TIME: "at any time",
}
REUSE_WORDS = {
    ReuseRule.ONCE_PER_SET: "in any number of melds, but the same cards only once in the same meld",
    ReuseRule.ONCE_PER_KIND: "once in each kind of meld",
    ReuseRule.UPWARD_IN_CLASS: "once in each kind of meld, and within a class only upward",
    ReuseRule.REFORMED_AFTER_LEAVING: "in each kind of meld, and again in one kind once a card of the old meld has left it",
    ReuseRule.AUGMENT_OR_RESTORE: "once in each class, and again in a meld extended or restored",
    ReuseRule.LEAVES_THE_HAND: "again as long as it stays in the hand",
}
"""How often a card may score in melds."""

LEAVING_WORDS = {
    LeavesBy.PLAYED: "played to a trick",
    LeavesBy.PLAYED_OR_MELDED: "played to a trick or scored in another meld",
}
"""How a card leaves a scored meld."""

HAND_CARD_WORDS = {
    HandCards.ONE: "one card in all",
    HandCards.EACH_PAIR: "one card of each pair",
}
CHAIN_WORDS = {
    Chain.STOCK_EMPTY: "once the stock is empty",
    Chain.WHOLE_HAND: "throughout the deal",
}
TRUMPS_BY_WORDS = {TrumpsBy.LAID: "laid, scored or not", TrumpsBy.SCORED: "scored"}
"""What the first marriage or sequence must be to make trumps."""

BONUS_WORDS = {
    When.LAST_STOCK_TRICK: "the last trick before the close",
    When.LAST_TRICK: "the last trick",
    When.ALL_CLOSED_TRICKS: "all tricks after the close",
}
BRISQUE_COUNT_WORDS = {
    BrisqueCount.AT_THE_END: "at the end of the deal",
    BrisqueCount.TO_SETTLE: "by both players, but only to break a tie or to save one from the rubicon",
    BrisqueCount.NEVER: "never",
}
GAME_END_WORDS = {GameEnd.FINISH_HAND: "at the end of the deal", GameEnd.AT_ONCE: "at once"}
DIFFERENCE_WORDS = {
    Settlement.RUBICON: " and the difference",
    Settlement.CLUB: " and the difference",
    Settlement.PORTLAND: " and the difference, but at least 100 for it",
    Settlement.SIX_PACK: "",
}
"""What the winner of a deal gets besides the bonus."""

ROUNDING_WORDS = {
    Settlement.RUBICON: "rounded down to hundreds",
    Settlement.CLUB: "rounded down to hundreds",
    Settlement.PORTLAND: "rounded down to hundreds",
    Settlement.SIX_PACK: "not rounded",
}

RUBICON_PAYMENT_WORDS = {
    Settlement.RUBICON: "1,000 and both scores",
    Settlement.CLUB: "1,000, both scores and 320 for all the brisques, and 100 more if the loser has less than 100",
    Settlement.PORTLAND: "1,300 and both scores, and 100 more if the loser has less than 100",
    Settlement.SIX_PACK: "the loser's points as well",
}
"""What the winner gets when the loser is rubiconed."""


def first_play_words(rule: CarteBlancheRule) -> str:
    """The play before which carte blanche is shown."""
    return "the first lead" if rule.before_first_lead else "the player's first card"


def rank_sign(rank: str) -> str:
    """A rank as it stands on its card."""
    return "10" if rank == "T" else rank


def rank_signs(ranks: str) -> str:
    """Ranks as they stand on their cards: `A 10 K`."""
    return " ".join(map(rank_sign, ranks))


def rank_name(rank: str, count: int = 1) -> str:
    """A rank as people say it, and several of it: `king`, `10s`."""
    return RANK_NAMES[rank] if count == 1 else plural(RANK_NAMES[rank])


def usual_and_exceptions(numbers: Mapping[int, int]) -> tuple[int, dict[int, int]]:
    """A number that may depend on how many play: the usual one, and the others by number of players."""
    usual = max(numbers.values())
    return usual, {players: number for players, number in numbers.items() if number != usual}


def pack_size(pack: Pack) -> int:
    """How many cards the game is played with."""
    return len(pack.ranks) * (4 * pack.copies + len(pack.doubled_suits))


def places_of_the_ace(pack: Pack) -> list[str]:
    """Where an ace stands in a row of ranks: low, high, both, or nowhere in a game without rows."""
    runs = pack.runs
    ends = (("low", runs[-1:]), ("high", runs[:1]))
    return [end for end, rank in ends if rank == "A"]


def zetemas_by_points(tableau: TableauRule) -> list[tuple[int, str]]:
    """The points of zetemas, the most first, and the ranks that score them."""
    ranks: dict[int, str] = {}
    for rank, points in tableau.zetemas.items():
        ranks[points] = ranks.get(points, "") + rank
    return sorted(ranks.items(), reverse=True)


def meld_limit_words(limit: int, noun: str = "meld") -> str:
    """How many melds a trick or a turn allows: `no meld`, `one meld`, `any number of melds`."""
    if limit == ANY_NUMBER_OF_MELDS:
        return f"any number of {plural(noun)}"
    return f"{number_word(limit)} {plural(noun) if limit > 1 else noun}"


def at_most(limit: int, noun: str = "meld") -> str:
    """A limit on what a player may score: `one meld`, `up to two melds`."""
    words = meld_limit_words(limit, noun)
    return f"up to {words}" if 1 < limit < ANY_NUMBER_OF_MELDS else words
