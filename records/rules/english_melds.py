"""Melds, their cards, and when a card may score again, in sentences."""

from collections.abc import Mapping
from typing import assert_never

from records.cards import RANK_NAMES, SUIT_NAMES
from records.phrases import count_in_words, join_words, name_card, number_word, plural, with_article
from records.rules.compiled import MeldPattern, bezique_faces, parse_pattern
from records.rules.vocabulary import (
    ANY_NUMBER_OF_MELDS,
    BeziqueCards,
    BrisqueCount,
    CarteBlancheRule,
    Chain,
    Follow,
    GameEnd,
    HandCards,
    LeavesBy,
    MeldsFrom,
    Pack,
    Pending,
    PhaseStep,
    Reuse,
    ReuseRule,
    Rounding,
    RuleSheet,
    Settlement,
    TableauRule,
    TrumpsBy,
    When,
    Window,
)

# What the words of the vocabulary are called: phrases for the long sentences and the short cells alike.

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

ROUNDED_DIFFERENCE_WORDS = {
    Rounding.HUNDREDS: "that of the scores as rounded",
    Rounding.NONE: "not rounded",
    Rounding.CLOSE: "not rounded where the rounded scores are equal",
}

DIFFERENCE_ROUNDING_WORDS = {
    Rounding.HUNDREDS: "",
    Rounding.NONE: " The difference is not rounded.",
    Rounding.CLOSE: " Where the rounded scores are equal, the difference is not rounded.",
}
"""What is added about the difference of two scores."""

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


# The sentences.


def explain_melds(sheet: RuleSheet) -> list[str]:
    """When melds are scored and what they are made of; their points are a table of their own."""
    first = sheet.phases[0]
    if PhaseStep.DECLARE not in first.steps:
        return [
            f"A player may score {at_most(first.melds, 'combination')} in a turn.",
            *_rows(sheet),
        ]
    before = "Before drawing, the" if PhaseStep.DRAW in first.steps else "The"
    window = f"{before} winner of a trick may score {at_most(first.melds)}."
    return [window, *_made_of(sheet.melds_from), *_bezique(sheet)]


def _rows(sheet: RuleSheet) -> list[str]:
    """Where the ace stands in a row of ranks."""
    ends = places_of_the_ace(sheet.pack)
    if not ends:
        return []
    return [f"In a row the ace is {join_words(ends, 'or')}, and no row goes round the corner."]


def _made_of(source: MeldsFrom) -> list[str]:
    match source:
        case MeldsFrom.HELD:
            return [
                "Melded cards lie face up before their owner, still belong to the hand, and may be"
                " played at any time."
            ]
        case MeldsFrom.CAPTURED:
            return [
                "Melds are made of cards won in tricks, which lie face up before their winner and"
                " are not played again.",
                "Each meld needs at least one of the two cards just won, and each of the two may score"
                " in only one meld of that trick.",
            ]
        case _:
            assert_never(source)


def _bezique(sheet: RuleSheet) -> list[str]:
    single = next((meld for meld in sheet.melds if parse_pattern(meld.cards).speaks_of("b")), None)
    if single is None:
        return []
    name = with_article(single.words).capitalize()
    match sheet.bezique_cards:
        case BeziqueCards.FIXED:
            return [f"{name} is {_pair(None, sheet.bezique_cards)}."]
        case BeziqueCards.BY_TRUMP:
            return [
                f"{name} is {_pair(None, sheet.bezique_cards)}; when spades or diamonds"
                f" are trumps, {_pair('S', sheet.bezique_cards)}."
            ]
        case _:
            assert_never(sheet.bezique_cards)


def _pair(trump: str | None, cards: BeziqueCards) -> str:
    return join_words(map(name_card, bezique_faces(trump, cards)))


def cards_in_words(text: str, cards: BeziqueCards) -> str:
    """A pattern as people say it: `any four aces`, `king and queen of trumps`."""
    pattern = parse_pattern(text)
    if pattern.shape:
        return _shape(pattern)
    letters = {card[-1] for card in pattern.cards}
    if letters == {"m"}:
        pair = _ranks(pattern.cards, 1)
        if pattern.times == 1:
            return f"{pair} of one suit"
        return f"{number_word(pattern.times)} pairs of {pair}, each of one suit"
    if letters == {"b"}:
        faces = {face[0]: face for face in bezique_faces(None, cards)}
        return join_words(_counted(pattern.times, faces[card[0]]) for card in pattern.cards)
    if len(letters) > 1:
        return join_words(f"{rank_name(card[0])} of {_suit(card[1])}" for card in pattern.cards)
    letter = letters.pop()
    ranks = _ranks(pattern.cards, pattern.times)
    if cards_have_a_choice(pattern):
        return ranks
    return f"any {ranks}" if letter == "x" else f"{ranks} of {_suit(letter)}"


def cards_have_a_choice(pattern: MeldPattern) -> bool:
    """Whether a rank of the pattern is one of several."""
    return any(len(card) > 2 for card in pattern.cards)


def _shape(pattern: MeldPattern) -> str:
    cards = count_in_words(pattern.size, "card")
    if pattern.run and pattern.suit:
        return f"{cards} in a row, all of one suit"
    if pattern.run:
        return f"{cards} in a row, not all of one suit"
    return f"{cards} of one suit, not all in a row"


def _ranks(cards: tuple[str, ...], times: int) -> str:
    if cards[0][0] == "[":
        return (
            f"{number_word(times)} of one rank: {join_words(map(rank_name, cards[0][1:-2]), 'or')}"
        )
    if len(cards) == 1 and times > 1:
        return f"{number_word(times)} {rank_name(cards[0][0], times)}"
    if len(cards) <= 2:
        return join_words(rank_name(card[0], times) for card in cards)
    return rank_signs("".join(card[0] for card in cards))


def _counted(times: int, face: str) -> str:
    count = "" if times == 1 else f"{number_word(times)} "
    return f"{count}{rank_name(face[0], times)} of {SUIT_NAMES[face[1]]}"


def _suit(letter: str) -> str:
    return {"t": "trumps", "p": "a plain suit", "x": "any suit"}.get(letter) or SUIT_NAMES[letter]


def explain_reuse(sheet: RuleSheet) -> list[str]:
    """When a card that has scored may score again."""
    reuse = sheet.reuse
    if reuse.once_ever:
        return ["A card that has scored in a meld never scores in another."]
    return [
        f"A card may score {REUSE_WORDS[reuse.rule]}.",
        *_reuse_details(reuse),
        *_readings(sheet),
    ]


def _reuse_details(reuse: Reuse) -> list[str]:
    match reuse.rule:
        case ReuseRule.ONCE_PER_SET:
            return []
        case ReuseRule.ONCE_PER_KIND:
            return ["All marriages are one kind and all sequences another, in trumps or not."]
        case ReuseRule.UPWARD_IN_CLASS:
            return [
                "Upward means from marriage to sequence or from bezique to double bezique; each step"
                " needs at least one card that is new to the class."
            ]
        case ReuseRule.REFORMED_AFTER_LEAVING:
            return [
                f"A card leaves a meld when it is {LEAVING_WORDS[reuse.leaves_by]}. The card that has left"
                " is not in the new meld, and the same cards never score the same kind twice.",
                "A king and a queen that have both been married in their suit may marry each other"
                " without that.",
            ]
        case ReuseRule.AUGMENT_OR_RESTORE:
            return [
                "The classes are sequences, marriages, fours of a kind and beziques.",
                "A bezique is extended to a larger one that contains it. A meld is restored when a card"
                " from the hand that is new to the class takes the place of one that was"
                f" {LEAVING_WORDS[reuse.leaves_by]}, and all its other cards stay; from then on only the"
                " restored set counts.",
            ]
        case ReuseRule.LEAVES_THE_HAND:
            return ["One card of every combination leaves the hand; of marriages, all cards do."]
        case _:
            assert_never(reuse.rule)


def _readings(sheet: RuleSheet) -> list[str]:
    """The details that people differ on, as far as this sheet has the melds for them."""
    words = {meld.name: meld.words for meld in sheet.melds}
    found = sheet.reuse
    sentences = []
    if {"sequence", "marriage"} <= words.keys():
        may = _may(permitted=found.sequence_then_marriage)
        sentences.append(f"King and queen of a sequence {may} score as a marriage afterwards.")
    if {"bezique", "double_bezique"} <= words.keys():
        single, double = words["bezique"], words["double_bezique"]
        may = _may(permitted=found.singles_then_double)
        sentences.append(f"Two {single}s scored one by one {may} score again as a {double}.")
        may = _may(permitted=found.double_then_single)
        sentences.append(f"Cards of a {double} {may} score as a {single} afterwards.")
    return sentences


def _may(*, permitted: bool) -> str:
    return "may" if permitted else "may not"


def explain_pending(sheet: RuleSheet) -> list[str]:
    """Whether melds may be shown before they score."""
    match sheet.pending:
        case Pending.NO:
            return []
        case Pending.YES:
            return [
                "A player may show more melds than may score. A pending meld may score after a later"
                " trick won, as the meld of that trick, while all its cards still lie on the table.",
                *_losing(sheet.reuse),
            ]
        case _:
            assert_never(sheet.pending)


def _losing(reuse: Reuse) -> list[str]:
    """How a pending meld is lost besides by playing one of its cards."""
    higher = {
        "a sequence over its marriage": not reuse.sequence_then_marriage,
        "a larger bezique over a smaller one": not reuse.double_then_single,
    }
    winners = [words for words, wins in higher.items() if wins]
    if not winners:
        return []
    return [
        f"It is also lost when a higher meld with its cards scores first: {join_words(winners, 'or')}."
    ]
