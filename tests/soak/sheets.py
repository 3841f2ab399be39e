"""Rulebooks changed at random: `make soak ARGS="--sheets 2000"`.

Every file that is accepted, for two to six players and with partners or without, plays random games to their end, which the
validator calls legal. Of some the slow referee says that they are right, too; mutants of these are wrong to one if they are
to the other; and in the middle of them and after the close there are as many ways to go on as the referee counts. Every file
that is refused ends in sentences, each at a place of the file.
"""

import json
from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

from msgspec.structs import replace

from records.cards import MAX_COPIES, SUITS
from records.conformance.answers import Perft, partners_by_turns
from records.events import Draw, Play
from records.format import codec
from records.record import Record, Rules
from records.rules.inner_sheet import inner_data
from records.rules.own_sheet import read_own_sheet
from records.rules.registry import ALL_SHEETS, know_sheets
from records.rules.sheet_text import SheetError
from records.rules.vocabulary import MeldsFrom, RuleSheet
from records.selfplay import play_game
from records.validator import check
from tests.make import tables
from tests.playouts.examine import examine
from tests.playouts.mutants import KINDS
from tests.playouts.referee import Judgement, TooManyWorldsError, judge
from tests.records.rules.damaged_sheets import damaged_file
from tests.referee import brute

GAMES, REFEREED, MUTANTS, MOST_WORLDS = 50, 2, 6, 500
SHORT_MATCH = 4
"""The first game of each file has up to so many deals, the others one."""
CARDS_AT_END, DEPTH = 3, 4
DEPTH_IN_MID_GAME = 2
MOST_WAYS = 400
"""Where the first choice can be made in more ways, none is counted: a depth of two would take minutes."""
WITH_TRICKS = [sheet for sheet in ALL_SHEETS if sheet.rules.tableau is None]


def changed_file(random: Random) -> bytes:
    """A base with a few changes of the sort that tables differ in, or a file damaged in any way."""
    if random.random() < 0.25:
        return damaged_file(random)
    base = random.choice(WITH_TRICKS)
    changes = [_change(base, random) for _ in range(random.randint(1, 4))]
    if random.random() < 0.6:
        # Last, so that the pack is one that so many players share.
        changes += _for_more_players(base, random)
    return json.dumps({"base": base.id, "id": "ours", "name": "Ours", "changes": changes}).encode()


def _change(base: RuleSheet, random: Random) -> dict[str, Any]:
    melds, bonuses = len(base.rules.melds), len(base.rules.bonuses)
    path, values = random.choice([
        ("/rules/pack/copies", [dict.fromkeys(SUITS, packs) for packs in range(1, 9)]),
        ("/rules/hand/2", [4, 5, 6, 7, 8, 9, 10]),
        ("/rules/players", [[2], [3], [2, 3]]),
        ("/rules/play/draws", ["winner_then_loser", "round_the_table"]),
        ("/rules/play/melds_by", ["winner", "winner_or_partner"]),
        ("/rules/phases/close/must_play", [
            {"plain_led": ["suit_led", "any"], "trumps_led": ["suit_led", "any"], "trumped": groups}
            for groups in (None, ["suit_led", "higher_trumps", "any"], ["any"])
        ]),
        ("/rules/phases/close/follow", ["any", "head", "suit"]),
        ("/rules/phases/stock/melds", [0, 1, 2, None]),
        ("/rules/phases/close/melds", [0, 1, 2, None]),
        ("/rules/brisques/points", [0, 5, 10, 25]),
        ("/rules/brisques/count", ["at_the_end", "never"]),
        ("/rules/brisques/ranks", [["A"], ["A", "T"], ["A", "T", "K"]]),
        (f"/rules/melds/{random.randrange(melds)}/points", [0, 5, 35, 500]),
        (f"/rules/melds/{random.randrange(melds)}/cards/repeat", [1, 2, 3]),
        (f"/rules/bonuses/{random.randrange(max(1, bonuses))}/points", [0, 5, 35, 500]),
        (f"/rules/bonuses/{random.randrange(max(1, bonuses))}/to", ["winner", "loser"]),
    ])  # fmt: skip
    return {"path": path, "value": random.choice(values)}


def _for_more_players(base: RuleSheet, random: Random) -> list[dict[str, Any]]:
    """What makes a game for two one for three to six, with partners or without; now and then a part is left out."""
    players = random.randint(3, 6)
    ranks, match = len(base.rules.pack.ranks), {"by": "race", "end": "finish_hand"}
    largest = max(meld.cards.size for meld in base.rules.melds)
    packs = [
        {suit: number + (suit in doubled) for suit in SUITS}
        for number in range(2, 9)
        for doubled in ("", "S", "SH")
        if ranks * (4 * number + len(doubled)) % players == 0
        if number + bool(doubled) <= MAX_COPIES
    ]
    sides = [size for size in (2, 3) if players % size == 0 and size < players]
    partners = bool(sides) and random.random() < 0.7
    target = {str(players): random.choice([100, 1000, 3000])}
    values: list[tuple[str, Any]] = [
        ("/rules/players", [players]),
        ("/rules/hand", {str(players): random.randint(largest - (random.random() < 0.1), 10)}),
        ("/rules/pack/copies", random.choice(packs)),
        ("/rules/play/draws", "round_the_table"),
        ("/rules/play/melds_from", "held"),
        ("/rules/play/at_the_close", "laid_cards_to_hand"),
        ("/rules/match", {**match, "target": target, "equal_totals": "another_deal"}),
        ("/rules/cut", None),
        *((f"/rules/bonuses/{n}/to", "winner") for n in range(len(base.rules.bonuses))),
        ("/rules/partners", [{"players": players, "side": size} for size in sides] * partners),
        ("/rules/play/melds_by", random.choice(["winner", *["winner_or_partner"] * 3 * partners])),
    ]  # fmt: skip
    return [{"path": path, "value": value} for path, value in values if random.random() > 0.01]


def examine_file(seed: int, tally: Counter[str]) -> list[str]:
    """What is wrong with what comes of the file of this seed, in sentences."""
    random = Random(f"sheets {seed}")
    text = changed_file(random)
    try:
        sheet = read_own_sheet(text)
    except SheetError as error:
        tally["refused"] += 1
        lines = text.count(b"\n") + 1
        return [
            f"{seed}: {each}" for each in error.mistakes
            if not (each.says.endswith((".", ".”")) and 1 <= each.line <= lines and each.column >= 1)
        ]  # fmt: skip
    if sheet.id != "ours":
        sheet = replace(sheet, id="ours")
    tally["accepted"] += 1
    tally["for more than two"] += sheet.rules.tricks_of_more
    know_sheets([])
    know_sheets([sheet])
    try:
        wrong = [each for game in range(GAMES) for each in _examine_game(sheet, seed, game, tally)]
        return wrong + _examine_end(sheet, random, tally)
    except Exception as error:
        return [f"{error!r} in {text[:2000]!r}"]
    finally:
        know_sheets([])


def _examine_game(sheet: RuleSheet, seed: int, number: int, tally: Counter[str]) -> list[str]:
    game = _play(sheet, seed, number)
    report, wrong = check(codec.encode(game)), []
    tally["games"] += 1
    if report.verdict == "undetermined" and "too many readings" in report.findings[0].message:
        tally["given up"] += 1  # eight copies of a card, and many melds
    elif report.verdict not in ("legal", "incomplete"):
        wrong.append(f"{sheet.id} {seed} {number}: {report.verdict} {report.findings[:2]}")
    if number >= REFEREED:
        return wrong
    with suppress(TooManyWorldsError):
        judged = judge(game, most_worlds=MOST_WORLDS)
        tally["refereed"] += 1
        if not judged.right:
            wrong.append(f"{seed} {number}: the referee says {judged.why}")
        random = Random(f"mutants {seed} {number}")
        for name in random.sample(sorted(KINDS), MUTANTS):
            mutant = KINDS[name](game, random)
            if mutant is None:
                continue
            known = judged if mutant.record.rules is game.rules else Judgement()
            if said := examine(name, mutant, known, tally):
                wrong.append(f"{seed} {number}: {said}")
        # Of captured cards melds could be chosen in millions of ways.
        if sheet.rules.tableau is None and sheet.rules.melds_from is MeldsFrom.HELD:
            wrong += examine_middle(game, random, tally)
    return wrong


def _play(sheet: RuleSheet, seed: int, number: int) -> Record:
    """A game of players of one style, with partners where the sheet has them in every other one."""
    return play_game(
        sheet.id,
        seed=GAMES * seed + number,
        deals=1 if number else SHORT_MATCH,
        style="greedy" if number % 3 else "random",
        shows=number % 5 == 4,
        sides=partners_by_turns(sheet, number),
        carry=True,
    )


def examine_middle(game: Record, random: Random, tally: Counter[str]) -> list[str]:
    """Count the ways to go on from somewhere in a game, and from its last tricks, quickly and slowly."""
    deal, wrong = game.deals[0], []
    drawn = [event.card for event in deal.events if isinstance(event, Draw)]
    plays = [at for at, event in enumerate(deal.events) if isinstance(event, Play)]
    late = random.choice(plays[-CARDS_AT_END * len(game.players) :])
    for at, depth in ((random.choice(plays), DEPTH_IN_MID_GAME), (late, DEPTH)):
        stock = drawn[: len(drawn) - bool(deal.turn_up)]
        cut = replace(deal, events=deal.events[:at], stock=stock, claims=None)
        record = replace(game, deals=[cut], result=None)
        if Perft(record).nodes(1)[0] > MOST_WAYS:
            continue
        tally["middles"] += 1
        counted, slowly = Perft(record).nodes(depth), brute.nodes(record, depth)
        if counted != slowly:
            wrong.append(f"{counted} ways after event {at} of {game.meta}, by the referee {slowly}")
    return wrong


def _examine_end(sheet: RuleSheet, random: Random, tally: Counter[str]) -> list[str]:
    """Count the ways to go on after the close of a game for two, quickly and slowly."""
    if sheet.rules.tableau is not None or sheet.rules.players != (2,):
        return []
    pack = [
        rank + suit for suit in SUITS for rank in sheet.rules.pack.ranks
    ] * sheet.rules.pack.packs
    size = min(CARDS_AT_END, sheet.rules.hand[2])
    cards = random.sample(pack, 2 * size)
    north, south = (" ".join(part) for part in (cards[:size], cards[size:]))
    record = _record(sheet, f"N: {north} | S: {south} | trump {random.choice(SUITS)} | N leads")
    tally["ends"] += 1
    counted, slowly = Perft(record).nodes(DEPTH), brute.nodes(record, DEPTH)
    return (
        []
        if counted == slowly
        else [f"{sheet.id}: {counted} ways, by the referee {slowly}: {cards}"]
    )


def _record(sheet: RuleSheet, text: str) -> Record:
    record = tables.record_of([tables.deal_of(text)], sheet="zique")
    deal = record.deals[0]
    deal.stock, deal.knowledge = [], None
    rules = Rules(id=sheet.id, edition=sheet.edition, sheet=inner_data(sheet))
    return replace(record, rules=rules)


def main(number: int, first: int) -> int:
    """Examine so many files; 1 if anything was not as it must be."""
    tally, failed = Counter[str](), 0
    for seed in range(first, first + number):
        for words in examine_file(seed, tally):
            failed += 1
            print(words, flush=True)
        if (seed + 1) % 100 == 0:
            print(seed + 1, dict(tally), flush=True)
    print(dict(tally), f"{failed} wrong")
    return bool(failed)
