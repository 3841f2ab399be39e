"""Checks of the unknown cards of a deal: enough cards must be left for those of which suit or rank is known."""

from records.cards import RANKS, SUITS, covers, describe_card, is_unknown
from records.engine.hidden_cards import may_all_be_in_pack
from records.engine.table import Table
from records.phrases import with_article
from records.validate.breach import Breach, make_breach


def check_unknown_cards(table: Table) -> list[Breach]:
    """Whether the pack has all that the deal tells of cards of which it does not tell everything."""
    if not any(table.hidden.given) or may_all_be_in_pack(table):
        return []
    for token in (*(f"{rank}?" for rank in RANKS), *(f"?{suit}" for suit in SUITS)):
        dealt, copies = _dealt_like(table, token), _copies_like(table, token)
        if dealt > copies:
            return [_too_many(token, dealt, copies)]
    return [make_breach("too-many-copies", clause="mixed")]


def _dealt_like(table: Table, token: str) -> int:
    """How many cards are dealt that surely are of this rank, or suit."""
    unknown = [card for given in table.hidden.given for card in given]
    if table.stock.turn_up is not None and is_unknown(table.stock.turn_up):
        unknown.append(table.stock.turn_up)
    seen = _copies_like(table, token) - sum(
        count for card, count in table.unseen.items() if covers(token, card)
    )
    return seen + sum(1 for card in unknown if "?" in card and covers(token, card))


def _copies_like(table: Table, token: str) -> int:
    """How many cards of this rank, or suit, the pack has."""
    return sum(count for card, count in table.rules.copies.items() if covers(token, card))


def _too_many(token: str, dealt: int, copies: int) -> Breach:
    return make_breach(
        "too-many-copies",
        clause="like",
        card=with_article(describe_card(token)),
        copies=copies,
        expected=f"at most {copies}",
        found=str(dealt),
    )
