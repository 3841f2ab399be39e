"""Checks of carte blanche and of the cut and guess (laws C14, C16)."""

from records.engine.carte_blanche import may_show_carte_blanche
from records.engine.hidden_cards import ranks_surely_hidden
from records.engine.table import Table
from records.event_words import SCORE_WORDS
from records.events import CarteBlanche, Cut, Irregular
from records.phrases import list_cards, pluralize
from records.rules.english.vocabulary_phrases import first_play_words
from records.rules.vocabulary import CarteBlancheRule
from records.validate.breach import Breach, Breaches, breach_by


def check_carte_blanche(table: Table, event: CarteBlanche) -> Breaches | None:
    """Everything that can be wrong with a carte blanche."""
    rule, seat = table.rules.sheet.carte_blanche, event.seat
    if rule is None:
        return (breach_by(table, seat, "event-not-in-rules", clause="CarteBlanche"),)
    # After a trick that either may have taken, nobody knows who drew which card of a stock in order.
    drawn_by_either = table.trick.winner_open and table.stock.order is not None
    breaches = [] if drawn_by_either else _cannot_be_shown(table, seat, rule)
    if event.points is not None and event.points != rule.points:
        breaches.append(_wrong_points(table, seat, event.points, rule.points))
    return tuple(breaches) or None


def _cannot_be_shown(table: Table, seat: int, rule: CarteBlancheRule) -> list[Breach]:
    courts = sorted(card for card in table.held[seat] if card[0] in rule.courts)
    courts += ranks_surely_hidden(table, seat, rule.courts)
    if courts:
        return [_court_cards(table, seat, list_cards(courts))]
    if may_show_carte_blanche(table, seat):
        return []
    return [breach_by(table, seat, "carte-blanche-too-late", limit=first_play_words(rule))]


def check_cut(table: Table, event: Cut) -> Breaches | None:
    """Everything that can be wrong with the cut."""
    seat = event.seat
    if table.rules.sheet.cut is None:
        return (breach_by(table, seat, "event-not-in-rules", clause="Cut"),)
    if seat != table.dealer or not _is_first(table):
        expected = f"seat {table.dealer}, first of all"
        return (
            breach_by(table, seat, "cut-out-of-place", expected=expected, found=f"seat {seat}"),
        )
    pack = table.rules.pack_size
    if not 0 < event.packet < pack or (event.guess is not None and event.guess < 0):
        return (_impossible_cut(table, event, pack),)
    return None


def _is_first(table: Table) -> bool:
    return all(isinstance(event, Irregular) for event in table.events[: table.index])


def _court_cards(table: Table, seat: int, courts: str) -> Breach:
    expected = "no king, queen or jack"
    return breach_by(table, seat, "not-blank", cards=courts, expected=expected, found=courts)


def _impossible_cut(table: Table, event: Cut, pack: int) -> Breach:
    return breach_by(
        table,
        event.seat,
        "impossible-cut",
        cards=pluralize(event.packet, "card"),
        pack=pack,
        expected=f"1 to {pack - 1}",
        found=str(event.packet),
        pointer="/packet",
    )


def _wrong_points(table: Table, seat: int, claimed: int, computed: int) -> Breach:
    return breach_by(
        table,
        seat,
        "wrong-score-points",
        points=pluralize(claimed, "point"),
        score=SCORE_WORDS["carte_blanche"],
        expected=str(computed),
        found=str(claimed),
        pointer="/points",
    )
