"""Melds, their cards, and when a card may serve again."""

from typing import assert_never

from records.cards import RANK_NAMES, SUIT_NAMES
from records.rules.english.phrases import at_most, join_words, number_word, plural, rank_name
from records.rules.patterns import MeldPattern, bezique_faces, parse_pattern
from records.rules.vocabulary import (
    BeziqueCards,
    LeavesBy,
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
    runs = sheet.pack.runs
    if not runs:
        return []
    ends = [end for end, rank in (("low", runs[-1]), ("high", runs[0])) if rank == "A"]
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
                "Each meld needs at least one of the two cards just won; each of the two serves in"
                " one meld of that trick.",
            ]
        case _:
            assert_never(source)


def _bezique(sheet: RuleSheet) -> list[str]:
    single = next((meld for meld in sheet.melds if parse_pattern(meld.cards).speaks_of("b")), None)
    if single is None:
        return []
    match sheet.bezique_cards:
        case BeziqueCards.FIXED:
            return [f"{_a(single.words)} is {_pair(None, sheet.bezique_cards)}."]
        case BeziqueCards.BY_TRUMP:
            return [
                f"{_a(single.words)} is {_pair(None, sheet.bezique_cards)}; when spades or diamonds"
                f" are trumps, {_pair('S', sheet.bezique_cards)}."
            ]
        case _:
            assert_never(sheet.bezique_cards)


def _pair(trump: str | None, cards: BeziqueCards) -> str:
    return join_words(
        f"the {RANK_NAMES[f[0]]} of {SUIT_NAMES[f[1]]}" for f in bezique_faces(trump, cards)
    )


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
    cards = plural(pattern.size, "card")
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
    return " ".join("10" if card[0] == "T" else card[0] for card in cards)


def _counted(times: int, face: str) -> str:
    count = "" if times == 1 else f"{number_word(times)} "
    return f"{count}{rank_name(face[0], times)} of {SUIT_NAMES[face[1]]}"


def _suit(letter: str) -> str:
    return {"t": "trumps", "p": "a plain suit", "x": "any suit"}.get(letter) or SUIT_NAMES[letter]


def explain_reuse(sheet: RuleSheet) -> list[str]:
    """When a card that has scored may score again."""
    told = _reuse_rule(sheet.reuse)
    if sheet.reuse.once_ever:
        return ["A card that has scored in a meld never scores in another."]
    return [told, *_readings(sheet)]


def _reuse_rule(found: Reuse) -> str:
    match found.rule:
        case ReuseRule.ONCE_PER_SET:
            return (
                "The same set of cards scores the same meld only once; otherwise a card may serve"
                " in as many melds as its owner can make."
            )
        case ReuseRule.ONCE_PER_KIND:
            return (
                "A card may serve in melds of different kinds, once in each kind: marriages"
                " are one kind, royal or common, and sequences another, of trumps or not."
            )
        case ReuseRule.UPWARD_IN_CLASS:
            return (
                "A card may serve once in each kind of meld. Within a class it only climbs:"
                " from marriage to sequence, from bezique to double bezique, and each step needs at"
                " least one card that is new to the class."
            )
        case ReuseRule.REFORMED_AFTER_LEAVING:
            return (
                "A meld may score again with another card in the place of one that has left it"
                f" {_leaving(found.leaves_by)}. King and queen that have each been married in their"
                " suit may be rearranged into marriages not yet scored."
            )
        case ReuseRule.AUGMENT_OR_RESTORE:
            return (
                "A card serves once in each class: sequences, marriages, fours of a kind, beziques."
                " But a bezique may be added to and score as the bigger one, and a meld broken by"
                f" a card that left it {_leaving(found.leaves_by)} scores again when a card from"
                " the hand restores it."
            )
        case ReuseRule.LEAVES_THE_HAND:
            return (
                "A card of each combination leaves the hand, and all cards of marriages do; what"
                " stays may score again."
            )
        case _:
            assert_never(found.rule)


def _leaving(by: LeavesBy) -> str:
    match by:
        case LeavesBy.PLAYED:
            return "by being played to a trick"
        case LeavesBy.PLAYED_OR_MELDED:
            return "by being played to a trick or scored in another meld"
        case _:
            assert_never(by)


def _readings(sheet: RuleSheet) -> list[str]:
    """The readings people differ on, as far as this sheet has the melds for them."""
    words = {meld.name: meld.words for meld in sheet.melds}
    found = sheet.reuse
    told = []
    if {"sequence", "marriage"} <= words.keys():
        may = _may(permitted=found.sequence_then_marriage)
        told.append(f"King and queen of a sequence {may} score as a marriage afterwards.")
    if {"bezique", "double_bezique"} <= words.keys():
        single, double = words["bezique"], words["double_bezique"]
        may = _may(permitted=found.singles_then_double)
        told.append(f"Two {single}s scored one by one {may} score again as a {double}.")
        may = _may(permitted=found.double_then_single)
        told.append(f"Cards of a {double} {may} score as a {single} afterwards.")
    return told


def _may(*, permitted: bool) -> str:
    return "may" if permitted else "may not"


def _a(noun: str) -> str:
    return f"{'An' if noun[0] in 'aeiou' else 'A'} {noun}"


def explain_pending(sheet: RuleSheet) -> list[str]:
    """Whether melds may be shown and not scored."""
    match sheet.pending:
        case Pending.NO:
            return []
        case Pending.YES:
            return [
                "More melds may be shown than are scored. One of those waiting may be scored after"
                " a later trick won, as that trick's meld, while all its cards still lie there."
            ]
        case _:
            assert_never(sheet.pending)
