"""What an annotation says, in words: the same on the page, in the terminal and in a readable text."""

from collections.abc import Iterator, Sequence

from analyzer.annotate.annotation import DealAnnotation
from analyzer.annotate.close_review import CloseDecision
from analyzer.annotate.last_stock_trick import LastStockDecision
from analyzer.annotate.missed.chance import MissedChance, PossibleScore
from analyzer.annotate.solver.moves import Move, ValuedMove
from records.cards import FACE_OF, card_sign
from records.phrases import join_words, name_card, name_meld

MOST_MOVES_TOLD = 99
"""No line is longer."""
RANKS_HIGH_TO_LOW = "ATKQJ98765432"
MELD_OUTCOME_WORDS = {
    "delayed": "melds late",
    "given_up": "gives up for something better",
    "lost": "never melds",
}


def describe_move(ply: Move) -> str:
    """What is done, as an object: `the queen of spades`, `a marriage K♠ Q♠ (40)`."""
    if ply.card is not None:
        return name_card(ply.card)
    if ply.shows is not None:
        return f"showing {name_card(ply.shows)} ({ply.points})"
    if ply.meld is None:
        return "no meld"
    return f"{name_meld(ply.meld)} ({ply.points})"


def describe_line(line: Sequence[Move], names: Sequence[str], most: int = MOST_MOVES_TOLD) -> str:
    """A line to the end of a deal as one reads it, trick by trick: `Ann A♠, Bob 10♠; Bob 9♥, Ann 7♥`.

    Of a longer one the first `most` things are told.
    """
    said = ""
    cards = sum([ply.card is not None for ply in line])
    for ply in line[:most]:
        said += ("; " if cards % 2 == 0 else ", ") if said else ""
        said += f"{names[ply.seat]} {_describe_briefly(ply)}"
        cards -= ply.card is not None
    return f"{said}; and so on" if len(line) > most else said


def is_worth_telling(choice: CloseDecision, least: int) -> bool:
    """Whether a choice cost so many points that it is to be told, or gained by what is not allowed."""
    return choice.lost >= least or choice.lost < 0


def describe_decision(choice: CloseDecision, names: Sequence[str]) -> str:
    """What a choice cost, and what would have been better."""
    who = names[choice.seat]
    if not choice.lawful:
        came = f"loses {choice.lost}" if choice.lost > 0 else f"gains {-choice.lost}"
        return f"{who} {came if choice.lost else 'gains nothing'} by what the rules do not allow."
    if choice.lost <= 0:
        return f"{who} loses nothing by {_describe_doing(choice.did)}."
    return f"{who} loses {choice.lost} by {_describe_doing(choice.did)}; {describe_better_moves(choice)}."


def best_moves(choice: CloseDecision) -> list[ValuedMove]:
    """What would have lost nothing."""
    return [way for way in choice.ways if way.value == choice.ways[0].value]


def describe_better_moves(choice: CloseDecision) -> str:
    """What would have lost nothing, in words."""
    best = best_moves(choice)
    did = next((way for way in choice.ways if way.ply == choice.did), None)
    named = join_words([describe_move(way.ply) for way in best[:3]], "or")
    beside = (
        ""
        if did is None
        else f" (worth {signed_points(best[0].value)}, not {signed_points(did.value)})"
    )
    return f"{named} was better{beside}"


def describe_last_stock_decision(brink: LastStockDecision, names: Sequence[str]) -> str:
    """What a choice in the last trick before the close cost on average."""
    best = [way for way in brink.ways if way.value == brink.ways[0].value]
    named = join_words(list(dict.fromkeys(name_card(FACE_OF[way.card]) for way in best)), "or")
    did, lost = name_card(brink.did), f"{brink.lost:g}"
    said = f"{lost} by playing {did}, where only one card could lie face down"
    if brink.cards > 1:
        over = f"over the {brink.cards} cards that might have lain face down"
        said = f"{lost} on average by playing {did}, {over}"
    return f"{names[brink.seat]} loses {said}; {named} was better.{_describe_melds_at_stake(brink, names)}"


def _describe_melds_at_stake(brink: LastStockDecision, names: Sequence[str]) -> str:
    """The meld that the better card could have brought, and the one it would have kept from the other."""
    best, did = brink.ways[0], next(way for way in brink.ways if way.card == brink.did)
    said = ""
    if best.meld and (did.meld is None or did.meld.points < best.meld.points):
        said = f" The trick could have brought a meld: {_worth(best.meld)}."
    if did.theirs and (best.theirs is None or best.theirs.points < did.theirs.points):
        said += f" It leaves {names[1 - brink.seat]} a meld: {_worth(did.theirs)}."
    return said


def _worth(could: PossibleScore) -> str:
    return f"{could.words} ({could.points})"


def describe_missed_chance(missed: MissedChance, names: Sequence[str]) -> str:
    """What was missed and what became of it, as a sentence."""
    who, could = names[missed.seat], missed.could
    match missed.what:
        case "brisque":
            return f"{who} lets {card_sign(FACE_OF[could.cards[0]])} go, which {_list(could.cards[1:])} could have taken."
        case "carte_blanche":
            return f"{who} does not show carte blanche, worth {could.points}."
        case "dix":
            return f"{who} {_dix_words(missed, could)}."
        case "meld":
            perhaps = "" if missed.certain else " perhaps"
            cards = " ".join(map(card_sign, sorted(could.cards, key=_rank)))
            what = f"{could.words} {cards} ({could.points})"
            return f"{who} {MELD_OUTCOME_WORDS[missed.became]}{perhaps}: {what}, possible {_when(missed)}."


def _dix_words(missed: MissedChance, could: PossibleScore) -> str:
    """What was not done with a dix, or late, and when it could have been."""
    shows = could.name == "show"
    if missed.became == "delayed":
        did, done = ("scores", "shown") if shows else ("exchanges", "exchanged")
        first = missed.tricks[0]
        return f"{did} the dix late: it could have been {done} {_when(missed, last=first)} already"
    if shows:
        return f"never shows the dix: that was possible {_when(missed)}"
    lay = f" for {card_sign(could.cards[0])}" if could.cards else ""
    scores = "" if could.points else ", though it scores"
    return f"never exchanges the dix{lay}{scores}: that was possible {_when(missed)}"


def _rank(card: str) -> int:
    return RANKS_HIGH_TO_LOW.index(card[0])


def _when(missed: MissedChance, *, last: int | None = None) -> str:
    first = missed.tricks[0]
    last = missed.tricks[1] if last is None else last
    if first == last:
        return f"after trick {first}" if first else "before the first trick"
    return f"from trick {first} to trick {last}"


def _list(cards: Sequence[str]) -> str:
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


def signed_points(points: float) -> str:
    """Points with their sign: `+40`, `−10`, `−2.5`, `0`."""
    if points == 0:
        return "0"
    return f"+{points:g}" if points > 0 else f"−{-points:g}"


def result_breakdown(deal: DealAnnotation, names: Sequence[str]) -> Iterator[str]:
    """How the result of a deal came about since the close."""
    close = deal.close
    if close is None:
        return
    if close.unsolved:
        yield (
            f"The first {close.unsolved} choices after the close left too much open to be searched; "
            f"the books open at event {close.event + 1}."
        )
    first, second = close.lost
    parts = [
        f"{signed_points(close.ahead)} until then",
        f"{signed_points(close.value)} with best play from there",
    ]
    parts += [f"−{points} lost by {name}" for points, name in [(first, names[0])] if points]
    parts += [f"+{points} lost by {name}" for points, name in [(second, names[1])] if points]
    parts += [f"{signed_points(close.apart)} for dixes and rulings"] if close.apart else []
    yield f"For {names[0]}: {', '.join(parts)}: {signed_points(close.result)}."
