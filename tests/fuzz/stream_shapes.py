"""Shapes of texts and files: marks and blanks, members twice, deep nesting, many records, much in few bytes."""

from random import Random
from typing import Any
from urllib.parse import urlencode

from tests.fuzz.draws import TEXTS, many, number, text, times
from tests.fuzz.plans import Plan
from tests.fuzz.record_shapes import deep, some_record

BOM = "\ufeff"
BLANKS = ["\n", "\r\n", " ", "\t", "\r", " \n", BOM, BOM + "\n", "\x0b", "\x85", "\u2028"]
SMALL = ["{}", "[]", "null", "1", '""', "{", "}", '{"a":1}', '{"format":"bezique-record"}', "\uf7ff", "\x00", "nul"]  # fmt: skip
PACKS = ["", "gzip", "zstd"]


def raw(of: str) -> dict[str, Plan]:
    return {"@": "raw", "of": of}


def part(of: Plan, count: int = 1, end: str = "") -> dict[str, Plan]:
    return {"@": "part", "times": count, "of": of, "end": end}


def texts(random: Random) -> Plan:
    """One record, written as no program should."""
    before = [
        part(raw(random.choice(BLANKS)), many(random, 60_000)) for _ in range(random.randrange(3))
    ]
    after = [
        part(raw(random.choice([*BLANKS, *SMALL])), many(random, 60_000))
        for _ in range(random.randrange(2))
    ]
    return stream([*before, part(strange_text(random)), *after], "")


def strange_text(random: Random) -> Plan:
    """The text of a value that is wrong in one way, many times."""
    pair: Plan = [random.choice(["deals", "format", "a", "a#", "\ufeff"]), small_value(random)]
    ways: list[Plan] = [
        {"@": "members", "of": [times(random, 20_000, pair)]},
        {"@": "members", "of": [["format", "bezique-record"], times(random, 5_000, pair)]},
        deep(random),
        [times(random, 60_000, small_value(random))],
        raw("1" * many(random, 60_000)),
        raw("[" * many(random, 60_000)),
        raw('{"a":' * many(random, 12_000)),
        raw('"' + "\\u00e9" * many(random, 10_000) + '"'),
        raw('"' + "\\" * many(random, 60_000)),
        raw("1e" + "9" * many(random, 1_000)),
        some_record(random),
        {**some_record(random), "players": [times(random, 10_000, {"name": text(random)})]},
        {**some_record(random), "version": random.choice(["1.3", "2.0", "1." + "9" * 400])},
    ]
    return random.choice(ways)


def small_value(random: Random) -> Plan:
    return random.choice(
        [1, None, True, [], {}, [1], {"a": 1}, "10S", number(random), text(random)]
    )


NOTED_HEAD = '[bezique 1.0]\n[rules SHEET]\n[player a "Ann"]\n[player b "Bob"]\n'
NOTED = [
    "[deal a]\n", "[setup a]\n", "[hand a", "[stock", "[table a", "[trick", "[option a 1]\n", "[meta a [[]]]\n", "[ext a.b {}]\n",
    " QS", " ??", " bezique(QS JD)", "]\n", "]", "a:QS KS a+?? b+??\n", "a:QSt 5ms {}\n", "a:takes ", "b-5H ", "() ", "(a:QS)\n",
    '"x" ', '"x" by "y"\n', "a:marriage(KS QS)=40 ", "a:irregular(other)\n", "x\n", "(", ")", '"', "[", "{", "#\n", "1", " ",
]  # fmt: skip


def notations(random: Random) -> Plan:
    """A record in the notation, or pieces of the notation many times; perhaps several after each other."""
    if random.random() < 0.4:
        noted = {"@": "notation", "of": some_record(random)}
        return stream([part(noted, many(random, 4)), *pieces(random, 2_000)], "")
    head = NOTED_HEAD.replace(
        "SHEET", random.choice(["zique", "zetema", "bezique", "marjolet", "x"])
    )
    deal = [part(raw("[deal a]\n"))] * (random.random() < 0.8)
    return stream([part(raw(head), many(random, 3)), *deal, *pieces(random, 20_000)], "")


def pieces(random: Random, most: int) -> list[Plan]:
    return [
        part(raw(random.choice(NOTED)), many(random, most)) for _ in range(random.randrange(1, 6))
    ]


def files(random: Random) -> Plan:
    """Several records, blank lines, broken ones, in any order; plain."""
    return stream(file_parts(random, 20_000), "")


def packed(random: Random) -> Plan:
    """Much in few bytes: of one thing alone as much as there may be, or something of many."""
    most = random.choice([1_000, 1_000_000, 100_000_000])
    if random.random() < 0.3:
        parts: list[Plan] = [part(raw(random.choice([*BLANKS, *SMALL])), most)]
    else:
        parts = file_parts(random, most)
    plan = stream(parts, random.choice(PACKS[1:]))
    if random.random() < 0.2:
        plan["apart"] = True
    if random.random() < 0.1:
        plan["cut"] = many(random, 100)
    return plan


def stream(parts: list[Plan], pack: str) -> dict[str, Any]:
    return {"@": "stream", "pack": pack, "parts": parts}


def file_parts(random: Random, most: int) -> list[Plan]:
    return [file_part(random, most) for _ in range(many(random, 8))]


def file_part(random: Random, most: int) -> Plan:
    drawn = random.random()
    if drawn < 0.4:
        return part(raw(random.choice(BLANKS)), many(random, most))
    if drawn < 0.7:
        end = random.choice(["\n", "\n", "\r\n", "\n\n", " ", ""])
        return part(raw(random.choice(SMALL)), many(random, most), end)
    if drawn < 0.8:
        inside = [times(random, min(most, 4_000_000), random.choice([1, [], {}]))]
        return part({"a": inside}, many(random, 4), random.choice(["\n", ""]))
    if drawn < 0.9:
        return part(raw(random.choice(TEXTS) or "x"), many(random, most), random.choice(["", "\n"]))
    return part(some_record(random), many(random, min(most, 300)), "\n")


VIEWS = ["/replay", "/replay.json", "/replay/what-if", "/replay/what-if.json", "/replay/what-if/record.json"]  # fmt: skip
TRIED = ["play-0-QS", "play-1-7H", "draw-0-AS", "meld-0-marriage-KS-QS", "cut-0-24-24", "discard-0-5H", "dix-0-exchange", "carte_blanche-0", "trick-0"]  # fmt: skip


def links(random: Random) -> Plan:
    """A record inside an address, and what else an address may hold."""
    query: dict[str, Plan] = {}
    if random.random() < 0.3:
        query["deal"] = many(random, 4)
    if random.random() < 0.4:
        query["step"] = number(random)
    if random.random() < 0.2:
        query["see"] = random.randrange(3)
    if random.random() < 0.2:
        query["until"] = number(random)
    if random.random() < 0.4:
        tried = random.choice(TRIED)
        query["line"] = {"@": "repeat", "times": many(random, 500), "of": tried, "between": "~"}
    if random.random() < 0.1:
        query["kept"] = number(random)
    view = random.choice([*VIEWS, VIEWS[0], VIEWS[1]])
    return {"@": "link", "view": view, "record": some_record(random), "query": query}


KINDS_OF_FORMS = ("arrival", "absence", "naming", "pairing", "pairing", "swap", "removal", "typing", "typing", "opening", "")  # fmt: skip
FIELDS_OF_FORMS = {
    "round": "number", "first": "number", "second": "number", "player": "number", "over": "number", "typed": "number",
    "away": "number", "first_points": "number", "second_points": "number", "shown": "number", "name": "text", "event": "text",
    "day": "day", "outcome": "outcome", "system": "system",
}  # fmt: skip


def evening_forms(random: Random) -> Plan:
    """A form of an evening: what a page would send, or what none would."""
    kind = random.choice(KINDS_OF_FORMS)
    sent = [("kind", kind)] + [
        (name, _field(random, what))
        for name, what in FIELDS_OF_FORMS.items()
        for _ in range(many(random, 200) if random.random() < 0.02 else random.random() < 0.9)
    ]
    return raw(urlencode(sent, errors="surrogatepass"))


def _field(random: Random, what: str) -> str:
    if what == "number":
        return str(number(random) if random.random() < 0.2 else random.randrange(1, 8))
    known = {
        "day": ["2026-03-05", "0001-01-01", "9999-12-31", "tomorrow"],
        "outcome": ["first", "second", "draw", "open", "lost"],
        "system": ["swiss", "round-robin", "cup"],
    }
    return random.choice(known.get(what) or [*TEXTS, "Ann", "Bob", "Cleo"])
