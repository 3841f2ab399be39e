"""Melds, their cards, and when a card may score again, in sentences."""

from typing import assert_never

from records.cards import SUIT_NAMES
from records.phrases import count_in_words, join_words, name_card, number_word, with_article
from records.rules.english.vocabulary_phrases import (
    LEAVING_WORDS,
    REUSE_WORDS,
    at_most,
    places_of_the_ace,
    rank_name,
    rank_signs,
)
from records.rules.patterns import MeldPattern, bezique_faces, parse_pattern
from records.rules.vocabulary import (
    BeziqueCards,
    MeldsFrom,
    Pending,
    PhaseStep,
    Reuse,
    ReuseRule,
    RuleSheet,
)


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
