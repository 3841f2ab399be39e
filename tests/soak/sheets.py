"""Rulebooks changed at random: `make soak ARGS="--sheets 2000"`.

Every file that is accepted plays random games to their end, which the validator calls legal and the slow referee right;
mutants of them are wrong to one if they are to the other; and after the close there are as many ways to go on as the
referee counts. Every file that is refused ends in sentences, each at a place of the file.
"""

import json
from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

from msgspec.structs import replace

from records.cards import SUITS
from records.conformance.answers import Perft
from records.format import codec
from records.record import Record, Rules
from records.rules.inner_sheet import inner_data
from records.rules.own_sheet import read_own_sheet
from records.rules.registry import ALL_SHEETS, know_sheets
from records.rules.sheet_text import SheetError
from records.rules.vocabulary import RuleSheet
from records.selfplay import play_game
from records.validator import check
from tests.make import tables
from tests.playouts.examine import examine
from tests.playouts.mutants import KINDS
from tests.playouts.referee import Judgement, TooManyWorldsError, judge
from tests.records.rules.damaged_sheets import damaged_file
from tests.referee import brute

GAMES, MUTANTS, MOST_WORLDS = 2, 6, 2_000
CARDS_AT_END, DEPTH = 3, 4
WITH_TRICKS = [sheet for sheet in ALL_SHEETS if sheet.rules.tableau is None]


def changed_file(random: Random) -> bytes:
    """A base with a few changes of the sort that tables differ in, or a file damaged in any way."""
    if random.random() < 0.25:
        return damaged_file(random)
    base = random.choice(WITH_TRICKS)
    changes = [_change(base, random) for _ in range(random.randint(1, 4))]
    return json.dumps({"base": base.id, "id": "ours", "name": "Ours", "changes": changes}).encode()


def _change(base: RuleSheet, random: Random) -> dict[str, Any]:
    melds, bonuses = len(base.rules.melds), len(base.rules.bonuses)
    path, values = random.choice([
        ("/rules/pack/copies", [dict.fromkeys(SUITS, packs) for packs in range(1, 9)]),
        ("/rules/hand/2", [4, 5, 6, 7, 8, 9, 10]),
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
    style = "greedy" if number % 2 else "random"
    game = play_game(sheet.id, seed=10 * seed + number, deals=1, style=style, carry=True)
    report, wrong = check(codec.encode(game)), []
    tally["games"] += 1
    if report.verdict not in ("legal", "incomplete"):
        wrong.append(f"{sheet.id} {seed} {number}: {report.verdict} {report.findings[:2]}")
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
    return wrong


def _examine_end(sheet: RuleSheet, random: Random, tally: Counter[str]) -> list[str]:
    """Count the ways to go on after the close, quickly and slowly."""
    if sheet.rules.tableau is not None:
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
