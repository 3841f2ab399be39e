"""An annotation in numbers and sentences, for the pages, the terminal and the readable text alike."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from analyzer.review.annotator import Annotation, DealAnnotation
from analyzer.review.close_review import CloseDecision
from analyzer.review.last_stock_trick import LastStockDecision
from analyzer.review.missed import MissedChance, PossibleScore
from analyzer.solver.moves import Move, ValuedMove
from records.cards import FACE_OF, card_sign
from records.phrases import join_some, join_words, name_card, name_meld, signed_points

# The numbers: for each seat the points lost, the melds missed, and the mistakes.


class SeatSum(msgspec.Struct):
    """What one seat lost, in one deal or several.

    `lost` is the points lost after the close, in `choices` decisions of which `mistakes` were mistakes; all
    three are 0 where no close was reviewed (`closes` is 0). `melds` counts melds made, `melds_lost` those never
    made, `others_lost` dixes and cartes blanches never shown, `brisques` the aces and tens not taken.
    """

    closes: int = 0
    lost: int = 0
    choices: int = 0
    mistakes: int = 0
    melds: int = 0
    melds_lost: int = 0
    melds_lost_points: int = 0
    melds_delayed: int = 0
    melds_given_up: int = 0
    others_lost: int = 0
    brisques: int = 0


class Mistake(msgspec.Struct):
    """A mistake and the deal it was made in."""

    deal: int
    choice: CloseDecision


def seat_sums(notes: Annotation, deals: Iterable[DealAnnotation] | None = None) -> list[SeatSum]:
    """The sums of every seat, over the deals given, or over all."""
    sums = [SeatSum() for _ in notes.names]
    for deal in notes.deals if deals is None else deals:
        for seat, total in enumerate(sums):
            _add(total, deal, seat, notes.terms.least)
    return sums


def _add(total: SeatSum, deal: DealAnnotation, seat: int, least: int) -> None:
    """Add what a seat lost in one deal."""
    if deal.close is not None:
        own = [choice for choice in _decisions(deal) if choice.seat == seat]
        total.closes += 1
        total.lost += deal.close.lost[seat]
        total.choices += len(own)
        total.mistakes += sum(choice.lost >= least for choice in own)
    total.melds += sum(len(won.made) for won in deal.won if won.seat == seat)
    for missed in (each for each in deal.missed if each.seat == seat):
        lost = missed.became == "lost"
        match missed.what:
            case "meld" if lost:
                total.melds_lost += 1
                total.melds_lost_points += missed.could.points
            case "meld" if missed.became == "delayed":
                total.melds_delayed += 1
            case "meld":
                total.melds_given_up += 1
            case "brisque":
                total.brisques += 1
            case _:
                total.others_lost += lost


def _decisions(deal: DealAnnotation) -> list[CloseDecision]:
    """The decisions of a close: one move is none, even where another was made against the rules."""
    found = deal.close.decisions if deal.close is not None else []
    return [choice for choice in found if len(choice.ways) > 1]


def mistakes(notes: Annotation) -> list[Mistake]:
    """Every mistake, costliest first."""
    found = [
        Mistake(deal.deal, choice)
        for deal in notes.deals
        for choice in _decisions(deal)
        if choice.lost >= notes.terms.least
    ]
    return sorted(found, key=lambda mistake: -mistake.choice.lost)


# The sentences.

LONGEST_LINE = 99
"""More moves than any line has."""
MOST_BEST_NAMED = 4
"""Of more moves that are equally good, the last are counted."""
RANKS_HIGH_TO_LOW = "ATKQJ98765432"
MELD_OUTCOME_WORDS = {
    "delayed": "melds late",
    "given_up": "passes up for a better meld",
    "lost": "never melds",
}


def describe_move(ply: Move) -> str:
    """A move as the object of a sentence: `the queen of spades`, `a marriage (40)`."""
    if ply.card is not None:
        return name_card(ply.card)
    if ply.shows is not None:
        return f"showing {name_card(ply.shows)} ({ply.points})"
    if ply.meld is None:
        return "no meld"
    return f"{name_meld(ply.meld)} ({ply.points})"


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


def is_worth_telling(choice: CloseDecision, least: int) -> bool:
    """Whether a decision lost at least so many points, or the match, or gained some by breaking a rule."""
    return choice.lost >= least or choice.lost < 0 or choice.match is not None


def describe_decision(choice: CloseDecision, names: Sequence[str]) -> str:
    """What a decision cost, and what would have been better."""
    who = names[choice.seat]
    if not choice.lawful:
        effect = f"loses {choice.lost}" if choice.lost > 0 else f"gains {-choice.lost or 'nothing'}"
        return f"{who} {effect} by breaking a rule."
    if choice.lost <= 0:
        return f"{who} loses nothing by {_describe_doing(choice.did)}."
    loses = "loses" if choice.certain else "perhaps loses"
    cost = f"{who} {loses} {choice.lost} by {_describe_doing(choice.did)}; {describe_better_moves(choice)}."
    return f"{cost} {describe_match_lost(choice, names)}".rstrip()


def describe_match_lost(choice: CloseDecision, names: Sequence[str]) -> str:
    """How the match would have been won: `With the ace of hearts Emil wins the match 910 : 850, not 800 : 880.`

    Empty where it would not.
    """
    if choice.match is None:
        return ""
    seat = choice.seat
    best, played = (
        f"{scores[seat]:,} : {scores[1 - seat]:,}"
        for scores in (choice.match.best, choice.match.played)
    )
    with_best = describe_move(best_moves(choice)[0].ply)
    wins = "wins" if choice.certain else "perhaps wins"
    return f"With {with_best} {names[seat]} {wins} the match {best}; as it was played, the score was {played}."


def best_moves(choice: CloseDecision) -> list[ValuedMove]:
    """The moves that would have lost nothing."""
    return [way for way in choice.ways if way.value == choice.ways[0].value]


def describe_better_moves(choice: CloseDecision) -> str:
    """The moves that would have lost nothing, in words."""
    best = best_moves(choice)
    chosen = next((way for way in choice.ways if way.ply == choice.did), None)
    text = f"{_name_best([describe_move(way.ply) for way in best])} was better"
    if chosen is None:
        return text
    return f"{text} (worth {signed_points(best[0].value)}, not {signed_points(chosen.value)})"


def _name_best(moves: Sequence[str]) -> str:
    """The best moves, like ones once; of very many some are counted."""
    return join_some(list(dict.fromkeys(moves)), MOST_BEST_NAMED)


def describe_last_stock_decision(decision: LastStockDecision, names: Sequence[str]) -> str:
    """What a card played in the last trick before the close cost on average."""
    best = [way for way in decision.ways if way.value == decision.ways[0].value]
    better = _name_best([name_card(FACE_OF[way.card]) for way in best])
    chosen, lost = name_card(decision.did), f"{round(decision.lost, 1):g}"
    text = f"{lost} by playing {chosen}, with the last face-down card known"
    if decision.cards > 1:
        cases = f"over the {decision.cards} cards that could be the last face-down card"
        text = f"{lost} on average by playing {chosen}, {cases}"
    at_stake = _describe_melds_at_stake(decision, names)
    return f"{names[decision.seat]} loses {text}; {better} was better.{at_stake}"


def _describe_melds_at_stake(decision: LastStockDecision, names: Sequence[str]) -> str:
    """The meld that the better card could have brought, and the one that the card played allows the other seat."""
    best, chosen = decision.ways[0], next(way for way in decision.ways if way.card == decision.did)
    text = ""
    if best.meld and (chosen.meld is None or chosen.meld.points < best.meld.points):
        text = f" Winning the trick could have brought a meld: {_name_score(best.meld)}."
    if chosen.theirs and (best.theirs is None or best.theirs.points < chosen.theirs.points):
        text += f" {names[1 - decision.seat]} could then meld: {_name_score(chosen.theirs)}."
    return text


def _name_score(could: PossibleScore) -> str:
    return f"{could.words} ({could.points})"


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


def _describe_doing(ply: Move) -> str:
    if ply.card is not None:
        return f"playing {name_card(ply.card)}"
    if ply.shows is not None:
        return f"showing {name_card(ply.shows)}"
    return f"melding {describe_move(ply)}" if ply.meld else "melding nothing more"


def _describe_briefly(ply: Move) -> str:
    if ply.card is not None:
        return card_sign(ply.card)
    if ply.shows is not None:
        return f"shows {card_sign(ply.shows)}, {ply.points}"
    return f"melds {name_meld(ply.meld)}, {ply.points}" if ply.meld else "melds nothing more"


def result_breakdown(deal: DealAnnotation, names: Sequence[str]) -> Iterator[str]:
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


def describe_lead(points: int) -> str:
    """A lead in words: `40 ahead`, `40 behind`, `level`."""
    if points == 0:
        return "level"
    return f"{points} ahead" if points > 0 else f"{-points} behind"
