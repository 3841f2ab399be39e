"""What a game begins with: a record without deals, and a deal of which every card is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from random import Random
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from bezique.arguments import (
    META_EXAMPLE,
    require_list,
    require_members,
    require_path,
    require_sides,
)
from bezique.exchange import UnreadableRecord, parse
from bezique.record_types import Rules
from records.engine.deal import lay_out_deal
from records.errors import RulesError
from records.events import Draw
from records.record import Deal, Player, Provenance, Record
from records.record import Rules as RulesOfRecord
from records.replay import Match
from records.rules.inner_sheet import inner_data
from records.rules.own_sheet import read_own_sheet, read_sheet_at
from records.rules.registry import (
    ResolvedSheet,
    require_own_id,
    resolve_rules,
    unknown_rulebook,
)
from records.rules.vocabulary import RuleOptionValue
from records.selfplay import SELFPLAY_NAMES
from records.validate.check_players import check_sides


def rulebook(source: Rules | Mapping[str, Any] | str | PathLike[str]) -> Rules:
    """A rulebook of one's own, to play and to write records by: that of a file, or of the values of its JSON.

    The file is JSON or TOML, whole or as `base` and `changes`; `bezique rules check` says the same of it. Raises SheetError
    with every mistake, and OSError.
    """
    if isinstance(source, RulesOfRecord):
        return cast(Rules, source)
    if isinstance(source, Mapping):
        try:
            data = msgspec.json.encode(source)
        except TypeError as error:
            raise ValueError(
                f"`source` has something that JSON has no word for: {error}."
            ) from None
        sheet = read_own_sheet(data)
        require_own_id(sheet)
    else:
        require_path("source", source)
        sheet = read_sheet_at(Path(cast("str | PathLike[str]", source)))
    rules = RulesOfRecord(id=sheet.id, edition=sheet.edition, sheet=inner_data(sheet))
    return cast(Any, rules)


def resolved_rules(rules: RulesOfRecord) -> ResolvedSheet:
    """The rulebook of a game with its options; raises RulesError, which says how to name one of one's own."""
    try:
        return resolve_rules(rules)
    except RulesError as error:
        if error.code != "unknown-sheet":
            raise
        name = error.found
        advice = "`bezique.SheetId` names all; one of your own is bezique.rulebook(PATH)."
        found = unknown_rulebook(name, advice)
        if "." in name or "/" in name:
            words = f"{name!r} is a file and no rulebook: write bezique.rulebook({name!r}) in its place."
            found = RulesError(found.code, pointer="", found=name, words=words)
        raise found from None


def begin_record(
    source: str | RulesOfRecord,
    names: Sequence[str] | None,
    options: Mapping[str, RuleOptionValue] | None,
    sides: Sequence[Sequence[int]] | None,
    meta: Mapping[str, Any] | None,
) -> Record:
    """A record without deals; raises RulesError, and ValueError for players that the sheet or the format is not for."""
    require_members("options", options, '{"hand_size": 9}')
    require_members("meta", meta, META_EXAMPLE)
    rules = RulesOfRecord(id=source) if isinstance(source, str) else source
    rules = replace(rules, options={**rules.options, **(options or {})})
    sheet = resolved_rules(rules).sheet
    if names is not None:
        require_list("names", names, "a name for each player")
    if sides is not None:
        require_sides(sides)
    players = list(names or SELFPLAY_NAMES[: sheet.rules.players[0]])
    if len(players) not in sheet.rules.players:
        allowed = " or ".join(map(str, sheet.rules.players))
        raise ValueError(f"{sheet.name} is for {allowed} players, not {len(players)}.")
    record = Record(
        format="bezique-record",
        version="1.0",
        rules=replace(rules, edition=sheet.edition),
        meta=dict(meta) if meta else None,
        players=[Player(name=name) for name in players],
        sides=[list(side) for side in sides] if sides else None,
        provenance=Provenance(made="played move by move", program="import bezique"),
    )
    try:
        parse(cast(Any, record))
    except UnreadableRecord as error:
        raise ValueError(
            f"No record can have these players or sides, or this `meta`. {error}"
        ) from None
    wrong = check_sides(record, sheet)
    if wrong is not None:
        raise ValueError(wrong.message)
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
