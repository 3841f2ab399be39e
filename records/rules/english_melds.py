"""Melds, their cards, and when a card may score again, in sentences."""

from collections.abc import Iterable, Mapping
from typing import assert_never

from records.cards import RANK_NAMES, SUIT_NAMES
from records.phrases import count_in_words, join_words, name_card, number_word, plural, with_article
from records.rules.compiled import bezique_faces
from records.rules.vocabulary import (
    ANY_NUMBER_OF_MELDS,
    BrisqueCount,
    CarteBlancheRule,
    Chain,
    Follow,
    GameEnd,
    HandCards,
    LeavesBy,
    MeldCards,
    MeldsFrom,
    Pack,
    PatternCard,
    PhaseStep,
    Reuse,
    ReuseRule,
    Rounding,
    RuleSheet,
    ShapedCards,
    SheetRules,
    SheetSettlement,
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


def rounding_words(terms: SheetSettlement) -> str:
    """What is done to the scores before they are valued."""
    if terms.rounded_to == 1:
        return "not rounded"
    return f"rounded down to {'hundreds' if terms.rounded_to == 100 else f'multiples of {terms.rounded_to}'}"


def win_words(terms: SheetSettlement) -> str:
    """What the winner of a deal gets if the loser is not rubiconed: `500 and the difference`."""
    paid = terms.win
    least = f", but at least {paid.least_difference} for it" if paid.least_difference else ""
    return f"{paid.base:,}" + (f" and the difference{least}" if paid.loser_total < 0 else "")


def rubicon_words(terms: SheetSettlement) -> str:
    """What the winner gets if the loser is rubiconed: instead of the above, or as well where the loser keeps the points."""
    if terms.loser == "own_total":
        return "the loser's points as well"
    paid = terms.rubicon
    brisques = [f"{paid.for_brisques} for all the brisques"] if paid.for_brisques else []
    small = f", and {paid.loser_below_100} more if the loser has less than 100"
    return join_words([f"{paid.base:,}", "both scores", *brisques]) + small * bool(
        paid.loser_below_100
    )


def first_play_words(rule: CarteBlancheRule) -> str:
    """The play before which carte blanche is shown."""
    return "the first lead" if rule.is_before_first_lead else "the player's first card"


def rank_sign(rank: str) -> str:
    """A rank as it stands on its card."""
    return "10" if rank == "T" else rank


def rank_signs(ranks: Iterable[str]) -> str:
    """Ranks as they stand on their cards: `A 10 K`."""
    return " ".join(map(rank_sign, ranks))


def rank_name(rank: str, count: int = 1) -> str:
    """A rank as people say it, and several of it: `king`, `10s`."""
    return RANK_NAMES[rank] if count == 1 else plural(RANK_NAMES[rank])


def usual_and_exceptions(numbers: Mapping[int, int]) -> tuple[int, dict[int, int]]:
    """A number that may depend on how many play: the usual one, and the others by number of players."""
    usual = max(numbers.values())
    return usual, {players: number for players, number in numbers.items() if number != usual}


def places_of_the_ace(pack: Pack) -> list[str]:
    """Where an ace stands in a row of ranks: low, high, both, or nowhere in a game without rows."""
    if pack.row is None:
        return []
    return [end for end, rank in (("low", pack.row[-1]), ("high", pack.row[0])) if rank == "A"]


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


def or_partner(sheet: RuleSheet) -> str:
    """What is said of a partner beside the winner of a trick, where one may meld, too."""
    return " or a partner" if sheet.rules.partners_meld else ""


def explain_melds(sheet: RuleSheet) -> list[str]:
    """When melds are scored and what they are made of; their points are a table of their own."""
    first = sheet.rules.phases[0]
    if PhaseStep.DECLARE not in first.steps:
        return [
            f"A player may score {at_most(first.meld_limit, 'combination')} in a turn.",
            *_rows(sheet),
        ]
    before = "Before drawing, the" if PhaseStep.DRAW in first.steps else "The"
    window = f"{before} winner of a trick{or_partner(sheet)} may score {at_most(first.meld_limit)}."
    if sheet.rules.partners_meld:
        window += " Each melds of the own cards."
    return [window, *_made_of(sheet.rules.melds_from), *_bezique(sheet.rules)]


def _rows(sheet: RuleSheet) -> list[str]:
    """Where the ace stands in a row of ranks."""
    ends = places_of_the_ace(sheet.rules.pack)
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


def _bezique(rules: SheetRules) -> list[str]:
    single = next((meld for meld in rules.melds if meld.cards.speaks_of("bezique")), None)
    if single is None:
        return []
    usual, other = bezique_faces(None, rules), bezique_faces("S", rules)
    name = with_article(single.words).capitalize()
    if usual == other:
        return [f"{name} is {_pair(usual)}."]
    return [f"{name} is {_pair(usual)}; when spades or diamonds are trumps, {_pair(other)}."]


def _pair(faces: Iterable[str]) -> str:
    return join_words(map(name_card, faces))


_SUIT_WORDS = {
    "trumps": "trumps", "plain": "a plain suit", "any": "any suit", "same": "the suit of the meld",
}  # fmt: skip


def cards_in_words(cards: MeldCards, rules: SheetRules) -> str:
    """The cards of a meld as people say them: `any four aces`, `king and queen of trumps`."""
    if isinstance(cards, ShapedCards):
        return _shape(cards)
    words = {card.suit for card in cards.cards}
    if words == {"same"}:
        pair = _ranks(cards.cards, 1)
        if cards.repeat == 1:
            return f"{pair} of one suit"
        return f"{number_word(cards.repeat)} pairs of {pair}, each of one suit"
    if words == {"bezique"}:
        faces = {face[0]: face for face in bezique_faces(None, rules)}
        return join_words(_counted(cards.repeat, faces[card.ranks[0]]) for card in cards.cards)
    if len(words) > 1:
        times = f", {number_word(cards.repeat)} times" if cards.repeat > 1 else ""
        return join_words(_card(card, rules) for card in cards.cards) + times
    ranks = _ranks(cards.cards, cards.repeat)
    if any(len(card.ranks) > 1 for card in cards.cards):
        return ranks
    return f"any {ranks}" if words == {"any"} else f"{ranks} of {_suit(words.pop())}"


def _shape(shape: ShapedCards) -> str:
    cards = count_in_words(shape.size, "card")
    if shape.in_a_row and shape.one_suit:
        return f"{cards} in a row, all of one suit"
    if shape.in_a_row:
        return f"{cards} in a row, not all of one suit"
    return f"{cards} of one suit, not all in a row"


def _ranks(cards: tuple[PatternCard, ...], times: int) -> str:
    first = cards[0].ranks
    if len(first) > 1:
        return f"{number_word(times)} of one rank: {join_words(map(rank_name, first), 'or')}"
    if len(cards) == 1 and times > 1:
        return f"{number_word(times)} {rank_name(first[0], times)}"
    if len(cards) <= 2:
        return join_words(rank_name(card.ranks[0], times) for card in cards)
    return rank_signs(card.ranks[0] for card in cards)


def _counted(times: int, face: str) -> str:
    count = "" if times == 1 else f"{number_word(times)} "
    return f"{count}{rank_name(face[0], times)} of {SUIT_NAMES[face[1]]}"


def _card(card: PatternCard, rules: SheetRules) -> str:
    """One card of a list whose cards take their suits in several ways."""
    faces = {face[0]: face[1] for face in bezique_faces(None, rules)}
    suit = faces[card.ranks[0]] if card.suit == "bezique" else card.suit
    return f"{join_words(map(rank_name, card.ranks), 'or')} of {_suit(suit)}"


def _suit(suit: str) -> str:
    return _SUIT_WORDS.get(suit) or SUIT_NAMES[suit]


def explain_reuse(sheet: RuleSheet) -> list[str]:
    """When a card that has scored may score again."""
    reuse = sheet.rules.reuse
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
                f"A card leaves a meld when it is {LEAVING_WORDS[reuse.card_leaves_by]}. The card that has left"
                " is not in the new meld, and the same cards never score the same kind twice.",
                "A king and a queen that have both been married in their suit may marry each other"
                " without that.",
            ]
        case ReuseRule.AUGMENT_OR_RESTORE:
            return [
                "The classes are sequences, marriages, fours of a kind and beziques.",
                "A bezique is extended to a larger one that contains it. A meld is restored when a card"
                " from the hand that is new to the class takes the place of one that was"
                f" {LEAVING_WORDS[reuse.card_leaves_by]}, and all its other cards stay; from then on only the"
                " restored set counts.",
            ]
        case ReuseRule.LEAVES_THE_HAND:
            return ["One card of every combination leaves the hand; of marriages, all cards do."]
        case _:
            assert_never(reuse.rule)


def _readings(sheet: RuleSheet) -> list[str]:
    """The details that people differ on, as far as this sheet has the melds for them."""
    words = {meld.name: meld.words for meld in sheet.rules.melds}
    found = sheet.rules.reuse
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
    if not sheet.rules.pending:
        return []
    return [
        "A player may show more melds than may score. A pending meld may score after a later"
        " trick won, as the meld of that trick, while all its cards still lie on the table.",
        *_losing(sheet.rules.reuse),
    ]


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
