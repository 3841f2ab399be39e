"""The cases that are no twins, games or mutants: replays, partial records, bytes, settlements, counts, endings."""

import base64
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from analyzer.review.exact_values import ending_values
from analyzer.solver.close import SearchLimitExceeded
from records.conformance.answers import OWN_ANSWERS
from records.conformance.cases import Case, Confirmed
from records.documents.points_page import EXAMPLES
from records.format import codec
from records.format.codec import encode
from records.record import Deal, Player, Record, Rules, Setup
from records.rules.registry import ALL_SHEETS, get_sheet
from records.rules.vocabulary import OneDeal, RuleSheet
from records.selfplay import play_game
from tests.playouts.asserts import stripped
from tests.playouts.views import KINDS
from tests.records.conformance.candidates import Candidate, every_meld
from tests.records.conformance.case_making import case_of, features_of, level_of
from tests.records.conformance.game_candidates import games
from tests.referee.perft import POSITIONS
from tests.samples.make import SAMPLES

VIEWS = (
    "seat",
    "public",
    "plays",
    "scores",
    "holes in plays",
    "melds left out",
    "hidden plays",
    "plays without turn up",
)
PERFT_DEPTH, MOST_NODES = 3, 400
CARDS_IN_ENDING, ENDINGS = 3, 3
LARGEST_SAMPLE = 4_000
"""Broken samples of more bytes are left out; they are in `samples/broken`."""


def made(
    name: str, area: str, ask: str, about: str, given: dict[str, Any], *,
    record: Record | None = None, sheet: str | None = None, laws: list[str] | None = None,
    confirmed: list[Confirmed] | None = None,
) -> Case:  # fmt: skip
    """A case with the answer of this program."""
    answer = OWN_ANSWERS[ask](given) if ask != "ending" else {"values": ending_values(record)}  # type: ignore[arg-type]
    return Case(
        id=f"{sheet or 'format'}/{area}/{name}",
        area=area,  # type: ignore[arg-type]
        ask=ask,  # type: ignore[arg-type]
        sheet=sheet,
        level=level_of(record) if record else "full",
        features=features_of(record) if record else [],
        laws=laws or [],
        about=about,
        confirmed=confirmed or [],
        given=given,
        expect=answer,
    )


def given_record(record: Record) -> dict[str, Any]:
    """What is sent of a record."""
    return {"record": msgspec.json.decode(encode(record))}


def replayed_deal(sheet: RuleSheet) -> Record:
    """The deal that is followed, with labels where there are too many packs for a referee to follow it without."""
    record = play_game(sheet.id, seed=7, deals=1, labels=sheet.rules.pack.packs > 2)
    return replace(record, meta=None, provenance=None, result=None)


def replay_cases(sheet: RuleSheet) -> Iterator[Case]:
    """The first deal of a game, followed event by event."""
    record = stripped(replayed_deal(sheet))
    yield made("deal", "replay", "replay", "A deal, with the scores and the choices at every step.",
               given_record(record), record=record, sheet=sheet.id, confirmed=["referee"])  # fmt: skip


def partial_cases(sheet: RuleSheet) -> Iterator[Case]:
    """Views of a game, as it goes on and at its end, and a breach that a view still shows."""
    record = stripped(next(record for _, record in games(sheet)))
    short = replace(record, deals=[replace(record.deals[0], events=record.deals[0].events[:24], claims=None)],
                    result=None)  # fmt: skip
    for kind in VIEWS:
        for number, whole in enumerate((short, record)):
            views = [*KINDS[kind](whole, Random(f"{sheet.id} {kind}"))] if kind in KINDS else []
            if not views or (number and kind not in ("public", "scores")):
                continue
            name = f"{kind.replace(' ', '-')}-{'whole' if number else 'begun'}"
            about = f"What is known of a legal game: {kind}."
            case = case_of(Candidate(name, "partial", about, views[0]))
            # The view was made of a legal game: it is never wrong.
            assert case.expect["right"], case.id
            case.confirmed = ["referee"]
            yield case


def settlement_cases(sheet: RuleSheet) -> Iterator[Case]:
    """The published examples of settlements, and those by other options."""
    if not isinstance(sheet.rules.match, OneDeal):
        return
    names = [option.name for option in sheet.options]
    ways: list[dict[str, Any]] = [{}]
    ways += [{"settlement": "portland"}] if "settlement" in names else []
    ways += [{"win_bonus": 1000}] if "win_bonus" in names else []
    for options in ways:
        for about, points, brisques in EXAMPLES[
            sheet.rules.match.rubicon, sheet.rules.brisques.count
        ]:
            name = "-".join([*map(str, options.values()), *about.replace(",", "").split()])
            given = {
                "sheet": sheet.id,
                "options": options,
                "points": [*points],
                "brisques": [*brisques],
            }
            case = made(name, "settlement", "settle", f"A settlement: {about}.", given, sheet=sheet.id,
                        laws=["C15"], confirmed=["referee"])  # fmt: skip
            if options:
                case.features = ["options"]
            yield case


def perft_cases(sheet: RuleSheet) -> Iterator[Case]:
    """Every published position, and one for every line of the table of melds."""
    for position in POSITIONS[sheet.id]:
        record = position.record(sheet.id)
        yield _perft(sheet, position.name, position.says, record, position.depth)
    for candidate in every_meld(sheet):
        if not candidate.name.endswith("-wrong"):
            record = _before_the_meld(candidate.record, sheet)
            about = f"Where this can be scored: {candidate.about}"
            yield _perft(sheet, candidate.name, about, record, PERFT_DEPTH)


def _perft(sheet: RuleSheet, name: str, about: str, record: Record, depth: int) -> Case:
    from records.conformance.answers import Perft

    counts = Perft(record).nodes(depth)
    deep = max(2, next((i for i, count in enumerate(counts) if count > MOST_NODES), depth))
    given = {**given_record(record), "depth": min(depth, deep)}
    return made(name, "perft", "perft", about, given, record=record, sheet=sheet.id,
                confirmed=["brute-force"])  # fmt: skip


def _before_the_meld(record: Record, sheet: RuleSheet) -> Record:
    """The position before the meld, with the rest of the stock written."""
    (deal,) = record.deals
    setup = deal.setup
    assert setup is not None
    used = [*(card for hand in setup.hands for card in hand), *(setup.tableau or [])]
    used += [card for pile in setup.captured or [] for card in pile]
    used += [setup.turn_up] if setup.turn_up else []
    left = [rank + suit for rank in "87J9" for suit in "CDSH"]
    stock = [card for card in left if card not in used][: setup.stock]
    return replace(record, deals=[replace(deal, events=[], stock=stock, knowledge=None)])


def ending_cases(sheet: RuleSheet) -> Iterator[Case]:
    """Small endings, every card valued."""
    if sheet.rules.tableau is not None or sheet.rules.melds_from.value == "captured":
        return
    random, found = Random(f"ending {sheet.id}"), 0
    while found < ENDINGS:
        record = _ending(sheet, random)
        try:
            values = set(ending_values(record).values())
        except SearchLimitExceeded:
            continue
        if len(values) > 1:
            found += 1
            yield made(str(found), "endings", "ending", "Three cards each after the close: what every card is worth.",
                       given_record(record), record=record, sheet=sheet.id, confirmed=["minimax"])  # fmt: skip


def _ending(sheet: RuleSheet, random: Random) -> Record:
    """A few cards of two or three suits, without a seven of trumps."""
    trump = random.choice("SHDC")
    suits = {trump, *random.sample("SHDC", 2)}
    pack = [
        rank + suit
        for rank in sheet.rules.pack.ranks
        for suit in sorted(suits)
        if rank + suit != f"7{trump}"
    ]
    random.shuffle(pack)
    hands = [pack[:CARDS_IN_ENDING], pack[CARDS_IN_ENDING : 2 * CARDS_IN_ENDING]]
    setup = Setup(hands=hands, seat=random.randrange(2), trump=trump)  # type: ignore[arg-type]
    deal = Deal(dealer=0, knowledge="full", setup=setup)
    return Record(format="bezique-record", version="1.0", rules=Rules(id=sheet.id),
                  players=[Player(name="Ann"), Player(name="Bob")], deals=[deal])  # fmt: skip


def canonical_cases() -> Iterator[Case]:
    """Texts that say the same, written differently, each with its canonical text and digest."""
    small = '{"format":"bezique-record","version":"1.0","rules":{"id":"bezique"},"players":[{"name":"Ann"},{"name":"Bob"}]}'
    game = encode(stripped(next(record for _, record in games(get_sheet("marjolet"))))).decode()
    record = msgspec.json.decode(game)
    deal = '"deals":[{"dealer":0,"events":[{"type":"play","seat":0,"card":"10S"}]}]'
    texts = {
        "smallest": ("The smallest record.", small),
        "white-space": ("White space between members.", small.replace(",", " ,\n\t").replace(":", " : ")),
        "order": ("Members in another order.", msgspec.json.encode(dict(reversed(record.items()))).decode()),
        "nulls": ("Members that are null are left out.", small[:-1] + ',"meta":null,"result":null}'),
        "nulls-of-lists": ("Lists and objects that are null are left out.",
                           small[:-1].replace('"id":"bezique"', '"id":"bezique","options":null') + ',"deals":null,"notes":null}'),
        "nulls-in-a-deal": ("Members of a deal and of its setup that are null are left out.",
                            small[:-1] + ',"deals":[{"dealer":0,"setup":{"hands":[["AS"],["TS"]],"seat":0,"trump":"H","stock":null,'
                            '"won":null,"tables":null},"events":null,"claims":null}]}'),
        "defaults": ("Members with their defaults are left out.",
                     small[:-1] + ',"deals":[]}'.replace('"rules":{"id":"bezique"}', '"rules":{"id":"bezique","options":{}}')),
        "tens": ("A ten written 10S is written TS.", small[:-1] + f",{deal}}}"),
        "escapes": ("Escapes in texts.", small.replace('"Ann"', '"\\u0041nn\\u00e9\\/\\u001f\\n\\ud83c\\udca1"')),
        "sorted": ("Members of meta sorted by code point, a null kept.",
                   small[:-1] + ',"meta":{"z":1,"é":null,"a":{"c":[1.5,null],"b":2},"A":true}}'),
        "winner-null": ("A winner of null stays.", small[:-1] + ',"result":{"winner":null}}'),
        "options": ("Options sorted; a default written out stays.",
                    small.replace('{"id":"bezique"}', '{"options":{"target":1000,"follow":"any"},"id":"bezique"}')),
        "ms-and-ext": ("Times and extensions are no part of the digest.",
                       small[:-1] + ',"deals":[{"dealer":1,"events":[{"type":"play","seat":0,"card":"AS","ms":5,'
                       '"ext":{"org.example.a":1}}],"ext":{"org.example.b":[]}}]}'),
        "scores": ("Names and meta are part of the digest where every deal is known by its scores alone.",
                   small[:-1] + ',"meta":{"date":"2026-11-05"},"deals":[{"dealer":0,"knowledge":"scores","claims":{"scores":[100,170]}}]}'),
        "scores-and-play": ("They are none where one deal tells its play.",
                            small[:-1] + ',"meta":{"date":"2026-11-05"},"deals":[{"dealer":0,"events":[{"type":"play","seat":1,"card":"AS"}]},'
                            '{"dealer":1,"knowledge":"scores","claims":{"scores":[100,170]}}]}'),
        "order-of-event": ("The type of an event comes first.",
                           small[:-1] + ',"deals":[{"events":[{"card":"AS","seat":0,"type":"play"}],"dealer":0}]}'),
        "game": ("A whole deal.", game),
    }  # fmt: skip
    for name, (about, text) in texts.items():
        data = base64.b64encode(text.encode()).decode()
        yield made(name, "canonical", "canonical", about, {"base64": data}, confirmed=["recount"])


def broken_cases() -> Iterator[Case]:
    """The broken samples: bytes that are no record, and the smallest record with every finding."""
    for path in sorted((SAMPLES / "broken").glob("*.json")):
        data = path.read_bytes()
        if len(data) > LARGEST_SAMPLE:
            continue
        yield _broken(path, data)


def _broken(path: Path, data: bytes) -> Case:
    decoded = codec.decode(data)
    about = f"The smallest record with the finding {path.stem}."
    sheet = decoded.record and decoded.record.rules.id
    known = sheet in {sheet.id for sheet in ALL_SHEETS}
    if decoded.record is None or decoded.findings or not known:
        given = {"base64": base64.b64encode(data).decode()}
        # What can be read is judged by its sheet, so a program must know that.
        return made(path.stem, "bytes", "validate", about, given, sheet=sheet if known else None,
                    confirmed=["text"])  # fmt: skip
    case = case_of(Candidate(path.stem, "odd", about, decoded.record))
    case.confirmed = case.confirmed or ["text"]
    return case
