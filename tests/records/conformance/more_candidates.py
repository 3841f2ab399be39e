"""More records from which the kit is chosen: those of other sheets' laws, deals by every option, and games by errors."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress

from msgspec.structs import replace

from records.errors import RulesError
from records.events import AnyEvent, Discard, Dix, Meld
from records.format.codec import encode
from records.record import Deal, Record, Result, Rules, Setup
from records.rules.registry import get_sheet
from records.rules.vocabulary import (
    ChoiceOption,
    MeldsFrom,
    Option,
    RaceTo,
    RuleOptionValue,
    RuleSheet,
    TurnUp,
)
from records.selfplay import play_game
from records.validate.finding import Finding
from tests.playouts.games import tables
from tests.playouts.hoarding import play_hoarding_game
from tests.records.conformance.candidates import Candidate, every_meld, record_of
from tests.records.conformance.game_candidates import with_claims
from tests.records.conformance.law_twins import fault_of
from tests.records.conformance.planted.planting import Planted, SheetChange
from tests.samples import broken

Options = dict[str, RuleOptionValue]
GAMES_BY_ERROR = 4
LONGEST = 1_200
"""Records of more bytes are not told of other sheets."""


def told_of(
    sheet: RuleSheet, records: Iterable[Record], positions: Iterable[Record] = ()
) -> list[Candidate]:
    """Records of any sheet told of this one, the shortest first; with an option where its values differ in the verdict."""
    texts: dict[bytes, Record] = {}
    named = defaultdict[bytes, set[str]](set)
    for record in records:
        if (get_sheet(record.rules.id).rules.tableau is None) == (sheet.rules.tableau is None):
            for other in _like(sheet, record):
                text = encode(other)
                texts.setdefault(text, other)
                named[text] |= record.rules.options.keys()
    some = [
        texts[text]
        for text in sorted(texts, key=lambda text: (len(text), text))
        if len(text) < LONGEST
    ]
    found = [_candidate("told", number, record) for number, record in enumerate(some)]
    for option in sheet.options:
        about = [record for text, record in texts.items() if option.name in named[text]]
        about += positions
        for number, record in enumerate(about):
            ways = [
                replace(record, rules=Rules(id=sheet.id, options={option.name: v}))
                for v in every_value(option)
            ]
            if len({fault_of(way) is None for way in ways}) > 1:
                found += [
                    _candidate(f"told-{option.name}-{i}", number, way) for i, way in enumerate(ways)
                ]
    return found


def every_value(option: Option) -> list[RuleOptionValue]:
    """The values of an option; of a number its ends, and its default."""
    if isinstance(option, ChoiceOption):
        return list(option.permitted)
    return list(dict.fromkeys([option.least, option.default, option.most]))


def _candidate(name: str, number: int, record: Record) -> Candidate:
    about = "A position in which programs err."
    return Candidate(f"{name}-{number}", "twins", about, record)


def _like(sheet: RuleSheet, record: Record) -> Iterator[Record]:
    told = replace(record, rules=Rules(id=sheet.id), provenance=None)
    yield told
    if sheet.rules.melds_from is MeldsFrom.CAPTURED and len(record.deals) == 1:
        deal = _captured(record.deals[0])
        if deal is not None:
            yield replace(told, deals=[deal])


def _captured(deal: Deal) -> Deal | None:
    """A deal that begins with melds, with its cards won instead of held: those of the last meld in the trick just won."""
    setup, melds = deal.setup, [event for event in deal.events if isinstance(event, Meld)]
    if (
        setup is None
        or not melds
        or not setup.won
        or setup.captured
        or not isinstance(deal.events[0], Meld)
    ):
        return None
    seat = setup.seat
    lying = Counter[str]()
    for group in (setup.tables or [[], []])[seat]:
        lying |= Counter(group.cards)
    own = Counter(setup.hands[seat]) + lying
    cards = [
        *(own - Counter(melds[0].cards)).elements(),
        *(own & Counter(melds[0].cards)).elements(),
    ]
    piles: list[list[str]] = [[], []]
    piles[seat] = cards if len(cards) % 2 == 0 else ["8C", *cards]
    hands = [["9C"], ["8D"]]
    return replace(deal, setup=replace(setup, hands=hands, captured=piles))


# -- deals


def option_games(sheet: RuleSheet) -> Iterator[Candidate]:
    """A deal by each value of each option, and a whole match where it is short."""
    for option in sheet.options:
        for value in every_value(option):
            for style in ("greedy", "random"):
                record = _played(sheet, {option.name: value}, 40, style)
                if record is not None:
                    about = f"A deal with `{option.name}` {value}."
                    yield Candidate(f"option-{option.name}-{value}-{style}", "games", about, record)


def _played(sheet: RuleSheet, options: Options, seed: int, style: str) -> Record | None:
    try:
        record = play_game(
            sheet.id, seed=seed, deals=1, style=style, options=options, where=style == "random"
        )  # type: ignore[arg-type]
    except RulesError:
        return None
    return replace(record, meta=None, provenance=None)


def played_by(error: Planted) -> Iterator[list[Candidate]]:
    """Deals played by a sheet with an error, a few at a time, cut after the first event that the rulebook forbids."""
    if not isinstance(error.change, SheetChange):
        return
    for seed in range(GAMES_BY_ERROR):
        with error.change.within():
            records = list(_by_error(error.change.sheet, seed))
        faults = [(style, record, fault_of(record)) for style, record in records]
        yield [
            Candidate(_plain(f"by-{error.name}-{style}-{seed}"), "mutants",
                      f"A deal played with an error: {error.says}", _cut(record, fault))
            for style, record, fault in faults
            if fault is not None
        ]  # fmt: skip


def _by_error(sheet: RuleSheet, seed: int) -> Iterator[tuple[str, Record]]:
    # What is no game at all cannot be played.
    for style in ("greedy", "random"):
        with suppress(Exception):
            record = play_game(sheet.id, seed=60 + seed, deals=1, style=style, where=seed % 2 == 1,  # type: ignore[arg-type]
                               players=sheet.rules.players[seed % len(sheet.rules.players)])  # fmt: skip
            yield style, replace(record, meta=None, provenance=None)
    if sheet.rules.tableau is None:
        with suppress(Exception):
            yield "hoarding", with_claims(play_hoarding_game(sheet.id, seed))


def _plain(name: str) -> str:
    return "".join(sign if sign.isalnum() else "-" for sign in name).strip("-").lower()


def _cut(record: Record, fault: Finding) -> Record:
    """The record as far as its first fault."""
    if fault.at.deal is None:
        return record
    deals = record.deals[: fault.at.deal + 1]
    if fault.at.event is not None:
        events = deals[-1].events[: fault.at.event + 1]
        deals = [*deals[:-1], replace(deals[-1], events=events, claims=None)]
    return replace(record, deals=deals, result=None)


def broken_records() -> Iterator[Record]:
    """The smallest broken record of every code, as far as a position tells it."""
    return (each.record() for each in broken.RECORDS.values())


# -- near misses


def near_misses(sheet: RuleSheet) -> Iterator[Candidate]:
    """Melds with a card of another suit or rank, and more melds than a trick allows; rows and partners of Zetema."""
    if sheet.rules.tableau is not None:
        yield from _rows(sheet)
        yield from _partners(sheet)
        yield from _targets(sheet)
        for many in (2, 3, 4):
            yield _mixed_marriages(sheet, many)
        return
    for row in sheet.rules.melds:
        whole = next(
            one for one in every_meld(sheet) if one.name == f"meld-{row.words.replace(' ', '-')}"
        )
        (meld,) = whole.record.deals[0].events
        assert isinstance(meld, Meld)
        for at, card in enumerate(meld.cards):
            for other in dict.fromkeys(
                [card[0] + "H", card[0] + "D", card[0] + "C", *_next_ranks(card)]
            ):
                if other != card:
                    cards = [*meld.cards[:at], other, *meld.cards[at + 1 :]]
                    yield _changed_meld(whole, meld, cards, f"{whole.name}-{at}-{other.lower()}")
                    every = [other if each == card else each for each in meld.cards]
                    if every != cards:
                        yield _changed_meld(
                            whole, meld, every, f"{whole.name}-all-{at}-{other.lower()}"
                        )
    yield from _several(sheet)
    yield from _sevens(sheet)


def _next_ranks(card: str) -> list[str]:
    ranks = "AKQJT987"
    at = ranks.index(card[0])
    return [rank + card[1] for rank in ranks[max(0, at - 1) : at + 2]]


def _changed_meld(whole: Candidate, meld: Meld, cards: list[str], name: str) -> Candidate:
    """The position of a meld with other cards."""
    (deal,) = whole.record.deals
    setup, old = deal.setup, Counter(meld.cards)
    assert setup is not None
    new = Counter(cards)

    def other(pile: list[str]) -> list[str]:
        gone, come = (old - new).elements(), list((new - old).elements())
        left = list(pile)
        for card in gone:
            left[left.index(card)] = come.pop()
        return left

    if setup.captured:
        setup = replace(setup, captured=[other(setup.captured[0]), setup.captured[1]])
    else:
        setup = replace(setup, hands=[other(setup.hands[0]), setup.hands[1]])
    record = replace(
        whole.record, deals=[replace(deal, setup=setup, events=[replace(meld, cards=cards)])]
    )
    return Candidate(f"near-{name}", "twins", f"A meld with another card: {whole.about}", record)


def _several(sheet: RuleSheet) -> Iterator[Candidate]:
    """Two and three melds after a trick, before the close and after it."""
    packs = sheet.rules.pack.packs > 1
    cards = [
        ["KH", "QH"],
        *([["QS", "JD"]] if packs else [["JH", "QS"], ["JH", "QH"]]),
        ["KC", "QC"],
    ]
    named = {row.name for row in sheet.rules.melds}
    names = [
        "marriage",
        *(["bezique" if "bezique" in named else "zique"] if packs else ["marjolet"] * 2),
        "marriage",
    ]
    hand = [*dict.fromkeys(card for some in cards for card in some)]
    loose = [rank + suit for rank in "987" for suit in "CDS"][: len(hand)]
    turned = isinstance(sheet.rules.trumps, TurnUp)
    for left in (5 if turned else 6, 0):
        place = {"stock": left, "turn_up": "9H" if turned and left else None, "trump": "H"}
        for many in (1, 2, 3, 4):
            melds = [
                Meld(seat=0, meld=name, cards=some) for name, some in zip(names, cards, strict=True)
            ][:many]  # type: ignore[arg-type]
            setup = Setup(hands=[hand, loose], seat=0, won=True, **place)  # type: ignore[arg-type]
            deal = Deal(dealer=1, knowledge="full", setup=setup, events=[*melds])
            yield Candidate(
                f"melds-{many}-{left}",
                "twins",
                f"{many} melds after a trick.",
                record_of(sheet.id, deal),
            )


def _sevens(sheet: RuleSheet) -> Iterator[Candidate]:
    """What may be done with a seven, by every option about sevens."""
    ways: list[Options] = [{}]
    for option in sheet.options:
        if isinstance(option, ChoiceOption) and any(
            change.path.startswith("/rules/dix")
            for value in option.values
            for change in value.changes
        ):
            ways += [{option.name: value} for value in option.permitted]
    marriage = Meld(seat=0, meld="marriage", cards=["KH", "QH"])
    acts: dict[str, list[AnyEvent]] = {
        "exchange": [Dix(seat=0, action="exchange")],
        "exchange-meld": [Dix(seat=0, action="exchange"), marriage],
        "show-twice": [Dix(seat=0, action="show"), Dix(seat=0, action="show")],
    }
    for action in ("exchange", "show"):
        acts |= {
            f"{action}-{points}": [Dix(seat=0, action=action, points=points)]  # type: ignore[arg-type]
            for points in (0, 10, 20)
        }
    for number, options in enumerate(ways):
        for name, events in acts.items():
            for spent in (None, ["7H"]):
                setup = Setup(hands=[["7H", "KH", "QH"], ["8C", "8D", "9C"]], seat=0, won=True, turn_up="9H", stock=5,
                              trump="H", spent_dixes=spent)  # fmt: skip
                deal = Deal(dealer=1, knowledge="full", setup=setup, events=[*events])
                record = replace(
                    record_of(sheet.id, deal), rules=Rules(id=sheet.id, options=options)
                )
                suffix = "-spent" if spent else ""
                yield Candidate(
                    f"seven-{name}{suffix}-{number}", "twins", "A seven exchanged or shown.", record
                )


def _rows(sheet: RuleSheet) -> Iterator[Candidate]:
    """Every sequence there is, those round the corner, and every one with a gap."""
    row = sheet.rules.pack.row or ()
    for at in range(len(row)):
        for gap in (0, 1):
            ranks = [*(row * 2)[at : at + 5], row[(at + 5 + gap) % len(row)]]
            cards = [rank + suit for rank, suit in zip(ranks, "SHDCSH", strict=True)]
            setup = Setup(hands=[cards, ["5C" if "5C" not in cards else "6C"]], seat=0, stock=7)
            deal = Deal(
                dealer=1,
                knowledge="full",
                setup=setup,
                events=[Meld(seat=0, meld="sequence", cards=cards)],
            )
            yield Candidate(
                f"row-{at}-{gap}", "twins", "Six cards in a row, or not.", record_of(sheet.id, deal)
            )


def _partners(sheet: RuleSheet) -> Iterator[Candidate]:
    """The beginning of a deal at every table."""
    for players, sides in tables(sheet):
        record = play_game(sheet.id, seed=3, deals=1, players=players, sides=sides)
        deals = [replace(record.deals[0], events=record.deals[0].events[:3], claims=None)]
        name = f"table-{players}" + "".join(f"-{len(side)}" for side in sides or ())
        yield Candidate(name, "games", "The beginning of a deal.", replace(record, deals=deals, meta=None, provenance=None, result=None))  # fmt: skip


def _targets(sheet: RuleSheet) -> Iterator[Candidate]:
    """The end of a match at every table, at the target and ten points short of it."""
    assert isinstance(sheet.rules.match, RaceTo)
    cards = ["2C", "3D", "4C", "6D", "8H", "9D"]
    for players, target in sheet.rules.match.target.items():
        for short in (0, 10):
            hands = [[card] for card in cards[:players]]
            setup = Setup(hands=hands, seat=0, scores=[target - short, *[0] * (players - 1)])
            events = [Discard(seat=seat, card=cards[seat]) for seat in range(players)]
            deal = Deal(dealer=players - 1, knowledge="full", setup=setup, events=[*events])
            record = record_of(sheet.id, deal, players=players, result=Result(status="complete"))
            yield Candidate(f"target-{players}-{short}", "twins", f"{short} points are missing, and the match is called complete.", record)  # fmt: skip


def _mixed_marriages(sheet: RuleSheet, many: int) -> Candidate:
    """So many kings and queens, one queen of no suit in which there is a king."""
    kings, queens = ["KS", "KH", "KD", "KS"][:many], ["QS", "QH", "QD"][: many - 1]
    hand = ["KS", "QS", "2C", "3D", "4C", "6D"]
    tableau = [*kings[1:], *queens[1:], "QC"]
    setup = Setup(hands=[hand, ["5C"]], seat=0, stock=7, tableau=tableau)
    events = [Meld(seat=0, meld="marriages", cards=[*kings, *queens, "QC"])]
    deal = Deal(dealer=1, knowledge="full", setup=setup, events=[*events])
    about = f"{many} marriages, one of two suits."
    return Candidate(f"mixed-marriages-{many}", "twins", about, record_of(sheet.id, deal))
