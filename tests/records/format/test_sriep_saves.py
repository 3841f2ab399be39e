"""Matches that the Bezique by Sriep has saved, as records."""

import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from random import Random
from typing import Any

import pytest

from records.format import codec
from records.format.log_mapping import ConversionError
from records.format.notation_writer import write_notation
from records.format.sriep_saves import read_sriep_saves
from records.record import Record, Setup
from records.rules.registry import SHEETS_BY_ID
from records.rules.vocabulary import NumberOption
from records.validator import check_record
from tests.records.documents.make import DOCUMENT_FOLDER
from tests.records.format.sriep_shapes import (
    RANKS,
    SUITS,
    Save,
    place_of,
    player_of,
    save_of,
    saves_of_a_game,
)

SAMPLE = Path(__file__).parents[3] / "samples" / "logs" / "sriep-save.json"


def converted(data: bytes, name: str = "save.json") -> Record:
    (entry,) = read_sriep_saves(io.BytesIO(data), name=name, mapping={})
    found = codec.decode(entry.data)
    assert found.record is not None, found.findings
    assert codec.encode(found.record) == entry.data
    return found.record


def record_of(save: Save) -> Record:
    return converted(json.dumps(save).encode())


def served(setup: Setup) -> Counter[tuple[int, str, str]]:
    """How many copies of a card have served in melds of a name: with which others, the program does not know."""
    return Counter(
        (seat, laid.meld, card)
        for seat, melds in enumerate(setup.tables or [])
        for laid in melds
        for card in laid.cards
    )


@pytest.mark.parametrize("seed", range(8))
def test_a_position_comes_back_as_the_referee_knows_it(seed: int) -> None:
    seen = 0
    for save, position, stock in saves_of_a_game(seed):
        record = record_of(save)
        (deal,) = record.deals
        found = deal.setup
        assert found is not None
        assert [sorted(hand) for hand in found.hands] == position.hands
        assert served(found) == served(position)
        brisques = zip(position.scores or [], position.brisques or [], strict=True)
        assert found.scores == [points + 10 * count for points, count in brisques]
        assert (found.seat, found.trump, found.turn_up, found.stock, found.trick) == (
            position.seat, position.trump, position.turn_up, position.stock, None,
        )  # fmt: skip
        assert (deal.stock or []) == [card[:2] for card in stock]
        report = check_record(record)
        assert [finding.code for finding in report.findings] == ["unfinished"], report.findings
        seen += 1
    assert seen >= 31


# Hearts are trumps, the eight of hearts lies turned up.


def a_save(
    human: Save | None = None,
    ai: Save | None = None,
    stock: tuple[str, ...] | None = None,
    **more: Any,
) -> Save:
    """A save in which Ann leads: with what two players hold, or with little."""
    human = human or player_of(["AH", "9C"], [], {}, 40, Random(1))
    ai = ai or player_of(["TH", "9S"], [], {}, 50, Random(2))
    stock = ("8H", "7S", "AD", "KC") if stock is None else stock
    return save_of([human, ai], stock, trump="H", seat=0, **more)


def test_what_a_save_says() -> None:
    record = record_of(a_save(target=700))
    assert json.loads(codec.encode(record)) == {
        "format": "bezique-record", "version": "1.0",
        "rules": {"id": "bezique", "options": {"dix_in_last_tricks": False, "target": 700}},
        "players": [{"name": "Ann", "kind": "person"}, {"name": "AI", "kind": "program"}],
        "meta": {"games_won": [2, 1]},
        "deals": [{
            "dealer": 1, "stock": ["KC", "AD", "7S"],
            "setup": {"hands": [["AH", "9C"], ["TH", "9S"]], "seat": 0, "stock": 3, "trump": "H",
                      "turn_up": "8H", "scores": [40, 50]},
        }],
        "provenance": {"made": "converted", "program": "Bezique by Sriep"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("table", "melds"),
    [
        ("QS:Married", ["marriage QS"]),
        ("QS:Married KS:Married KS:Married KD:Married", ["marriage QS KS", "marriage KS", "marriage KD"]),
        ("QS:Married+Beziqued JD:Beziqued KS:Married", ["bezique QS JD", "marriage QS KS"]),
        ("QS:Beziqued QS:Beziqued JD:Beziqued", ["bezique QS JD", "bezique QS"]),
        ("QS:DoubleBeziqued QS:DoubleBeziqued JD:DoubleBeziqued", ["double_bezique QS QS JD"]),
        ("AS:FourKinded AS:FourKinded AH:FourKinded AD:FourKinded AC:FourKinded", ["four_aces AS AS AH AD", "four_aces AC"]),
        ("KH:Married+Flushed+FourKinded QH:Flushed", ["sequence KH QH", "four_kings KH", "marriage KH"]),
    ],
)  # fmt: skip
def test_melds_are_told_from_what_each_card_has_served_in(table: str, melds: list[str]) -> None:
    names = dict(zip("abcdefgh", (card.split(":") for card in table.split()), strict=False))
    cards = [f"{face}.{name}" for name, (face, _) in names.items()]
    flags = {
        f"{face}.{name}": [f"has{flag}" for flag in served.split("+")]
        for name, (face, served) in names.items()
    }
    setup = record_of(a_save(player_of(["9C"], cards, flags, 0, Random(3)))).deals[0].setup
    assert setup is not None
    assert setup.tables is not None
    assert [" ".join([laid.meld, *laid.cards]) for laid in setup.tables[0]] == melds
    assert setup.hands[0] == ["9C"]


def test_it_stays_open_which_of_two_pairs_of_like_cards_is_one_card() -> None:
    """Two queens and a king in two melds, or one queen in two and two kings: without labels a record cannot say it."""
    flags = {"QS.1": ["hasMarried"], "QS.2": ["hasBeziqued"], "JD": ["hasBeziqued"], "KS": ["hasMarried"]}  # fmt: skip
    ai = player_of(["TH", "9S", "8S", "7S", "9D", "8D", "7D", "7C"], [], {}, 0, Random(9))
    for more, verdict in ([], "incomplete"), (["hasFourKinded"], "undetermined"):
        flags["KS"] = ["hasMarried", *more]
        human = player_of(["9C", "8C", "9H", "8H"], [*flags], flags, 0, Random(10))
        assert check_record(record_of(a_save(human, ai))).verdict == verdict


def test_the_tables_are_taken_up_with_the_last_card_of_the_stock() -> None:
    """The program saves between the two."""
    human = player_of(["9C"], ["KS", "QS"], {c: ["hasMarried"] for c in ("KS", "QS")}, 0, Random(4))
    record = record_of(a_save(human, player_of(["TH", "9S", "8S"], [], {}, 0, Random(5)), ()))
    (deal,) = record.deals
    assert deal.setup is not None
    assert (deal.setup.tables, deal.setup.stock, deal.setup.turn_up, deal.stock) == (None, 0, None, None)  # fmt: skip
    assert sorted(deal.setup.hands[0]) == ["9C", "KS", "QS"]
    assert check_record(record).verdict == "incomplete"


@pytest.mark.parametrize("led", ["7H", "AS", "9D"])
def test_the_card_that_the_program_has_led_is_the_one_that_is_nowhere(led: str) -> None:
    """It leads to the first trick of a deal before the last deal is saved as ended."""
    pack = [f"{rank}{suit}.{copy}" for rank in RANKS for suit in SUITS for copy in (1, 2)]
    Random(led).shuffle(pack)
    pack.remove(f"{led}.1")
    hands = [player_of(pack[start : start + size], [], {}, 300, Random(6)) for start, size in ((0, 8), (8, 7))]  # fmt: skip
    save = save_of(hands, pack[15:], trump=pack[15][1], seat=0)
    record = record_of(save)
    (deal,) = record.deals
    assert deal.setup is not None
    assert (deal.setup.trick, deal.dealer, deal.setup.seat) == ([led], 0, 0)
    assert check_record(record).verdict == "incomplete"
    del save["gameData"]["deck"]["deck"][20]
    (deal,) = record_of(save).deals
    assert deal.setup is not None
    assert deal.setup.trick is None


def as_settings(text: bytes) -> bytes:
    """The file of settings that Qt writes: one line, with a backslash before quotes, and bytes beyond ASCII in hexadecimal."""
    escaped, may_go_on = "", False
    for sign in text.decode("latin-1"):
        is_digit = may_go_on and sign in "0123456789abcdefABCDEF"
        may_go_on = ord(sign) >= 0x7F or is_digit
        escaped += f"\\x{ord(sign):x}" if may_go_on else f"\\{sign}" if sign in '\\"' else sign
    return f'[data]\ngameData="@ByteArray({escaped})"\n\n[display]\nheight=1280\n'.encode()


@pytest.mark.parametrize("name", ["Ann", "Zoë", "日本", 'the "Ace"', "é9", "back\\slash", "a)b"])
def test_the_settings_of_later_versions_hold_the_same(name: str) -> None:
    text = json.dumps(a_save() | {"bottomName": name}, ensure_ascii=False).encode()
    settings = as_settings(text)
    record = converted(settings, "Bezique.ini")
    assert record.players[0].name == name
    assert codec.encode(record) == codec.encode(converted(text))
    assert codec.encode(converted(settings.replace(b"\n", b"\r\n"))) == codec.encode(record)


def refused(data: bytes) -> str:
    with pytest.raises(ConversionError) as error:
        list(read_sriep_saves(io.BytesIO(data), name="save.json", mapping={}))
    said = str(error.value)
    start, _, rest = said.partition(": ")
    assert start == "There is no match of Sriep's Bezique in save.json"
    return rest


def in_melds(*flags: str) -> Save:
    return a_save(player_of(["9C"], ["TS"], {"TS": list(flags)}, 0, Random(7)))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "it is neither JSON nor settings with a `gameData`."),
        (b"\xff\xfe{", "what it holds is not JSON."),
        (b"PK\x03\x04", "it is neither JSON nor settings with a `gameData`."),
        (b'gameData="@ByteArray({\\x100})"', "what it holds is not JSON."),
        (b"{}", "`bottomName` is missing."),
        (b'{"format": "bezique-record", "version": "1.0"}', "`bottomName` is missing."),
        (b'{"more": ' + b"[" * 100_000, "what it holds is not JSON."),
        (b"{" + b" " * 2**20, "it has more than 1,048,576 bytes."),
    ],
)
def test_other_files_are_refused(data: bytes, says: str) -> None:
    assert refused(data) == says


def test_what_a_save_says_twice_it_says_alike() -> None:
    save = a_save()
    save["gameData"]["trumps"] = SUITS.index("S")
    assert refused(json.dumps(save).encode()) == "`gameData.trumps` is not the suit of `gameData.faceCard`."  # fmt: skip
    save = a_save()
    save["gameData"]["faceCard"] = place_of("9H")
    assert refused(json.dumps(save).encode()) == "`gameData.faceCard` is not the first card of `gameData.deck.deck`."  # fmt: skip
    save = a_save()
    save["gameData"]["ai"]["hiddedCards"][0] = place_of("8H")
    assert refused(json.dumps(save).encode()) == "`gameData.ai.cards` are not those of `hiddedCards` and `meldedCards`."  # fmt: skip


@pytest.mark.parametrize("start", ['"bottomName": "Bea", ', '"gameData": {"trumps": 3, '])
def test_a_member_is_there_once(start: str) -> None:
    """Of two that differ nobody knows which the program wrote."""
    at = start.rpartition("{")[0]
    text = json.dumps(a_save()).replace(f"{at}{{", f"{start if at else '{' + start}", 1)
    name = "trumps" if at else "bottomName"
    assert refused(text.encode()) == f'"{name}" appears twice in one object.'
    assert refused(as_settings(text.encode())) == f'"{name}" appears twice in one object.'


@pytest.mark.parametrize("flags", [[], ["hasFourKinded"], ["hasFlushed", "hasFourKinded"]])
def test_a_card_on_the_table_is_in_a_meld(flags: list[str]) -> None:
    says = refused(json.dumps(in_melds(*flags)).encode())
    assert says == "`gameData.player.meldedCards[0]` is in no meld."


def test_a_target_that_the_rulebook_does_not_have_is_refused() -> None:
    """The program takes 10 to 5000; of another target the record could not be read."""
    (option,) = (each for each in SHEETS_BY_ID["bezique"].options if each.name == "target")
    assert isinstance(option, NumberOption)
    for target in (option.least, option.most):
        assert check_record(record_of(a_save(target=target))).verdict != "unreadable"
    below, above = (json.dumps(a_save(target=target)).encode() for target in (option.least - 1, option.most + 1))  # fmt: skip
    assert refused(below) == f"`gameData.winningThreshold` must be at least {option.least}."
    assert refused(above) == f"`gameData.winningThreshold` must be at most {option.most}."


def test_a_match_that_is_over_is_no_position() -> None:
    nothing = player_of([], [], {}, 1020, Random(8))
    says = refused(json.dumps(a_save(nothing, nothing, ())).encode())
    assert says == "`gameData.player.cards` and `gameData.ai.cards` have no card: the match is over."  # fmt: skip


def paths_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value within another."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for step, part in inside:
        yield (*path, step)
        if isinstance(part, dict | list):
            yield from paths_in(part, (*path, step))


REMOVED = "removed"
NOT_READ = {"imageFile", "link", "unseenCards", "humanStarted", "aiActivePlayer", "meldedSeven", "isEndgame", "gameState"}  # fmt: skip


def with_change(save: Save, path: tuple[Any, ...], value: object) -> bytes:
    changed = json.loads(json.dumps(save))
    place = reduce(lambda part, step: part[step], path[:-1], changed)
    if value is REMOVED:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return json.dumps(changed).encode()


@pytest.mark.long
@pytest.mark.parametrize("value", [None, "x", -1, [], {}, 10**30, 0.5, REMOVED], ids=repr)
def test_each_damage_is_told_by_the_name_of_a_member(value: object) -> None:
    """Or what is left is a record that is judged as every one is."""
    save = json.loads(SAMPLE.read_bytes())
    refusals = 0
    for path in paths_in(save):
        data = with_change(save, path, value)
        try:
            found = converted(data)
        except ConversionError:
            said = refused(data)
            assert re.match(r"`\w+(\.\w+|\[\d+\])*` ", said), said
            refusals += 1
            continue
        is_text = value == "x" and path[-1] in ("bottomName", "topName")
        is_shorter = (value == [] and path[-1] == "deck") or (
            value == REMOVED and path[-2] == "deck"
        )
        is_left_out = value == REMOVED and path[-1] == "winningThreshold"
        assert is_text or is_shorter or is_left_out or NOT_READ & set(path), path
        assert check_record(found).verdict in ("incomplete", "illegal")
    assert refusals > 50


def test_a_save_cut_short_is_not_json() -> None:
    data = SAMPLE.read_bytes().rstrip()
    for length in range(1, len(data), 97):
        assert refused(data[:length]) == "what it holds is not JSON."


def test_a_save_needs_no_mapping() -> None:
    with pytest.raises(ConversionError, match="A save needs no mapping"):
        list(read_sriep_saves(io.BytesIO(), name="save.json", mapping={"log": {}}))


def test_the_page_shows_the_sample() -> None:
    shown = (DOCUMENT_FOLDER / "converting.md").read_text(encoding="utf-8")
    assert write_notation(converted(SAMPLE.read_bytes())).rstrip() in shown
    assert check_record(converted(SAMPLE.read_bytes())).verdict == "incomplete"
