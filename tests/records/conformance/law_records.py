"""Collects the records that the tests of the laws play, with the laws that the tests are named after.

A plugin of pytest: `python -m pytest -n 0 -p tests.records.conformance.law_records --law-records FILE tests/laws`.
A position in a test is cut down to the cards that matter; here it is filled up until a game can come to it, if that
changes nothing of what is found in it.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from records.cards import FACE_OF
from records.format import codec
from records.record import Deal, Record, Setup
from records.rules.registry import resolve_rules
from records.validator import check_record
from tests.exercised.watch import laws_named
from tests.make.tables import Told

SETUP_CODES = {
    "uneven-hands", "hand-too-large", "impossible-stock", "impossible-captures", "impossible-brisques",
    "turn-up-not-in-rules",
}  # fmt: skip
FILLERS = [rank + suit for rank in "8975JQTKA6432" for suit in "CDHS"]
"""Cards put into the smaller hand, those first that matter least."""
MOST_TRIED = 20


class LawRecord(NamedTuple):
    """A record that a test of some laws plays, and the codes found in it."""

    laws: list[str]
    record: Record
    codes: list[str]


class _Listener:
    """Notes the records of every test of a law."""

    def __init__(self, path: Path) -> None:
        self.path, self.laws = path, list[str]()
        self.heard: dict[tuple[str, str], list[str]] = {}

    def pytest_runtest_setup(self, item: Any) -> None:
        self.laws = laws_named(item.name)

    def hear(self, told: Told) -> None:
        if self.laws:
            key = (codec.encode(told.record).decode(), " ".join(self.laws))
            self.heard.setdefault(key, told.codes)

    def pytest_sessionfinish(self) -> None:
        lines = [
            json.dumps([laws.split(), text, codes]) for (text, laws), codes in self.heard.items()
        ]
        self.path.write_text("\n".join(lines), encoding="utf-8")


def pytest_addoption(parser: Any) -> None:
    parser.addoption("--law-records", type=Path, required=True)


def pytest_configure(config: pytest.Config) -> None:
    listener = _Listener(config.getoption("law_records"))
    config.pluginmanager.register(listener)
    tell = Told.__post_init__

    def heard(told: Told) -> None:
        tell(told)
        listener.hear(told)

    Told.__post_init__ = heard  # type: ignore[method-assign]


def read_law_records(path: Path) -> Iterator[LawRecord]:
    """The records collected, each such that a game can come to it, as far as that is possible."""
    for line in path.read_text(encoding="utf-8").splitlines():
        laws, text, codes = json.loads(line)
        record = codec.decode(text.encode()).record
        whole = record and filled_up(record, codes)
        if whole:
            yield LawRecord(laws, whole, codes)


def filled_up(record: Record, codes: list[str]) -> Record | None:
    """The record with hands of one size, if nothing else is then found in it; None if that cannot be had."""
    for _ in range(MOST_TRIED):
        found = {finding.code: finding.at.deal for finding in check_record(record).findings}
        odd = [code for code in found if code in SETUP_CODES and code not in codes]
        if not odd:
            return record if _same_findings(record, codes) else None
        number = found[odd[0]]
        deal = record.deals[number] if number is not None else None
        if deal is None or deal.setup is None:
            return None
        changed = _mended(record, deal, deal.setup, odd[0], codes)
        if changed is None:
            return None
        deals = [changed if each is deal else each for each in record.deals]
        record = replace(record, deals=deals)
    return None


def _same_findings(record: Record, codes: list[str]) -> bool:
    bad = ("illegal", "mismatch", "warning")
    found = [finding.code for finding in check_record(record).findings if finding.severity in bad]
    return Counter(found) - Counter(codes) == Counter() or (codes != [] and found[:1] == codes[:1])


def _mended(record: Record, deal: Deal, setup: Setup, code: str, codes: list[str]) -> Deal | None:
    if code == "uneven-hands":
        return _evened(record, deal, setup)
    if code == "hand-too-large":
        return _smaller(record, deal, setup)
    if code == "impossible-stock":
        return replace(deal, setup=replace(setup, stock=8 + (setup.turn_up is not None)))
    if code == "turn-up-not-in-rules":
        return replace(deal, setup=replace(setup, turn_up=None, stock=setup.stock + 1))
    if code == "impossible-brisques":
        return replace(deal, setup=replace(setup, brisques=None))
    piles = [[*pile] for pile in setup.captured or [[], []]]
    pile = next((pile for pile in piles if len(pile) % 2), piles[0])
    pile.insert(0, _filler(record, setup, set()) or "8C")
    return replace(deal, setup=replace(setup, captured=piles))


def _sizes(setup: Setup, record: Record) -> list[int]:
    captures = resolve_rules(record.rules).sheet.rules.melds_from.value == "captured"
    sizes = []
    for seat, hand in enumerate(setup.hands):
        most: Counter[str] = Counter()
        for laid in (setup.tables or [[], []])[seat]:
            most |= Counter(laid.cards)
        sizes.append(len(hand) + (0 if captures else most.total()))
    if setup.trick:
        sizes[1 - setup.seat] += 1
    return sizes


def _evened(record: Record, deal: Deal, setup: Setup) -> Deal | None:
    sizes = _sizes(setup, record)
    low = sizes.index(min(sizes))
    hands = [[*hand] for hand in setup.hands]
    card = _filler(record, setup, {FACE_OF[card] for card in hands[low]})
    if card is None or sizes[0] == sizes[1]:
        return None
    hands[low].append(card)
    return replace(deal, setup=replace(setup, hands=hands))


def _filler(record: Record, setup: Setup, beside: set[str]) -> str | None:
    """A card that nothing in the record names, of no use to anybody."""
    sheet = resolve_rules(record.rules).sheet
    said = codec.encode(record).decode()
    trump = setup.trump or (setup.turn_up or "  ")[1]
    label = ".1" if "." in said.split('"deals"')[1] and sheet.rules.pack.packs > 1 else ""
    faces = [f for f in FILLERS if f[0] in sheet.rules.pack.ranks and f"7{trump}" != f]
    order = sorted(faces, key=lambda face: (f'"{face}' in said, face in beside, face[1] == trump))
    for face in order:
        if said.count(f'"{face}') < sheet.rules.pack.packs:
            return face + label
    return None


def _smaller(record: Record, deal: Deal, setup: Setup) -> Deal | None:
    """Cards that no event names taken out of the hands that are too large."""
    sizes, most = (
        _sizes(setup, record),
        resolve_rules(record.rules).sheet.rules.hand[len(setup.hands)],
    )
    events = msgspec.json.encode(deal.events).decode()
    hands = []
    for hand, size in zip(setup.hands, sizes, strict=True):
        keep, spare = [*hand], size - most
        for card in sorted(hand, key=lambda card: FILLERS.index(FACE_OF.get(card, "AS"))):
            if spare > 0 and f'"{card}"' not in events:
                keep.remove(card)
                spare -= 1
        hands.append(keep)
    return None if hands == setup.hands else replace(deal, setup=replace(setup, hands=hands))
