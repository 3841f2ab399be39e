"""Logs of other programs, read with a mapping."""

import io
import json
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from records.format import codec
from records.format.event_log import ConversionError, LogReader, read_event_log
from records.format.log_mapping import read_mapping_file
from records.record import Record
from records.selfplay import play_game
from records.validator import check_record
from tests.real.other_programs import PROGRAMS, play_match
from tests.records.format.log_shapes import (
    TOTALS_MAPPING,
    TRICK_MAPPING,
    trick_by_trick,
    with_running_totals,
)

SAMPLES = Path(__file__).parents[3] / "samples"


def converted(log: str, mapping: dict[str, Any], name: str = "log") -> list[Record]:
    entries = read_event_log(io.BytesIO(log.encode()), name=name, mapping=mapping)
    found = [codec.decode(entry.data) for entry in entries]
    assert all(one.record for one in found), [one.findings for one in found]
    return [one.record for one in found if one.record]


def test_the_sample_log_is_the_sample_game() -> None:
    folder = SAMPLES / "logs"
    mapping = tomllib.loads((folder / "kylegameomatic.toml").read_text())
    (record,) = converted((folder / "kylegameomatic.csv").read_text(), mapping)
    told = codec.decode((SAMPLES / "good" / "bezique.json").read_bytes()).record
    assert told is not None
    (deal,), (sample,) = record.deals, told.deals
    assert (deal.dealer, deal.hands, deal.turn_up) == (sample.dealer, sample.hands, sample.turn_up)
    assert deal.events == [
        msgspec.structs.replace(one, **without_count(one)) for one in sample.events
    ]
    assert check_record(record).verdict == "legal"


def without_count(event: Any) -> dict[str, None]:
    return {"count": None} if getattr(event, "count", None) is not None else {}


JSON_MAPPING: dict[str, Any] = {
    "log": {"format": "jsonl"},
    "game": {"begins": "$match", "rules": {"id": "bezique"}, "players": ["$north", "$south"]},
    "deal": {"begins": "$round", "dealer": "$dealer"},
    "seats": {"N": 0, "S": 1},
    "cards": {"members": ["face", "suit"], "suits": {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}},
    "line": [
        {"when": {"what": "dealt"}, "write": [
            {"type": "hand", "seat": 0, "cards": "$n"}, {"type": "hand", "seat": 1, "cards": "$s"},
            {"type": "facts", "turn_up": "$up"}]},
        {"when": {"what": "trick"}, "write": {"type": "trick", "winner": "$who"}},
        {"when": {"what": "play|draw"}, "write": {"type": "$what", "seat": "$who", "card": "$card"}},
        {"when": {"what": "end"}, "write": {"type": "facts", "claims": {"scores": ["$n", "$s"]}}},
    ],
}  # fmt: skip


def in_suits(card: str) -> dict[str, str]:
    rank, suit = card
    return {
        "face": {"T": "10"}.get(rank, rank),
        "suit": dict(zip("SHDC", "♠♥♦♣", strict=True))[suit],
    }


def in_json(match: dict[str, Any], number: int) -> str:
    """A match as JSON Lines, in the words of nobody in particular; of the events plays, tricks and draws."""
    head = {"match": number, "north": "A", "south": "B"}
    lines = []
    for count, deal in enumerate(match["deals"]):
        head |= {"round": count, "dealer": "NS"[deal["dealer"]]}
        hands = [[in_suits(card) for card in hand] for hand in deal["hands"]]
        lines.append({**head, "what": "dealt", "n": hands[0], "s": hands[1], "up": in_suits(deal["turn_up"])})  # fmt: skip
        for event in deal["events"]:
            if event["type"] == "trick":
                lines.append({**head, "what": "trick", "who": "NS"[event["winner"]]})
            elif event["type"] in ("play", "draw"):
                card = in_suits(event["card"])
                lines.append({**head, "what": event["type"], "who": "NS"[event["seat"]], "card": card})  # fmt: skip
        north, south = deal["claims"]["scores"]
        lines.append({**head, "what": "end", "n": north, "s": south})
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_matches_of_other_programs_as_json_lines() -> None:
    matches = [play_match(program, 3) for program in PROGRAMS if not PROGRAMS[program].labels]
    log = "".join(in_json(match, number) for number, match in enumerate(matches))
    records = converted(log, JSON_MAPPING)
    assert len(records) == len(matches)
    for record, match in zip(records, matches, strict=True):
        told = json.loads(codec.encode(record))
        assert [player["name"] for player in told["players"]] == ["A", "B"]
        for deal, original in zip(told["deals"], match["deals"], strict=True):
            kept = ("play", "trick", "draw")
            events = [event for event in original["events"] if event["type"] in kept]
            for event in events:
                event.pop("from", None)
            assert deal["events"] == events
            assert all(deal[name] == original[name] for name in ("dealer", "hands", "turn_up", "claims"))  # fmt: skip


CSV_MAPPING: dict[str, Any] = {
    "log": {"format": "csv"},
    "game": {"rules": {"id": "bezique"}, "players": ["Ann", "Bob"]},
    "line": [
        {"when": {"what": "play"}, "write": {"type": "play", "seat": "$who", "card": "$card"}}
    ],
}


@pytest.mark.parametrize(
    ("log", "changes", "says"),
    [
        ("what,who,card\npass,Ann,\n", {}, "line 2 of log: no rule of the mapping fits what “pass”, who “Ann”."),
        ("what,who,card\nplay,Cleo,AS\n", {}, "line 2 of log: “Cleo” is no player and no seat of the mapping."),
        ("what,who,card\nplay,Ann,AX\n", {}, "line 2 of log: “AX” is no card."),
        ("what,who\nplay,Ann\n", {}, "line 2 of log: there is no column “card”; there are what, who."),
        ('what,who,card\n"play,Ann,AS\n', {}, "line 2 of log is not CSV: unexpected end of data."),
        ("{]\n", {"log": {"format": "jsonl"}}, "line 1 of log is not JSON."),
        ("3\n", {"log": {"format": "jsonl"}}, "line 1 of log is not a JSON object."),
        ("x\n", {"log": {"format": "xml"}}, "The mapping cannot be used: `log.format` cannot be “xml”."),
        ("x\n", {"line": [{"write": {"type": "wave"}}]}, "line 2 of log: the mapping writes the type “wave”"),
        ("x\n", {"line": [{"when": {"x": "("}, "write": {}}]}, "The mapping cannot be used: missing )"),
        ("x\n", {"line": [{"when": {"x": "a{9999999999}"}, "write": {}}]}, "The mapping cannot be used: the repetition"),
        ("x\n", {"game": {**CSV_MAPPING["game"], "more": {"deals": []}}}, "The mapping cannot be used: `deals` cannot stand"),
        ("x\n", {"line": [{"write": [{"type": "facts", "events": 3}, {"type": "cut"}]}]}, "line 2 of log: the mapping gives `events` a value that is no list."),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_told_with_its_line(
    log: str, changes: dict[str, Any], says: str
) -> None:
    log = log if log != "x\n" else "x\n1\n"
    with pytest.raises(ConversionError) as raised:
        converted(log, {**CSV_MAPPING, **changes})
    assert str(raised.value).startswith(says)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"log": {}}, "`log.format` is missing"),
        ({"log": {"format": "csv", "x": 1}}, "`log.x` is not known"),
        ({"wrong": 1}, "`wrong` is not known"),
        ({"array": 1}, "`array` is not known"),
        ({"log": {"format": "csv", "delimiter": 1}}, "`log.delimiter` must be a text, not a whole number"),
        ({"game": {"rules": {}, "players": [1]}}, "`game.players[0]` must be a text or a table, not a whole number"),
        ({"seats": {"a": "x"}}, "`seats.…` must be a whole number, not a text"),
    ],
)  # fmt: skip
def test_a_mapping_that_makes_no_sense_is_told_in_words(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(ConversionError) as raised:
        converted("x\n1\n", {**CSV_MAPPING, **changes})
    assert str(raised.value) == f"The mapping cannot be used: {says}."


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(ConversionError, match="line 2 of log is not UTF-8"):
        list(read_event_log(io.BytesIO(b"what\n\xff\n"), name="log", mapping=CSV_MAPPING))


def test_an_empty_log_has_no_game() -> None:
    assert converted("", CSV_MAPPING) == []


ODD_VALUES: list[Any] = [
    "", " ", "$a", "$b.c", "$game", "KS QS", 5, True, [], ["$a"], {}, {"x": "$a"}, "\ud800", 2**70, 1e400, None,
]  # fmt: skip
ODD_LINES = [
    "1,2,3", "x,,9", "Ann,KS,", '{"a":1,"b":{"c":[1,2]}}', '{"a":"\\ud800"}', '"', "\x00", "N,KS QS,1", " , , ",
    '{"a":NaN,"game":123456789012345678901234567890}', '{"a":[{"a":"KS"}],"b":" "}', '{"a":{"a":"K"}}',
]  # fmt: skip


def odd_mapping(random: Random) -> dict[str, Any]:
    """A mapping of the right shape, with whatever somebody may have put there."""

    def members(names: list[str]) -> dict[str, Any]:
        chosen = random.choices(names, k=random.randrange(3))
        return {name: random.choice([*ODD_VALUES, 1, "$a", "$game"]) for name in chosen}

    def template() -> dict[str, Any]:
        kind = random.choice(
            ["play", "meld", "hand", "facts", "result", "deal", "nothing", "$a", 5]
        )
        return {"type": kind, **members(["seat", "winner", "card", "cards", "points", "scores", "hands", "events"])}  # fmt: skip

    players = ["Ann", "Bob", "$a", {"name": "$b"}, {}]
    patterns = [{}, {}, {"a": ".*"}, {"a": "(?P<a>.)"}, {"line": "(?P<b>.*)"}]
    return {
        "log": {"format": random.choice(["csv", "jsonl", "lines"]), "delimiter": random.choice([",", ",", "\n", '"', ""])},
        "game": {
            "rules": members(["id"]), "players": random.choices(players, k=random.randrange(3)),
            "begins": random.choice(["", "", "$a"]), "more": members(["meta", "ext"]),
        },
        "deal": {"begins": random.choice(["", "$a"]), "dealer": random.choice([None, "$a"]), "more": members(["hands", "events"])},
        "seats": {"N": 0},
        "cards": {"form": random.choice(["{rank}{suit}", "{copy}"]), "members": random.choice([[], ["a"]])},
        "line": [{"when": random.choice(patterns), "write": [template(), template()]} for _ in range(2)],
    }  # fmt: skip


@pytest.mark.long
def test_no_mapping_and_no_log_fail_without_a_sentence() -> None:
    read = refused = 0
    for seed in range(1_000):
        random = Random(seed)
        mapping = odd_mapping(random)
        lines = ["a,b.c,game", *random.choices(ODD_LINES, k=2)]
        log = "\n".join(lines[mapping["log"]["format"] == "jsonl" :]).encode()
        try:
            read += sum(1 for _ in read_event_log(io.BytesIO(log), name="log", mapping=mapping))
        except ConversionError:
            refused += 1
    assert read > 10
    assert refused > 500


def played(games: int) -> list[dict[str, Any]]:
    """Matches of a rulebook with melds of won cards, exchanges and sevens played."""
    matches = (play_game("polish-bezique", seed=seed) for seed in range(1, games + 1))
    return [json.loads(codec.encode(record)) for record in matches]


def events_of(record: Record, kind: str) -> list[list[dict[str, Any]]]:
    told = json.loads(codec.encode(record))
    return [[event for event in deal["events"] if event["type"] == kind] for deal in told["deals"]]


def test_a_line_an_event_with_running_totals_comes_in_whole() -> None:
    games = played(2)
    records = converted(with_running_totals(games), tomllib.loads(TOTALS_MAPPING))
    assert len(records) == len(games)
    for record, game in zip(records, games, strict=True):
        for deal, original in zip(
            json.loads(codec.encode(record))["deals"], game["deals"], strict=True
        ):
            for event in original["events"]:
                event.pop("count", None)
            assert deal["events"] == original["events"]
            assert all(deal[name] == original[name] for name in ("dealer", "hands", "turn_up", "claims"))  # fmt: skip
        assert check_record(record).verdict == "legal"


def test_a_line_a_trick_comes_in_whole_though_it_names_no_winner() -> None:
    games = played(2)
    records = converted(trick_by_trick(games), tomllib.loads(TRICK_MAPPING))
    assert len(records) == len(games)
    for record, game in zip(records, games, strict=True):
        for kind in ("play", "meld", "dix"):
            told = events_of(record, kind)
            assert any(told)
            assert told == [
                [event for event in deal["events"] if event["type"] == kind]
                for deal in game["deals"]
            ]
        assert check_record(record).verdict == "legal"


SMALL = """
[log]
format = "{format}"
{log}
[game]
rules = {{ id = "bezique" }}
players = ["Ann", "Bob"]
[deal]
dealer = "Ann"
more = {{ knowledge = "plays" }}
{tables}
[[line]]
{line}
"""


@pytest.mark.parametrize(
    ("log", "form", "more", "line", "events"),
    [
        ('{"t": [["AS", "9S"], ["KH", "QD"]]}\n', "jsonl", "", 'write = { each = "$t", line = [{ write = { type = "plays", seat = "@winner", cards = "$item" } }] }',
         ["1 AS", "0 9S", "1 KH", "0 QD"]),
        ('[{"who": "Bob",\n "c": "AS"}]', "json", "", 'write = { type = "play", seat = "$who", card = "$c" }', ["1 AS"]),
        ("PLAY who=Bob card=AS # well\n", "pairs", 'comment = "#"', 'when = { line = "PLAY" }\nwrite = { type = "play", seat = "$who", card = "$card" }', ["1 AS"]),
        ('who="Bob" card="AS"\n', "pairs", "", 'write = { type = "play", seat = "$who", card = "$card" }', ["1 AS"]),
        ('who,rank,suit\nBob,A,S // "well"\n', "csv", 'comment = "//"', 'write = { type = "play", seat = "$who", card = "${rank}${suit}" }', ["1 AS"]),
        ("c\n7\n", "csv", "|[cards]\nnames = ['7S', '8S', '9S', 'TS', 'JS', 'QS', 'KS', 'AS']", 'write = { type = "play", seat = "Bob", card = "$c" }', ["1 AS"]),
        ("c\npik-as\n", "csv", '|[cards]\nnames = { "Pik-As" = "AS" }', 'write = { type = "play", seat = "Bob", card = "$c" }', ["1 AS"]),
        ("c\nAS9S\n", "csv", '|[cards]\nseparator = ""', 'write = { type = "plays", seat = "Bob", cards = "$c" }', ["1 AS", "0 9S"]),
        ("c\nAS 9S; 10H KH\n", "csv", "", 'write = { each = "$c", separator = ";", line = [{ write = { type = "plays", seat = "@winner", cards = "$item" } }] }',
         ["1 AS", "0 9S", "1 TH", "0 KH"]),
        ("c\nas\n", "csv", '|[cards]\nform = "{suit}{rank}"', 'write = { type = "play", seat = "Bob", card = "AS" }', ["1 AS"]),
    ],
)  # fmt: skip
def test_lists_constants_look_ups_and_seats_by_the_rules(
    log: str, form: str, more: str, line: str, events: list[str]
) -> None:
    of_log, _, tables = more.partition("|")
    mapping = tomllib.loads(SMALL.format(format=form, log=of_log, tables=tables, line=line))
    (record,) = converted(log, mapping)
    found = json.loads(codec.encode(record))["deals"][0]["events"]
    assert [f"{event['seat']} {event['card']}" for event in found] == events


def test_words_of_one_member_give_what_the_log_lacks() -> None:
    line = 'write = { type = "meld", seat = "Bob", meld = "$m", cards = "$c", points = "$m" }'
    tables = '[words]\n"1" = "marriage"\n[words.points]\n"1" = 40'
    mapping = tomllib.loads(SMALL.format(format="jsonl", log="", tables=tables, line=line))
    (record,) = converted('{"m": 1, "c": ["KH", "QH"]}\n', mapping)
    assert json.loads(codec.encode(record))["deals"][0]["events"] == [
        {"type": "meld", "seat": 1, "meld": "marriage", "cards": ["KH", "QH"], "points": 40}
    ]


def test_a_comment_can_be_a_note_on_the_event_before() -> None:
    line = 'write = [{ type = "play", seat = "$who", card = "$c" }, { type = "note", text = "$comment" }]'
    mapping = tomllib.loads(SMALL.format(format="csv", log='comment = "#"', tables="", line=line))
    (record,) = converted("who,c\nBob,AS # why?\n# nothing\nAnn,9S\n", mapping)
    told = json.loads(codec.encode(record))
    assert told["notes"] == [{"at": [0, 0], "text": "why?"}]


def test_a_game_goes_on_in_the_next_file_where_the_mapping_knows_their_names() -> None:
    tables = 'begins = "$deal"'
    line = 'write = { type = "play", seat = "Bob", card = "$c" }'
    mapping = tomllib.loads(
        SMALL.format(format="csv", log=r"name = 'm(?P<match>\d)-(?P<deal>\d)\.csv'", tables=tables, line=line)
    )  # fmt: skip
    mapping["game"]["begins"] = "$match"
    reader = LogReader(mapping)
    found = [
        entry
        for name in ("m1-1.csv", "m1-2.csv", "m2-1.csv")
        for entry in reader.read(io.BytesIO(b"c\nAS\n"), name=f"logs/{name}")
    ]
    found += reader.finish()
    assert [(entry.name, len(json.loads(entry.data)["deals"])) for entry in found] == [
        ("logs/m1-1.csv", 2),
        ("logs/m2-1.csv", 1),
    ]
    with pytest.raises(
        ConversionError, match=r"the name other\.csv is not such as the mapping wants"
    ):
        list(reader.read(io.BytesIO(b"c\nAS\n"), name="other.csv"))


def test_the_place_of_a_mistake_is_a_line_of_the_log_and_one_of_the_mapping() -> None:
    text = TOTALS_MAPPING.replace('card = "$cards"', 'card = "$carts"', 1)
    wrong = next(n for n, line in enumerate(text.splitlines(), 1) if "write = { line" in line)
    log = with_running_totals(played(1))
    row = next(n for n, line in enumerate(log.splitlines(), 1) if "PLAY" in line)
    reader = LogReader(read_mapping_file(text.encode(), "map.toml"))
    with pytest.raises(ConversionError) as raised:
        list(reader.read(io.BytesIO(log.encode()), name="log.csv"))
    assert str(raised.value) == (
        f"line {row} of log.csv: there is no column “carts”; there are table, deal, who, action, cards, total."
        f" See `line[2].write.line[0].write.card` (line {wrong} of map.toml)."
    )


def test_a_value_that_no_record_can_hold_is_traced_to_its_line() -> None:
    text = TOTALS_MAPPING.replace('total = "$total" }', "points = true }", 1)
    reader = LogReader(read_mapping_file(text.encode(), "map.toml"))
    log = with_running_totals(played(1))
    (game,) = reader.read(io.BytesIO(log.encode()), name="log.csv")
    finding = codec.decode(game.data).findings[0]
    assert finding.at.pointer is not None
    found = game.origin_of(finding.at.pointer)
    assert found is not None
    account, written = found
    assert account.text == next(line for line in log.splitlines() if "MELD" in line)
    assert written.path == ("line", 4, "write")
