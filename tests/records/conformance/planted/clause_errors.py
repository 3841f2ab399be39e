"""Errors in single clauses: each is planted in this program at one place, and a case of the clause catches it."""

from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

from records import replay
from records.engine import deal, effects, melds, reuse
from records.rules.registry import ALL_SHEETS
from records.rules.vocabulary import ReuseRule, SheetRules
from records.validate import breach, check_deals, check_plays, check_scores
from tests.records.conformance.clause_cases import clauses
from tests.records.conformance.planted.planting import OwnChange, Planted


class Row(NamedTuple):
    """An error; the cases of which one is to catch it, in the sheets that have one; and the place of a module.

    Where the place is not that of every such sheet, `only` says of which.
    """

    name: str
    kind: str
    says: str
    cases: str
    module: ModuleType
    old: str
    new: str
    only: Callable[[SheetRules], bool] = lambda rules: True


def _augments(rules: SheetRules) -> bool:
    return rules.reuse.rule is ReuseRule.AUGMENT_OR_RESTORE


_CODES = "        and code in codes\n"
_SHOWN = "table.blanche_chains[other] = CHAIN_OVER\n"
_FIRST = "nothing_done(table.events[: table.index])"
_FIRST_OF = (
    "all(type(event).__name__ in ('Irregular', '{}') for event in table.events[: table.index])"
)
_EARLIER = "len([mark for _, mark in chosen if mark & bit]) != size"

_ROWS: list[tuple[Any, ...]] = [
    ("revoke-excuses-turn", "irregularities", "A revoke excuses a play out of turn.", "revoke-is-no-turn",
     breach, _CODES, '        and (code in codes or irregular.what == "revoke")\n'),
    ("other-excuses", "irregularities", "An irregularity of the other player excuses.", "excused-by-the-other",
     breach, 'irregular.seat == getattr(event, "seat", None)', "True"),
    ("excused-cards-unread", "irregularities", "The cards of an irregularity are not compared.", "excused-for-another-card",
     breach, "        and _names_a_card_of(irregular, event)\n", ""),
    ("excuses-later", "irregularities", "An irregularity excuses after another event.", "excused-too-late",
     breach, "elif not isinstance(later, Trick | Score):", "elif False:"),
    ("draws-not-excused", "irregularities", "A card exposed excuses no draw out of turn.",
     "trumps-of-an-excused-meld excused-and-scored",
     breach, _CODES, '        and code in codes and code != "draw-out-of-turn"\n'),
    ("excused-scores-nothing", "irregularities", "An excused meld scores nothing.", "trumps-of-an-excused-meld",
     breach, "bool(illegal) and not illegal <= excused_codes(table.events, table.index, breaches)", "bool(illegal)"),
    ("ruling-to-the-other", "irregularities", "Points ruled go to the other player.", "misdeal-and-ruling",
     effects, 'table.award(event.seat, "ruling", event.points)', 'table.award(1 - event.seat, "ruling", event.points)'),
    ("misdeal-passes-the-deal", "irregularities", "After a misdeal the other player deals.", "misdeal-and-ruling",
     replay, "if not table.misdealt:\n            match.next", "if True:\n            match.next"),
    ("any-dealer-after-a-misdeal", "irregularities", "Nobody asks who deals after a misdeal.", "dealer-after-a-misdeal",
     replay, "elif match.next_dealer is None:", "elif False:"),
    ("goes-on-after-a-misdeal", "irregularities", "Events after a misdeal pass.", "after-a-misdeal",
     replay, "    if index == len(events):\n        return\n", "    return\n"),
    ("withdrawal-keeps-points", "irregularities", "A withdrawn meld keeps its points, and is withdrawn otherwise.",
     "options-after-the-close", melds, "    if undo.points:\n", "    if False:\n"),
    ("withdrawal-keeps-trumps", "irregularities", "A withdrawn meld leaves the trumps that it made.",
     "trumps-of-a-sequence", melds, "    if table.trump != undo.trump:\n", "    if False:\n"),
    ("draw-shown-later", "carte blanche", "A chain goes on after a blank draw that was not shown.", "draw-not-shown",
     effects, _SHOWN, "table.blanche_chains[other] = CHAIN_SHOWN if table.tricks else CHAIN_OVER\n"),
    ("hand-shown-later", "carte blanche", "A chain begins with a draw though the hand was not shown.", "hand-not-shown",
     effects, _SHOWN, "table.blanche_chains[other] = CHAIN_OVER if table.tricks else CHAIN_SHOWN\n"),
    ("court-played-out", "carte blanche", "A chain goes on once the court card drawn has been played.", "court-played-again",
     effects, "CHAIN_OVER if courtly else CHAIN_OPEN", "CHAIN_SHOWN if courtly else CHAIN_OPEN"),
    ("tricks-before-unseen", "carte blanche", "Nobody asks whether a position shows an earlier trick.", "blank-after-a-trick",
     effects, " or _has_won_cards(setup)", ""),
    ("drawn-hand-as-dealt", "carte blanche", "After a trick a hand is still shown before the player's own first card.",
     "blank-after-a-trick-and-a-lead", effects, "CHAIN_DRAWN if later else CHAIN_OPEN", "CHAIN_OPEN"),
    ("brisques-at-any-time", "brisques", "Brisques that settle are claimed before the end of a deal told in part.",
     "brisques-before-the-end", check_scores, "table.step is TableStep.OVER and table.are_points_open", "table.are_points_open"),
    ("winner-of-what-goes-on", "match", "The winner of a match that is not over is compared with a settlement.",
     "outcome-of-what-is-not-over", check_scores, "if outcome.by_itself and result.settlement", "if not winners and result.settlement"),
    ("guess-of-24", "cut", "A right guess scores only if the packet has 24 cards.", "guess-of-another-packet",
     effects, "if event.guess == event.packet:", "if event.guess == event.packet == rule.packet:"),
    ("whole-pack-cut", "cut", "The packet may be the whole pack.", "whole-pack-lifted",
     check_plays, "if not 0 < event.packet < pack", "if not 0 < event.packet <= pack"),
    ("cut-after-showing", "cut", "A carte blanche may come before the cut.", "cut-after-carte-blanche",
     check_plays, _FIRST, _FIRST_OF.format("CarteBlanche")),
    ("cut-after-melding", "cut", "A meld may come before the cut.", "cut-after-a-meld",
     check_plays, _FIRST, _FIRST_OF.format("Meld")),
    ("trick-taken-twice", "taking tricks", "A trick may be claimed twice.", "trick-claimed-twice",
     check_scores, "if trick.winner == event.winner and not trick.winner_claimed:", "if trick.winner == event.winner:"),
    ("few-brisques", "brisques", "Too few brisques may be claimed.", "too-few-brisques",
     check_deals, "        if claimed < table.brisque_points(seat)\n", "        if False\n"),
    ("count-against-points", "brisques", "A number of brisques is not compared with its points, where they only settle.",
     "brisques-and-points", check_scores, "if worth == event.points:", "if True:"),
    ("count-alone-unread", "brisques", "A number of brisques without points is not compared.", "brisques-of-the-other",
     effects, 'if event.points is None and event.count is not None and event.what == "brisques":', "if False:"),
    ("brisques-of-both", "brisques", "The brisques claimed are compared with those of both players.", "brisques-of-the-other",
     check_scores, "rule.points * table.brisques[event.seat]", "rule.points * sum(table.brisques)"),
    ("nobody-unread", "match", "A winner of null is taken to say nothing.", "nobody-won",
     check_scores, "if result.winner is not msgspec.UNSET:", "if result.winner not in (msgspec.UNSET, None):"),
    ("abandoned-when-won", "match", "A match that was decided may be called abandoned.", "called-abandoned",
     check_scores, 'if (claimed == "complete") == outcome.complete:',
     'if claimed == "abandoned" or (claimed == "complete") == outcome.complete:'),
    ("left-by-itself", "reuse", "A card of the new meld may be the one that has left the earlier one.", "not-left-itself",
     reuse, "    for pair in chosen:\n        if pair[1]:\n            rest.remove(pair)\n", ""),
    ("new-cards-only", "reuse", "A double may have no card of a single, where the option is off.", "double-with-new-cards",
     reuse, "return not all([mark & bits.lower for _, mark in chosen])", "return False", lambda rules: not _augments(rules)),
    ("no-double-from-singles", "reuse", "No double may have a card of a single, where the option is off.", "double-with-new-cards",
     reuse, "bits.may_combine or not all(mark & past.family for _, mark in chosen)", "bits.may_combine", _augments),
    ("grows-from-a-part", "reuse", "A bezique may grow from a part of a smaller one.", "not-whole not-whole-broken",
     reuse, _EARLIER, "False"),
    ("restored-with-any", "reuse", "A broken meld is restored with cards that have scored.", "restored-with-scored-cards",
     reuse, "elif mark & past.family:", "elif False:"),
    ("restores-earlier-melds", "reuse", "A meld is restored though its card has scored in a later one of the class.", "earlier-meld-restored",
     deal, "superseded_bits(meld_rule, rules, table.melding.scored[seat]) if bit and meld_rule else 0", "0"),
    ("last-trick-to-the-leader", "bonuses", "The last trick scores for the player who led to it.", "options-after-the-close",
     effects, "winner = table.trick.winner or 0", "winner = table.trick.completed[0]"),
    ("labels-unread", "draw order", "Which copy lies in the stock is not compared.", "labels-of-the-stock",
     check_plays, "if is_card_on_top(event.card, top):", "if event.card[:2] == top[:2]:"),
    ("from-tells-nothing", "who melds", "From where a card is played does not tell its copies apart.", "from-tells-copies-apart",
     effects, "narrow_by_leaving(table, seat, card, count, where=event.source)", "narrow_by_leaving(table, seat, card, count, where=None)"),
]  # fmt: skip

CLAUSE_ERRORS: list[Planted] = [
    Planted(sheet.id, row.name, row.kind, row.says, OwnChange(row.module, row.old, row.new))
    for row in (Row(*values) for values in _ROWS)
    for sheet in ALL_SHEETS
    if row.only(sheet.rules) and {*row.cases.split()} & {one.name for one in clauses(sheet)}
]
