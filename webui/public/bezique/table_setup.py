"""What a game begins with: a record without deals, and a deal of which every card is known."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, cast

from msgspec.structs import replace

from bezique.exchange import UnreadableRecord, parse
from records.engine.deal import lay_out_deal
from records.events import Draw
from records.record import Deal, Player, Provenance, Record, Rules
from records.replay import Match
from records.rules.registry import resolve_sheet
from records.rules.vocabulary import RuleOptionValue
from records.selfplay import SELFPLAY_NAMES


def begin_record(
    sheet_id: str, names: Sequence[str] | None, options: Mapping[str, RuleOptionValue]
) -> Record:
    """A record without deals; raises RulesError, and ValueError for players that the sheet or the format is not for."""
    sheet = resolve_sheet(sheet_id, None, dict(options)).sheet
    players = list(names or SELFPLAY_NAMES[: sheet.rules.players[0]])
    if len(players) not in sheet.rules.players:
        allowed = " or ".join(map(str, sheet.rules.players))
        raise ValueError(f"{sheet.name} is for {allowed} players, not {len(players)}.")
    record = Record(
        format="bezique-record",
        version="1.0",
        rules=Rules(id=sheet.id, edition=sheet.edition, options=dict(options)),
        players=[Player(name=name) for name in players],
        provenance=Provenance(made="played move by move", program="import bezique"),
    )
    try:
        parse(cast(Any, record))
    except UnreadableRecord as error:
        raise ValueError(f"No record can have these players. {error}") from None
    return record


def fill_stock(match: Match, deal: Deal, random: Random) -> Deal:
    """The deal before its first event, with every card of its stock in order.

    What the record draws comes in its order, the cards that nobody has seen shuffled behind it.
    """
    # Every card is known from here on, whatever the draws left to come look like.
    bare = replace(deal, events=[], claims=None, knowledge="full")
    if bare.stock is not None:
        return bare
    table = lay_out_deal(match.rules, replace(bare, events=deal.events), match.names)
    unseen = [card for card, left in table.unseen.items() for _ in range(left)]
    drawn = [event.card for event in deal.events if isinstance(event, Draw)][: table.stock.left]
    for card in drawn:
        if card in unseen:
            unseen.remove(card)
    random.shuffle(unseen)
    return replace(bare, stock=[*drawn, *unseen][: table.stock.left])
