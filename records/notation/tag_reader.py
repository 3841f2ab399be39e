"""The tags of the notation, `[hand a AS KS]`: from one line each to members of the record."""

import re
from collections.abc import Callable
from typing import get_args

from records.events import MELD_NAMES
from records.notation.event_reader import card_list
from records.notation.line_scanner import LineScanner, pointer_step
from records.notation.record_text import DealText, RecordText, SetupText, json_list
from records.notation.spelling import SEAT_LETTERS, WORD
from records.record import Knowledge

_VERSION = re.compile(r"[0-9]++\.[0-9]++(?=[ \t\r\]]|\Z)")
_CARDS_LEFT = re.compile(r"(?=[0-9]++(?:[ \t\r\]]|\Z))")
_SIDE = re.compile(f"[{SEAT_LETTERS}]++(?=[ \t\r\\]]|\\Z)")
_ALREADY = "something else: this has been said above"


def read_tag(record: RecordText, scanner: LineScanner) -> None:
    """Read a line that is a tag; raises LineMistake."""
    scanner.need_sign("[")
    start = scanner.at
    name = scanner.take(WORD) or ""
    tags = _TAGS_OF_RECORD if record.deal is None else _TAGS_OF_DEAL
    if name not in tags:
        words = ", ".join(sorted(tags))
        scanner.fail(f"a tag of {'a record' if record.deal is None else 'a deal'}: {words}", start)
    scanner.end_word()
    tags[name](record, scanner)
    if not scanner.take_sign("]"):
        scanner.fail("“]”")
    scanner.skip_blanks()
    if scanner.next():
        scanner.fail("nothing after the “]”")


def _set(scanner: LineScanner, members: dict[str, str], name: str, value: str) -> None:
    if name in members:
        scanner.fail(_ALREADY)
    members[name] = value


def _numbers(scanner: LineScanner) -> str:
    return json_list(scanner.numbers())


def _cards(scanner: LineScanner) -> str:
    return card_list(scanner.cards())


def _next_seat(scanner: LineScanner, given: list[str]) -> None:
    """Read the letter of the seat that comes next in a list with one entry a seat."""
    start = scanner.at
    expected = SEAT_LETTERS[len(given) : len(given) + 1]
    if scanner.seat() != len(given):
        scanner.fail(f"seat {expected}" if expected else "no more seats", start)


# --- of the record


def _bezique(record: RecordText, scanner: LineScanner) -> None:
    version = scanner.take(_VERSION)
    if version is None:
        scanner.fail("the version of the format, 1.0")
    scanner.skip_blanks()
    record.mark("/version", scanner.at)
    _set(scanner, record.members, "version", f'"{version}"')


def _rules(record: RecordText, scanner: LineScanner) -> None:
    if record.rules:
        scanner.fail(_ALREADY)
    record.mark("/rules", scanner.at)
    record.mark("/rules/id", scanner.at)
    record.rules.append(f'"id":{scanner.name("the id of a rule sheet")}')
    if scanner.take_word("edition"):
        record.mark("/rules/edition", scanner.at)
        record.rules.append(f'"edition":{scanner.count()}')


def _option(record: RecordText, scanner: LineScanner) -> None:
    if not record.rules:
        scanner.fail("[rules …] first")
    at = scanner.at
    name = scanner.name("the name of an option")
    record.mark(f"/rules/options/{pointer_step(name)}", at)
    record.options.append(f"{name}:{scanner.plain_value()}")


def _player(record: RecordText, scanner: LineScanner) -> None:
    record.mark(f"/players/{len(record.players)}", scanner.at)
    _next_seat(scanner, record.players)
    members = f'"name":{scanner.string("a name in quotes")}'
    if scanner.take_word("id"):
        members += f',"id":{scanner.string()}'
    for kind in ("person", "program"):
        if scanner.take_word(kind):
            members += f',"kind":"{kind}"'
            break
    record.players.append(f"{{{members}}}")


def _sides(record: RecordText, scanner: LineScanner) -> None:
    record.mark("/sides", scanner.at)
    sides = []
    while (side := scanner.take(_SIDE)) is not None:
        scanner.skip_blanks()
        record.sides.append(side)
        sides.append(json_list([str(SEAT_LETTERS.index(letter)) for letter in side]))
    _set(scanner, record.members, "sides", json_list(sides))


def _meta(record: RecordText, scanner: LineScanner) -> None:
    at = scanner.at
    name = scanner.name("the name of what is told")
    record.mark(f"/meta/{pointer_step(name)}", at)
    record.meta.append(f"{name}:{scanner.json_value(above=2)}")


def _result(record: RecordText, scanner: LineScanner) -> None:
    record.mark("/result", scanner.at)
    members = []
    for status in ("complete", "unfinished", "abandoned"):
        if scanner.take_word(status):
            members.append(f'"status":"{status}"')
            break
    for name in ("scores", "settlement"):
        record.mark(f"/result/{name}", scanner.at)
        if scanner.take_word(name):
            members.append(f'"{name}":{_numbers(scanner)}')
    record.mark("/result/winner", scanner.at)
    if scanner.take_word("winner"):
        members.append(f'"winner":{_winner(record, scanner)}')
    _set(scanner, record.members, "result", "{" + ",".join(members) + "}")


def _winner(record: RecordText, scanner: LineScanner) -> str:
    if scanner.take_word("none"):
        return "null"
    sides = record.sides or [*SEAT_LETTERS[: len(record.players)]]
    start = scanner.at
    side = scanner.take(_SIDE)
    if side not in sides:
        scanner.fail(f"a side ({', '.join(sides)}) or none", start)
    scanner.skip_blanks()
    return str(sides.index(side))


def _provenance(record: RecordText, scanner: LineScanner) -> None:
    record.mark("/provenance", scanner.at)
    members = [
        f'"{name}":{scanner.string()}'
        for name in ("made", "program", "version")
        if scanner.take_word(name)
    ]
    _set(scanner, record.members, "provenance", "{" + ",".join(members) + "}")


def _extension(record: RecordText, scanner: LineScanner) -> None:
    at = scanner.at
    name = scanner.name("a domain, such as org.example.table")
    above = "" if record.deal is None else f"/deals/{len(record.deals)}"
    record.mark(f"{above}/ext/{pointer_step(name)}", at)
    given = record.extensions if record.deal is None else record.deal.extensions
    given.append(f"{name}:{scanner.json_value(above=4 if above else 2)}")


def _json(record: RecordText, scanner: LineScanner) -> None:
    at = scanner.at
    name = scanner.take(WORD)
    if name is None:
        scanner.fail("the name of a member")
    above = "" if record.deal is None else f"/deals/{len(record.deals)}"
    record.mark(f"{above}/{name}", at)
    scanner.end_word()
    members = record.members if record.deal is None else record.deal.members
    _set(scanner, members, name, scanner.json_value(above=3 if above else 1))


# --- of a deal


def _deal(record: RecordText, scanner: LineScanner) -> None:
    at = scanner.at
    deal = record.start_deal()
    record.mark(f"/deals/{len(record.deals)}", at)
    record.mark(f"/deals/{len(record.deals)}/dealer", at)
    deal.members["dealer"] = str(scanner.seat())


def _pointer(record: RecordText, member: str) -> str:
    above = "/setup" if record.deal is not None and record.deal.setup is not None else ""
    return f"/deals/{len(record.deals)}{above}/{member}"


def _deal_of(record: RecordText, scanner: LineScanner) -> DealText:
    if record.deal is None:
        scanner.fail("[deal …] first")
    return record.deal


def _setup_of(record: RecordText, scanner: LineScanner) -> SetupText:
    setup = None if record.deal is None else record.deal.setup
    if setup is None:
        scanner.fail("[setup …] first: this is part of a position")
    return setup


def _knowledge(record: RecordText, scanner: LineScanner) -> None:
    record.mark(f"/deals/{len(record.deals)}/knowledge", scanner.at)
    levels = get_args(Knowledge)
    level = scanner.word_of(levels, f"a level of knowledge: {', '.join(levels)}")
    _set(scanner, _deal_of(record, scanner).members, "knowledge", f'"{level}"')


def _seat(record: RecordText, scanner: LineScanner) -> None:
    record.mark(f"/deals/{len(record.deals)}/seat", scanner.at)
    _set(scanner, _deal_of(record, scanner).members, "seat", str(scanner.seat()))


def _hand(record: RecordText, scanner: LineScanner) -> None:
    deal = _deal_of(record, scanner)
    hands = (deal.setup or deal).hands
    record.mark(_pointer(record, f"hands/{len(hands)}"), scanner.at)
    _next_seat(scanner, hands)
    hands.append(_cards(scanner))


def _turn_up(record: RecordText, scanner: LineScanner) -> None:
    deal = _deal_of(record, scanner)
    record.mark(_pointer(record, "turn_up"), scanner.at)
    _set(scanner, (deal.setup or deal).members, "turn_up", f'"{scanner.card()}"')


def _stock(record: RecordText, scanner: LineScanner) -> None:
    deal = _deal_of(record, scanner)
    if deal.setup is not None and scanner.take(_CARDS_LEFT) is not None:
        record.mark(_pointer(record, "stock"), scanner.at)
        _set(scanner, deal.setup.members, "stock", scanner.count())
        return
    record.mark(f"/deals/{len(record.deals)}/stock", scanner.at)
    _set(scanner, deal.members, "stock", _cards(scanner))


def _setup(record: RecordText, scanner: LineScanner) -> None:
    deal = _deal_of(record, scanner)
    if deal.setup is not None:
        scanner.fail(_ALREADY)
    record.mark(f"/deals/{len(record.deals)}/setup", scanner.at)
    deal.setup = SetupText()
    deal.setup.members["seat"] = str(scanner.seat())


def _table(record: RecordText, scanner: LineScanner) -> None:
    tables = _setup_of(record, scanner).tables
    record.mark(_pointer(record, f"tables/{len(tables)}"), scanner.at)
    _next_seat(scanner, tables)
    laid = []
    while scanner.next() not in ("]", ""):
        start = scanner.at
        meld = scanner.take(WORD)
        if meld not in MELD_NAMES:
            scanner.fail("a meld, such as marriage(KS QS)", start)
        scanner.need_sign("(")
        scanner.skip_blanks()
        cards = _cards(scanner)
        pending = ',"scored":false' if scanner.take_word("pending") else ""
        if not scanner.take_sign(")"):
            scanner.fail("a card, pending or “)”")
        scanner.end_word()
        laid.append(f'{{"meld":"{meld}","cards":{cards}{pending}}}')
    tables.append(json_list(laid))


def _captured(record: RecordText, scanner: LineScanner) -> None:
    captured = _setup_of(record, scanner).captured
    record.mark(_pointer(record, f"captured/{len(captured)}"), scanner.at)
    _next_seat(scanner, captured)
    captured.append(_cards(scanner))


def _trump(record: RecordText, scanner: LineScanner) -> None:
    record.mark(_pointer(record, "trump"), scanner.at)
    members = _setup_of(record, scanner).members
    suit = scanner.word_of(("S", "H", "D", "C"), "a suit: S, H, D or C")
    _set(scanner, members, "trump", f'"{suit}"')


def _won(record: RecordText, scanner: LineScanner) -> None:
    record.mark(_pointer(record, "won"), scanner.at)
    _set(scanner, _setup_of(record, scanner).members, "won", "true")


def _of_setup(
    name: str, read: Callable[[LineScanner], str]
) -> "Callable[[RecordText, LineScanner], None]":
    """The reader of a tag whose value is a list."""

    def read_member(record: RecordText, scanner: LineScanner) -> None:
        record.mark(_pointer(record, name), scanner.at)
        _set(scanner, _setup_of(record, scanner).members, name, read(scanner))

    return read_member


def _claims(record: RecordText, scanner: LineScanner) -> None:
    above = f"/deals/{len(record.deals)}/claims"
    record.mark(above, scanner.at)
    record.mark(f"{above}/scores", scanner.at)
    claims = f'{{"scores":{_numbers(scanner)}}}' if scanner.next() != "]" else "{}"
    _set(scanner, _deal_of(record, scanner).members, "claims", claims)


_ReadTag = Callable[[RecordText, LineScanner], None]
_TAGS_OF_RECORD: dict[str, _ReadTag] = {
    "bezique": _bezique,
    "rules": _rules,
    "option": _option,
    "player": _player,
    "sides": _sides,
    "meta": _meta,
    "result": _result,
    "provenance": _provenance,
    "ext": _extension,
    "json": _json,
    "deal": _deal,
}
_TAGS_OF_DEAL: dict[str, _ReadTag] = {
    "knowledge": _knowledge,
    "seat": _seat,
    "hand": _hand,
    "turn_up": _turn_up,
    "stock": _stock,
    "setup": _setup,
    "table": _table,
    "trump": _trump,
    "scores": _of_setup("scores", _numbers),
    "brisques": _of_setup("brisques", _numbers),
    "won": _won,
    "trick": _of_setup("trick", _cards),
    "spent_dixes": _of_setup("spent_dixes", _cards),
    "captured": _captured,
    "tableau": _of_setup("tableau", _cards),
    "claims": _claims,
    "result": _result,
    "ext": _extension,
    "json": _json,
    "deal": _deal,
}
