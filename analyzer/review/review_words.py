"""The sentences of a review, for the pages, the terminal and the readable text alike."""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import hypot
from typing import NamedTuple

from msgspec.structs import replace

from analyzer.review.choice_worlds import ChoiceComparison, Reason
from analyzer.review.deep_review import (
    ERRORS_TO_TELL,
    GameReview,
    Grade,
    Phase,
    ReviewedChoice,
    ReviewedDeal,
    ReviewedDecision,
    grade_decision,
    is_surely_behind,
    near_best,
)
from analyzer.review.missed import MissedChance, PossibleScore
from analyzer.solver.moves import Move
from records.cards import FACE_OF, card_sign
from records.phrases import (
    join_some,
    join_words,
    list_cards,
    name_card,
    name_meld,
    signed_points,
    signed_tenths,
)

# The chance of winning the match in words.

PERCENT = "\u00a0%"
LEAST_PERCENT_IN_WHOLE = 0.95
"""Chances with a smaller standard error are told to a tenth of a percent."""
LEAST_ERROR_WRITTEN = 0.05
MOST_APART = 0.012
"""Two chances are told with their difference where that is so near to what they differ by."""
ALMOST_DECIDED = 0.03
"""A match is almost lost with so low a chance, and almost won if the other has it."""


def describe_chance(chance: float, error: float, *, in_tenths: bool = False) -> str:
    """A chance in percent with its standard error: `62 ± 2 %`, `61.6 ± 0.4 %`, and `100 %` where the match is decided.

    It is told to a tenth of a percent where its error is small, or if `in_tenths`.
    """
    percent, error = 100 * chance, 100 * error
    if not error:
        return f"{percent:.0f}{PERCENT}" if percent == round(percent) else f"{percent:.1f}{PERCENT}"
    if error >= LEAST_PERCENT_IN_WHOLE and not in_tenths:
        return f"{percent:.0f} ±\u00a0{error:.0f}{PERCENT}"
    return f"{percent:.1f} ±\u00a0{max(error, 2 * LEAST_ERROR_WRITTEN):.1f}{PERCENT}"


def chance_of(choice: ReviewedChoice) -> str:
    """The chance after a choice; empty where it is not known."""
    return "" if choice.chance is None else describe_chance(choice.chance, choice.chance_error)


def describe_chance_lost(decision: ReviewedDecision) -> str:
    """What a decision changed in the chance of winning the match, in a sentence; empty where that is not known."""
    best, made = decision.best, decision.made
    if best.chance is None or made.chance is None or best is made:
        return ""
    sure = best.chance_error == made.chance_error == 0
    if sure and best.chance == made.chance in (0.0, 1.0):
        return f"The match is {'won' if best.chance else 'lost'} either way."
    by = made.chance_behind
    if abs(by) < ERRORS_TO_TELL * made.chance_behind_error or not by:
        for decided, chances in (
            ("lost", (best.chance, made.chance)),
            ("won", (1 - best.chance, 1 - made.chance)),
        ):
            if max(chances) <= ALMOST_DECIDED:
                return f"The match is almost {decided} either way."
        return (
            f"The chance of winning the match is {chance_of(made)}, and {chance_of(best)} with the better choice: "
            "a difference too small to be sure of."
        )
    # Told to the same digit, the two chances differ by what is told of their difference.
    in_tenths = made.chance_behind_error < LEAST_PERCENT_IN_WHOLE / 100
    was, became = (
        describe_chance(chance, error, in_tenths=in_tenths)
        for chance, error in ((best.chance, best.chance_error), (made.chance, made.chance_error))
    )
    verb = "This lowers" if by > 0 else "Yet it raises"
    return f"{verb} the chance of winning the match {_describe_change(best.chance - made.chance, made)}from {was} to {became}."


def _describe_change(apart: float, made: ReviewedChoice) -> str:
    """By how many percentage points a chance changed: empty where two means are not so far `apart`.

    They hold the worlds by which the best was chosen, too, and the change does not.
    """
    if abs(apart - made.chance_behind) > MOST_APART:
        return ""
    change = describe_chance(abs(made.chance_behind), made.chance_behind_error).removesuffix(
        PERCENT
    )
    return f"by {change} percentage {'point' if change == '1' else 'points'}, "


GRADE_WORDS: Mapping[Grade, str] = {
    "only": "only choice",
    "best": "best",
    "good": "good",
    "inaccuracy": "inaccuracy",
    "mistake": "mistake",
    "blunder": "blunder",
    "too_close": "too close to tell",
    "style": "matter of style",
}
BONUS_WORDS = {
    "last_trick": "scores the last trick",
    "last_stock_trick": "scores the last trick before the close",
    "all_closed_tricks": "scores all tricks after the close",
}
PHASE_WORDS: Mapping[Phase, str] = {
    "stock": "while the stock lasts",
    "last_trick": "in the last trick before the close",
    "close": "after the close",
}
MOSTLY_OFTEN = 0.5
"""How often it comes is told in worlds if that accounts for so much of the difference, or else as a mean."""


def name_grade(decision: ReviewedDecision, least: float) -> str:
    """How good a decision was, in words: its grade, that it lost the match, or that it broke a rule."""
    if not decision.lawful:
        return "against the rules"
    return "match lost" if decision.match else GRADE_WORDS[grade_decision(decision, least)]


# What a decision cost, in sentences: one way for what is exact, one for what worlds tell.


class ExplainedLoss(NamedTuple):
    """What a decision cost, in a sentence that says how sure that is, and `why`, as far as there is more to say."""

    says: str
    why: str


FEWEST_POINTS_TO_ROUND = 1.0
"""Values with a smaller standard error are told to one decimal, others in whole points."""


def points_with_error(points: float, error: float) -> str:
    """Points with their sign and standard error: `+12 ± 4`, `−2.5 ± 0.4`, and `+40` where they are exact.

    The error stays on the line of its sign.
    """
    if not error:
        return signed_points(round(points, 1))
    if error < FEWEST_POINTS_TO_ROUND:
        return f"{signed_tenths(points)} ±\u00a0{error:.1f}"
    whole = f"{round(points):+,}".replace("-", "−") if round(points) else "0"
    return f"{whole} ±\u00a0{error:,.0f}"


def loss_words(points: float, error: float) -> str:
    """Points that were lost, with their standard error and unit: `23 ± 6 points`, `1 point`."""
    lost = points_with_error(points, error).removeprefix("+")
    return f"{lost} {'point' if lost == '1' else 'points'}"


def certainty_words(decision: ReviewedDecision) -> str:
    """How sure the values of a decision are: `certainly` after the close, exact `on average` in the trick before it."""
    if not decision.certain:
        return "probably"
    return "certainly" if decision.phase == "close" else "on average"


def describe_loss(decision: ReviewedDecision, names: Sequence[str]) -> str:
    """What a decision cost, what was better, and what that means for the match, in sentences."""
    return " ".join(filter(None, explain_loss(decision, names)))


def explain_loss(decision: ReviewedDecision, names: Sequence[str]) -> ExplainedLoss:
    """What a decision cost, and what was better."""
    if not decision.lawful:
        return ExplainedLoss(_describe_broken_rule(decision, names), "")
    if not decision.certain:
        return _explain_estimate(decision, names)
    if decision.phase == "last_trick":
        return ExplainedLoss(_describe_last_trick(decision, names), describe_chance_lost(decision))
    of_match = describe_match_lost(decision, names) or describe_chance_lost(decision)
    return ExplainedLoss(_describe_close(decision, names), of_match)


def _describe_broken_rule(decision: ReviewedDecision, names: Sequence[str]) -> str:
    lost = round(decision.lost)
    effect = f"loses {lost}" if lost > 0 else f"gains {-lost or 'nothing'}"
    return f"{names[decision.seat]} {effect} by breaking a rule."


def _explain_estimate(decision: ReviewedDecision, names: Sequence[str]) -> ExplainedLoss:
    """Of a decision before the close, what its worlds tell."""
    chosen = decision.made
    lost = loss_words(decision.lost, decision.error)
    who, did, better = names[decision.seat], describe_choice(chosen), describe_better(decision)
    if not is_surely_behind(chosen):
        return ExplainedLoss(f"{who} may lose {lost} by {did}; {better} may be better.", "")
    loses = _describe_two_losses(chosen, did) or f"{lost} by {did}"
    says = f"{who} probably loses {loses}; {better} was probably better."
    return ExplainedLoss(says, f"{decision.why} {describe_chance_lost(decision)}".strip())


def _describe_two_losses(choice: ReviewedChoice, did: str) -> str:
    """What a choice loses by who goes on, where the two losses are far apart; else empty.

    The error of the smaller loss would then say how far apart they are, and not how sure either is: each may be sure where
    the two together seem to be no loss to believe.
    """
    losses = [
        (choice.behind_base, choice.behind_base_error, "base players"),
        (choice.behind_simple, choice.behind_simple_error, "simple players"),
    ]
    (least, error, who), (most, other_error, other) = sorted(losses)
    seems_none = least <= ERRORS_TO_TELL * choice.behind_error
    are_apart = most - least > ERRORS_TO_TELL * hypot(error, other_error)
    if least <= 0 or not (seems_none or are_apart):
        return ""
    more = loss_words(most, other_error).removesuffix(" points")
    return f"{loss_words(least, error)} by {did} if {who} go on, and {more} if {other} do"


def _describe_close(decision: ReviewedDecision, names: Sequence[str]) -> str:
    """What a decision after the close cost: all of it is certain, but for which of like cards have scored."""
    best, made = decision.best, decision.made
    who, did = names[decision.seat], describe_choice(made)
    if decision.lost <= 0:
        return f"{who} loses nothing by {did}."
    perhaps = "perhaps " if decision.doubtful else ""
    ends = f"with best play {who} then ends the deal {describe_lead(best.value)} instead of {describe_lead(made.value)}"
    return f"{who} {perhaps}loses {loss_words(decision.lost, 0)} by {did}; {_name_best(decision)} was {perhaps}better: {ends}.{_describe_melds_lost(decision, names)}"


def _describe_melds_lost(decision: ReviewedDecision, names: Sequence[str]) -> str:
    """The melds that make the difference after the close, as far as they do."""
    own, others, text = decision.best.may_meld, decision.made.may_allow, ""
    if own and own.name != decision.best.meld:
        text = f" {names[decision.seat]} could then still have melded: {_name_score(own)}."
    if others:
        text += f" As it was played, {names[1 - decision.seat]} can meld: {_name_score(others)}."
    return text


MOST_BEST_NAMED = 4
"""Of more choices that are equally good, the last are counted."""


def _name_best(decision: ReviewedDecision) -> str:
    """What would have lost nothing, as the subject of a sentence: like choices once, and of very many some are counted."""
    best = [choice for choice in decision.choices if choice.behind == 0]
    if all(choice.kind == "play" for choice in best):
        cards = [name_card(FACE_OF[choice.cards[0]]) for choice in best]
        return f"playing {join_some(list(dict.fromkeys(cards)), MOST_BEST_NAMED)}"
    return join_some(list(dict.fromkeys(map(describe_choice, best))), MOST_BEST_NAMED)


def describe_match_lost(decision: ReviewedDecision, names: Sequence[str]) -> str:
    """How the match would have been won: `With the ace of hearts Emil wins the match 910 : 850, not 800 : 880.`

    Empty where it would not.
    """
    if decision.match is None:
        return ""
    seat = decision.seat
    best, played = (
        f"{scores[seat]:,} : {scores[1 - seat]:,}"
        for scores in (decision.match.best, decision.match.played)
    )
    wins = "perhaps wins" if decision.doubtful else "wins"
    with_best = _with_choice(decision.best)
    return f"{with_best} {names[seat]} {wins} the match {best}; as it was played, the score was {played}."


def _describe_last_trick(decision: ReviewedDecision, names: Sequence[str]) -> str:
    """What a card played in the last trick before the close cost on average."""
    cards = decision.best.worlds
    cases = "with the last face-down card known"
    if cards > 1:
        cases = f"over the {cards} cards that could be the last face-down card"
    lost = loss_words(decision.lost, 0)
    did = describe_choice(decision.made)
    mean = " on average" if cards > 1 else ""
    return (
        f"{names[decision.seat]} loses {lost}{mean} by {did}, {cases}; {_name_best(decision)} was better."
        f"{_describe_melds_at_stake(decision, names)}"
    )


def _describe_melds_at_stake(decision: ReviewedDecision, names: Sequence[str]) -> str:
    """The meld that the better card could have brought, and the one that the card played allows the other seat."""
    best, made = decision.best, decision.made
    text = ""
    if best.may_meld and (made.may_meld is None or made.may_meld.points < best.may_meld.points):
        text = f" Winning the trick could have brought a meld: {_name_score(best.may_meld)}."
    allows = made.may_allow
    if allows and (best.may_allow is None or best.may_allow.points < allows.points):
        text += f" {names[1 - decision.seat]} could then meld: {_name_score(allows)}."
    return text


def _name_score(could: PossibleScore) -> str:
    return f"{could.words} ({could.points})"


def explain_grade(decision: ReviewedDecision, names: Sequence[str], least: float) -> ExplainedLoss:
    """What was done at a decision, by its grade."""
    match grade_decision(decision, least) if decision.lawful else "blunder":
        case "only":
            return ExplainedLoss("Nothing else was allowed.", "")
        case "best":
            if decision.certain:
                return ExplainedLoss("This was the best choice.", "")
            return ExplainedLoss("This was the best choice, as far as the possible deals tell.", "")
        case "style":
            return ExplainedLoss(f"A matter of style: {describe_style(decision)}.", "")
        case "too_close":
            lost = loss_words(decision.lost, decision.error)
            better = describe_better(decision)
            return ExplainedLoss(f"Too close to tell: {better} may be better by {lost}.", "")
        case _:
            return explain_loss(decision, names)


def describe_style(decision: ReviewedDecision) -> str:
    """Who would have to go on for another choice to be better: of a decision that is a matter of style."""
    made = decision.made
    base = describe_mean(made.behind_base, made.behind_base_error)
    simple = describe_mean(made.behind_simple, made.behind_simple_error)
    better = describe_choice(decision.best)
    if made.behind_base > made.behind_simple:
        return f"{better} is {base} points better if base players go on, but only {simple} if simple players do"
    return f"it is {simple} points behind the best if simple players go on, but only {base} if base players do"


def describe_choice(choice: ReviewedChoice) -> str:
    """A choice as the subject of a sentence: `playing the ten of hearts`, `melding four aces`, `holding back`."""
    cards = [FACE_OF.get(card, card) for card in choice.cards]
    match choice.kind:
        case "play":
            return f"playing {name_card(cards[0])}"
        case "meld":
            return f"melding {_name_meld_of(choice)}"
        case "exchange":
            return f"exchanging {name_card(cards[0])}"
        case "show":
            return f"showing {name_card(cards[0])}"
        case "hold_back":
            return "melding nothing"


def _name_meld_of(choice: ReviewedChoice) -> str:
    """A meld with its cards, where they tell which it is: `four aces (A♠ A♥ A♦ A♦)`."""
    cards = [FACE_OF.get(card, card) for card in choice.cards]
    return f"{name_meld(choice.meld)}{f' ({list_cards(cards)})' if cards else ''}"


MOST_NAMED = 3
"""So many choices that are as good as the best are named at most."""


def describe_better(decision: ReviewedDecision) -> str:
    """The best choices as the subject of a sentence: `playing the ten of spades, the nine of diamonds or the nine of clubs`.

    A choice of the same faces as what was made is told from it.
    """
    made = describe_choice(decision.made)
    best, *others = near_best(decision)[:MOST_NAMED]
    words = describe_choice(best)
    if words == made:
        return f"{words} with other copies"
    if best.kind == "play":
        cards = [
            name_card(FACE_OF.get(each.cards[0], each.cards[0]))
            for each in others
            if each.kind == "play"
        ]
        return join_words([words, *cards], "or")
    return words


def describe_mean(points: float, error: float) -> str:
    """A mean with its standard error, to whole points where the error is one or more: `34 ± 5`, `12.5 ± 0.4`, `20`."""
    if error < LEAST_ERROR_WRITTEN:
        return f"{points:g}".replace("-", "−")
    digits = 0 if error >= 1 else 1
    return f"{points:.{digits}f} ± {error:.{digits}f}".replace("-", "−")


def describe_why(
    decision: ReviewedDecision, comparison: ChoiceComparison, names: Sequence[str]
) -> str:
    """What the worlds show of the best choice beside the one made: what comes of both, or else their means."""
    best, made = decision.best, decision.made
    means = _with_choice(best)
    if comparison.reasons:
        first, *more = [_describe_reason(reason, names) for reason in comparison.reasons]
        return " ".join([f"{means} {first}.", *(f"Also, {each}." for each in more)])
    who = names[decision.seat]
    ends = (
        f"{who} ends {_describe_mean_lead(best)}, on average over {made.worlds} possible deals, "
        f"instead of {_describe_mean_lead(made)}"
    )
    # The loss that is told is the smaller one, and these are the values of base players.
    is_told_otherwise = made.behind_simple < made.behind_base
    return f"{means} {ends}{', if base players go on' if is_told_otherwise else ''}."


def _with_choice(choice: ReviewedChoice) -> str:
    """What goes before what comes of a choice: `With the 10 of clubs`, `After four aces`."""
    cards = [FACE_OF.get(card, card) for card in choice.cards]
    match choice.kind:
        case "play":
            return f"With {name_card(cards[0])}"
        case "meld":
            return f"After {_name_meld_of(choice)}"
        case "exchange":
            return "After the exchange"
        case "show":
            return f"After showing {name_card(cards[0])}"
        case "hold_back":
            return "Without a meld now"


BEHIND_NAMES = "can|could|ends|gains|loses|makes|may|perhaps|probably|scores|takes|then|wins"
"""What stands behind the name of a player in the sentences of a review: no card and no meld is named before these."""


def call_players(review: GameReview, names: Sequence[str]) -> GameReview:
    """A review with other names for its players, by seat, also in the sentences that it keeps."""
    called = dict(zip(review.names, names, strict=True))
    written = "|".join(map(re.escape, sorted(called, key=len, reverse=True)))
    in_sentences = re.compile(rf"(?<!\w)(?:{written})(?= (?:{BEHIND_NAMES})\b)")

    def call(decisions: list[ReviewedDecision]) -> list[ReviewedDecision]:
        return [
            replace(each, why=in_sentences.sub(lambda found: called[found[0]], each.why))
            for each in decisions
        ]

    deals = [
        replace(deal, decisions=call(deal.decisions), broken=call(deal.broken))
        for deal in review.deals
    ]
    return replace(review, names=[*names], deals=deals)


def _describe_mean_lead(choice: ReviewedChoice) -> str:
    """The mean lead after a choice: `34 ± 5 points ahead`, `12 ± 4 points behind`."""
    side = "behind" if choice.value < 0 else "ahead"
    return f"{describe_mean(abs(choice.value), choice.error)} points {side}"


def _describe_reason(reason: Reason, names: Sequence[str]) -> str:
    """What one source brings after the better choice, and after the other: `Bob makes four aces (100) in all 100 worlds instead of 8`."""
    source, worlds = reason.source, reason.worlds
    who = names[source.seat]
    if source.name == "brisques":
        return (
            f"{who} takes {reason.times:.1f} brisques instead of {reason.times_else:.1f}, "
            f"on average over {worlds} possible deals"
        )
    does = BONUS_WORDS.get(source.name) or f"makes {name_meld(source.name)} ({source.worth})"
    by_often = (reason.often - reason.often_else) / worlds
    if abs(by_often) >= MOSTLY_OFTEN * abs(reason.times - reason.times_else):
        return f"{who} {does} in {_count_worlds(reason.often, worlds)} instead of {_count(reason.often_else, worlds)}"
    return (
        f"{who} {does} {reason.times:.1f} times instead of {reason.times_else:.1f}, "
        f"on average over {worlds} possible deals"
    )


def _count_worlds(often: int, worlds: int) -> str:
    """So many of the worlds: `all 100 worlds`, `71 of 100 worlds`, `none of 100 worlds`."""
    number = (
        f"{_count(often, worlds)} {worlds}"
        if often == worlds
        else f"{_count(often, worlds)} of {worlds}"
    )
    return f"{number} possible deals"


def _count(often: int, worlds: int) -> str:
    return {0: "none", worlds: "all"}.get(often, str(often))


# Moves and lines after the close.

LONGEST_LINE = 99
"""More moves than any line has."""
RANKS_HIGH_TO_LOW = "ATKQJ98765432"
MELD_OUTCOME_WORDS = {
    "delayed": "melds late",
    "given_up": "passes up for a better meld",
    "lost": "never melds",
}


def describe_line(line: Sequence[Move], names: Sequence[str], most: int = LONGEST_LINE) -> str:
    """A line to the end of a deal, trick by trick: `Ann A♠, Bob 10♠; Bob 9♥, Ann 7♥`.

    After `most` moves it breaks off.
    """
    text = ""
    # Count from the end: a line may begin with a reply, but it ends with a complete trick.
    cards_left = sum([ply.card is not None for ply in line])
    for ply in line[:most]:
        text += ("; " if cards_left % 2 == 0 else ", ") if text else ""
        text += f"{names[ply.seat]} {_describe_briefly(ply)}"
        cards_left -= ply.card is not None
    return f"{text}; and so on" if len(line) > most else text


def _describe_briefly(ply: Move) -> str:
    if ply.card is not None:
        return card_sign(ply.card)
    if ply.shows is not None:
        return f"shows {card_sign(ply.shows)}, {ply.points}"
    return f"melds {name_meld(ply.meld)}, {ply.points}" if ply.meld else "melds nothing more"


# What was missed.


def describe_missed_chance(missed: MissedChance, names: Sequence[str]) -> str:
    """What was missed and what became of it, as a sentence."""
    who, could = names[missed.seat], missed.could
    match missed.what:
        case "brisque":
            brisque, takers = card_sign(FACE_OF[could.cards[0]]), _list_signs(could.cards[1:])
            return f"{who} does not take {brisque}, which {takers} could have taken."
        case "carte_blanche":
            return f"{who} does not show carte blanche, worth {could.points}."
        case "dix":
            return f"{who} {_dix_words(missed, could)}."
        case "meld":
            possible = "possible" if missed.certain else "perhaps possible"
            cards = " ".join(map(card_sign, sorted(could.cards, key=_rank_order)))
            meld = f"{could.words} {cards} ({could.points})"
            less = f", and scores {missed.lost} less" if missed.lost else ""
            return f"{who} {MELD_OUTCOME_WORDS[missed.became]}: {meld}, {possible} {_when(missed)}{less}."


def _dix_words(missed: MissedChance, could: PossibleScore) -> str:
    """What a player did not do with a dix, or did late, and when it was possible."""
    shows = could.name == "show"
    if missed.became == "delayed":
        did, done = ("scores", "shown") if shows else ("exchanges", "exchanged")
        first = missed.tricks[0]
        return f"{did} the dix late: it could have been {done} {_when(missed, last=first)}"
    if shows:
        return f"never shows the dix, possible {_when(missed)}"
    turn_up = f" for {card_sign(could.cards[0])}" if could.cards else ""
    scores = "" if could.points else " (no points lost)"
    return f"never exchanges the dix{turn_up}{scores}, possible {_when(missed)}"


def _rank_order(card: str) -> int:
    return RANKS_HIGH_TO_LOW.index(card[0])


def _when(missed: MissedChance, *, last: int | None = None) -> str:
    """When a chance was open: after one trick, or after several in a row."""
    first = missed.tricks[0]
    last = missed.tricks[1] if last is None else last
    if first == last:
        return f"after trick {first}" if first else "before the first trick"
    return f"after tricks {first} to {last}" if first else f"from the start to trick {last}"


def _list_signs(cards: Sequence[str]) -> str:
    return join_words(list(dict.fromkeys(card_sign(FACE_OF[card]) for card in cards)), "or")


# How a deal went from the close to its end.


def result_breakdown(deal: ReviewedDeal, names: Sequence[str]) -> Iterator[str]:
    """How a deal went from the close to its result, in sentences whose numbers add up."""
    close = deal.close
    if close is None:
        return
    start, first = "the close", names[0]
    if close.unsolved:
        start = f"event {close.event + 1}"
        decisions = "decision" if close.unsolved == 1 else f"{close.unsolved} decisions"
        yield f"The first {decisions} after the close could not be solved; this review begins at {start}."
    before = f"{first} was {describe_lead(close.ahead)} at {start}"
    if close.value:
        best = describe_lead(close.ahead + close.value)
        yield f"{before} and would have ended {best} with best play by both."
    else:
        yield f"{before}; best play would have kept it there."
    changes = [
        f"{name} {'lost' if lost > 0 else 'gained'} {abs(lost)}"
        for name, lost in zip(names, close.lost, strict=True)
        if lost
    ]
    changes += [f"dixes and rulings came to {signed_points(close.apart)}"] if close.apart else []
    since = (
        f"Since then {join_words(changes)}: " if changes else "Neither lost a point since then: "
    )
    yield f"{since}{first} ended {describe_lead(close.result)}."


def describe_lead(points: float) -> str:
    """A lead in words: `40 ahead`, `40 behind`, `level`."""
    if points == 0:
        return "level"
    return f"{points:g} ahead" if points > 0 else f"{-points:g} behind"
