"""The positions of a drill: the question at a step, and its choices with their values."""

from collections.abc import Iterator, Sequence

import msgspec

from analyzer.review.deep_review import (
    MISTAKES,
    ChoiceKind,
    Grade,
    ReviewedChoice,
    ReviewedDecision,
    grade_choice,
)
from analyzer.review.review_words import (
    GRADE_WORDS,
    ExplainedLoss,
    certainty_words,
    chance_of,
    describe_line,
    explain_grade,
    explain_loss,
    loss_words,
    name_grade,
)
from records.events import Dix, Meld, Play
from records.phrases import name_cards, pluralize, with_article
from records.rules.compiled import compile_sheet
from records.rules.vocabulary import MeldRule, RuleSheet
from webui.replay.weighed_deals import BEST_LINE_MOVES, choice_faces, name_choice, value_words
from webui.replay.what_if import write_line

# Positions to try again: what a seat saw and could do there, and only after the choice what everything was worth.

KINDS_IN_ORDER: tuple[ChoiceKind, ...] = ("play", "meld", "exchange", "show", "hold_back")


class OfferedChoice(msgspec.Struct, frozen=True):
    """A choice before it is made: its key in an address, its cards, and the points of a meld.

    `says` names it without its cards, empty for a card to play, and `words` is the whole of it, as an order: `Play the
    ace of spades`. It holds nothing that its seat could not know.
    """

    key: str
    kind: ChoiceKind
    says: str
    words: str
    cards: list[str]
    points: int | None


class AnsweredChoice(msgspec.Struct, frozen=True):
    """A choice once one was made: its value with the standard error, its grade, and whose it was.

    `chance` is its chance of winning the match, empty where that is not known.
    """

    says: str
    value: str
    chance: str
    grade: str
    is_best: bool
    is_yours: bool
    was_made: bool


class DrillAnswer(msgspec.Struct, frozen=True):
    """What came of a choice: whether it was no mistake, in sentences, and all choices, the best first.

    `played` says what was done in the game, and `why` what the worlds show of that.
    """

    found: bool
    says: str
    played: str
    why: str
    choices: list[AnsweredChoice]


def offered_choices(
    decision: ReviewedDecision, hand: Sequence[str], sheet: RuleSheet, trump: str | None
) -> list[OfferedChoice]:
    """The choices of a decision in an order that tells nothing: by kind, then as their cards stand in the hand.

    What a meld is called and scores follows from the rules and the trumps at that moment.
    """
    places = {card: place for place, card in reversed([*enumerate(hand)])}

    def order(offer: OfferedChoice) -> tuple[int, list[int], str]:
        cards = [places.get(card, len(places)) for card in offer.cards]
        return KINDS_IN_ORDER.index(offer.kind), cards, offer.key

    offers = {
        choice_key(choice): _offer(choice, _meld_rule(choice, sheet, trump))
        for choice in decision.choices
    }
    return sorted(offers.values(), key=order)


def _meld_rule(choice: ReviewedChoice, sheet: RuleSheet, trump: str | None) -> MeldRule | None:
    if choice.kind != "meld":
        return None
    return compile_sheet(sheet).meld_rule(trump, choice.meld, tuple(choice.cards))


def _offer(choice: ReviewedChoice, meld: MeldRule | None) -> OfferedChoice:
    faces = choice_faces(choice)
    points = meld.points if meld else None
    named = name_cards(faces) if faces else ""
    match choice.kind:
        case "play":
            says, words = "", f"Play {named}"
        case "meld":
            says = meld.words if meld else choice.meld.replace("_", " ")
            words = f"Meld {with_article(says)}: {named}"
            words += f", {pluralize(points, 'point')}" if points else ""
        case "hold_back":
            says = words = "Meld nothing"
        case _:
            says, words = choice.kind, f"{choice.kind.capitalize()} {named}"
    return OfferedChoice(choice_key(choice), choice.kind, says, words, faces, points)


def choice_key(choice: ReviewedChoice) -> str:
    """What names a choice in an address: `play-QS`, `meld-royal_marriage-KH-QH`, `hold_back`."""
    return "-".join(filter(None, [choice.kind, choice.meld, *sorted(choice_faces(choice))]))


def answer_choice(
    decision: ReviewedDecision, key: str, names: Sequence[str], least: float
) -> DrillAnswer | None:
    """What comes of the choice with this key, graded by a limit of `least` points; None if there is none."""
    yours = next((each for each in decision.choices if choice_key(each) == key), None)
    if yours is None:
        return None
    made = decision.made
    is_same = choice_key(made) == key
    told = explain_loss(decision, names)
    who = names[decision.seat]
    return DrillAnswer(
        found=_grade(yours, decision, least) not in MISTAKES,
        says=_verdict(yours, decision, least),
        played=f"{who} chose the same in the game."
        if is_same
        else f"In the game {who} chose {name_choice(made)}.",
        why=_reason_of(told, decision) if decision.lost else "",
        choices=list(_answered(decision, key, least)),
    )


def _reason_of(told: ExplainedLoss, decision: ReviewedDecision) -> str:
    """What speaks for the best choice: of an exact decision what was done cost, which its verdict does not tell."""
    return " ".join(filter(None, told if decision.certain else (told.why or told.says,)))


def _answered(decision: ReviewedDecision, key: str, least: float) -> Iterator[AnsweredChoice]:
    for place, choice in enumerate(decision.choices):
        yield AnsweredChoice(
            says=name_choice(choice),
            value=value_words(choice),
            chance=chance_of(choice),
            grade=GRADE_WORDS[_grade(choice, decision, least)],
            is_best=choice.behind == 0,
            is_yours=choice_key(choice) == key,
            was_made=place == decision.chosen,
        )


def _verdict(yours: ReviewedChoice, decision: ReviewedDecision, least: float) -> str:
    """How good a choice is, in a sentence."""
    best = name_choice(decision.best)
    grade = _grade(yours, decision, least)
    lost = loss_words(yours.behind, yours.behind_error)
    match grade:
        case "best" | "only":
            return f"{name_choice(yours)} is the best choice."
        case "too_close":
            return f"Too close to tell: {best} may be better by {lost}."
        case "style":
            return f"A matter of style: whether {best} is better depends on how the players go on."
        case "good":
            return f"Good: {best} is better by only {lost}."
        case _:
            sure = certainty_words(decision)
            return f"{GRADE_WORDS[grade].capitalize()}: {best} is {sure} better by {lost}."


def _grade(choice: ReviewedChoice, decision: ReviewedDecision, least: float) -> Grade:
    return "best" if choice is decision.best else grade_choice(choice, least)


# The choices at a step with their values, for the script of the table: exact ones and estimates on one scale.


class ValuedChoice(msgspec.Struct, kw_only=True):
    """A choice: in short, its value, and its card if it plays one.

    `best` says that no choice is better; `did` that it was chosen. `grade` is that of a weighed choice, in words, and
    `chance` its chance of winning the match, empty where that is not known.
    """

    says: str
    worth: str
    card: str | None
    best: bool
    did: bool
    grade: str = ""
    chance: str = ""


class BestChoices(msgspec.Struct, kw_only=True):
    """The choices of `seat` at a step, the best first, with the best line and what the choice made lost.

    `says` tells that in a sentence, and `why` what speaks for the best. Before the close, values and loss are means, and
    there is no line. A value is the lead at the end of the deal. `move` is the best choice as the address of What if names
    it, empty where that cannot be played there.
    """

    seat: int
    offers: list[ValuedChoice]
    line: str
    lost: float
    says: str
    why: str = ""
    move: str = ""


def weighed_choices(decision: ReviewedDecision, names: Sequence[str], least: float) -> BestChoices:
    """The choices at a decision, with grades by a limit of `least` points."""
    told = explain_grade(decision, names, least)
    return BestChoices(
        seat=decision.seat,
        offers=[
            _weighed_choice(choice, place, decision, least)
            for place, choice in enumerate(decision.choices)
        ],
        line=describe_line(decision.line, names, BEST_LINE_MOVES) if decision.line else "",
        lost=decision.lost,
        says=told.says,
        why=told.why,
        move=_move_in_address(decision.best, decision.seat),
    )


def _move_in_address(choice: ReviewedChoice, seat: int) -> str:
    match choice.kind:
        case "play":
            return write_line([Play(seat=seat, card=choice.cards[0])])
        case "meld" if choice.cards:
            return write_line([Meld(seat=seat, meld=choice.meld, cards=choice.cards)])
        case "exchange" | "show":
            return write_line([Dix(seat=seat, action=choice.kind)])
        case _:
            return ""


def graded_loss(decision: ReviewedDecision, least: float) -> str:
    """The grade of a decision, and what it cost: `mistake −23 ± 6`."""
    lost = loss_words(abs(decision.lost), decision.error)
    return f"{name_grade(decision, least)} {'−' if decision.lost > 0 else '+'}{lost}"


def _weighed_choice(
    choice: ReviewedChoice, place: int, decision: ReviewedDecision, least: float
) -> ValuedChoice:
    is_best = place == 0
    return ValuedChoice(
        says=name_choice(choice),
        worth=value_words(choice),
        card=choice_faces(choice)[0] if choice.kind == "play" else None,
        best=is_best or choice.behind == 0,
        did=place == decision.chosen,
        grade="best" if is_best else GRADE_WORDS[grade_choice(choice, least)],
        chance=chance_of(choice),
    )
