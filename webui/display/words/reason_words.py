"""Why a trick was taken, and what points were for, in the words of the rulebooks."""

from records.cards import FACE_OF, is_unknown
from records.engine.table import Table
from records.engine.table_parts.deal_state import Award
from records.event_words import SCORE_WORDS
from records.events import AnyEvent, CarteBlanche, Dix, Meld
from records.phrases import name_card, pluralize
from records.rules.english.vocabulary_phrases import BONUS_WORDS
from records.rules.vocabulary import RuleSheet, To
from webui.display.wording import meld_words

TRICK_VERBS = {To.WINNER: "winning", To.LOSER: "losing"}


def taken_sentence(table: Table) -> str:
    """Who takes the trick just completed, and why; empty where the record leaves that open."""
    completed, winner = table.trick.completed, table.trick.winner
    if completed is None or winner is None or table.trick.winner_open:
        return ""
    _, led, replier, reply = completed
    takes = f"{table.names[winner]} takes the trick"
    if is_unknown(led) or is_unknown(reply):
        return f"{takes}."
    reason = _reason(FACE_OF[led], FACE_OF[reply], table.trump, replied=winner == replier)
    return f"{takes}: {reason}."


def _reason(led: str, reply: str, trump: str | None, *, replied: bool) -> str:
    """Why the reply took the trick, or why the card led did."""
    if led == reply:
        return "of two like cards the first played wins"
    if led[1] == reply[1]:
        best, other = (reply, led) if replied else (led, reply)
        return f"{name_card(best)} is higher than {name_card(other)}"
    if replied or led[1] == trump:
        return f"{name_card(reply if replied else led)} is a trump"
    neither = "neither of the suit led nor a trump" if trump else "not of the suit led"
    return f"{name_card(reply)} is {neither}"


def award_words(award: Award) -> str:
    """What points are for, in short: `marriage`, `the last trick`."""
    return meld_words(award.name) if award.source == "meld" else SCORE_WORDS[award.source]


def award_reason(award: Award, event: AnyEvent | None, sheet: RuleSheet) -> str:
    """What points are for, in the words of the sheet: `losing the last trick before the close`, `5 brisques`.

    Empty where the event itself says it: a meld, a dix shown, carte blanche.
    """
    if isinstance(event, Meld | Dix | CarteBlanche):
        return ""
    for bonus in sheet.bonuses:
        if bonus.name == award.source:
            return f"{TRICK_VERBS[bonus.to]} {BONUS_WORDS[bonus.when]}"
    if award.source == "brisques":
        return pluralize(award.points // sheet.brisques.points, "brisque")
    return "the dix just played" if award.source == "dix" else award_words(award)


def gain_sentence(name: str, points: int, words: str) -> str:
    """Points and what they are for: `Ann scores 10 for winning the last trick.`"""
    return f"{name} {'scores' if points >= 0 else 'loses'} {abs(points)} for {words}."
