"""Positions that no test of a law plays, for errors that nothing else catches, each with its twin."""

from collections.abc import Iterator
from typing import Any

from records.events import AnyEvent, Discard, Dix, Draw, Meld, Play, Score, Trick
from records.record import Deal, Laid, Setup
from records.rules.vocabulary import (
    DixRule,
    Follow,
    RuleSheet,
    TurnUp,
    When,
    Window,
)  # fmt: skip
from tests.records.conformance.candidates import Candidate, record_of


def special_positions(sheet: RuleSheet) -> Iterator[Candidate]:
    """Positions of a sheet, by its rules."""
    yield _claim_then_breach(sheet)
    if sheet.rules.tableau is not None:
        yield from _zetema(sheet)
        return
    yield from _dealt(sheet)
    if isinstance(sheet.rules.trumps, TurnUp):
        yield from _last_draw(sheet)
    yield from _sequences(sheet)
    yield from _close(sheet)
    yield from _bonuses(sheet)
    if sheet.rules.dix is not None and sheet.rules.dix.exchange is Window.AFTER_TRICK_WON:
        yield from _sevens(sheet, sheet.rules.dix)


def _pair(
    sheet: RuleSheet,
    name: str,
    about: str,
    laws: list[str],
    right: Deal,
    wrong: Deal,
    players: int = 2,
) -> Iterator[Candidate]:
    """A right and a wrong deal that differ in one place."""
    for which, deal, other in (("right", right, "wrong"), ("wrong", wrong, "right")):
        record = record_of(sheet.id, deal, players=players)
        yield Candidate(
            f"{name}-{which}", "twins", f"{about} ({which})", record, laws, f"{name}-{other}"
        )


def deal_from(events: list[AnyEvent], hands: list[list[str]], **setup: Any) -> Deal:
    position = Setup(hands=hands, seat=setup.pop("seat", 0), **setup)
    return Deal(dealer=1, knowledge="full", setup=position, events=events)


def _claim_then_breach(sheet: RuleSheet) -> Candidate:
    """A claim that is wrong, and after it a broken rule, which a program that believes the claim does not see."""
    hands = [["9S", "9D"], ["8S", "8D"]]
    events: list[AnyEvent] = [
        Play(seat=0, card="9S"), Play(seat=1, card="8S"), Trick(winner=1), Play(seat=1, card="8D"),
    ]  # fmt: skip
    place: dict[str, Any] = {"trump": "H"}
    if sheet.rules.tableau is not None:
        hands, place = [["KH", "QH", "2C", "3D", "4C", "6D"], ["5C"]], {"stock": 7}
        married = Meld(seat=0, meld="marriages", cards=["KH", "QH"], points=20)
        events = [married, Discard(seat=0, card="2C")]
    about = "A wrong claim, and after it a broken rule: the worse of the two is the verdict."
    return Candidate(
        "claim-then-breach", "odd", about, record_of(sheet.id, deal_from(events, hands, **place))
    )


def _dealt(sheet: RuleSheet) -> Iterator[Candidate]:
    """What is dealt: hands of the right size, and the seven turned up."""
    pack = [rank + suit for rank in "AKQJ98T7" for suit in "SHDC"]
    size, turned = sheet.rules.hand[2], isinstance(sheet.rules.trumps, TurnUp)
    turn_up = "7C" if turned else None
    whole, less = ([pack[:size], pack[size : size + n]] for n in (size, size - 1))
    yield from _pair(
        sheet, "hands-dealt", f"Each player is dealt {size} cards.", ["C1"],
        Deal(dealer=1, knowledge="full", hands=whole, turn_up=turn_up),
        Deal(dealer=1, knowledge="full", hands=less, turn_up=turn_up),
    )  # fmt: skip
    if not isinstance(sheet.rules.trumps, TurnUp):
        return
    points = sheet.rules.trumps.dealer_seven
    scores = [Score(seat=seat, what="turned_seven", points=points or 10) for seat in (1, 0)]
    scored, by_other = (
        Deal(dealer=1, knowledge="full", hands=whole, turn_up=turn_up, events=[score])
        for score in scores
    )
    if points:
        about = "The dealer scores for the seven turned up."
        yield from _pair(sheet, "seven-turned-up", about, ["A-01"], scored, by_other)
    else:
        nothing = Deal(dealer=1, knowledge="full", hands=whole, turn_up=turn_up)
        about = "The seven turned up scores nothing."
        yield from _pair(sheet, "seven-turned-up", about, ["A-44"], nothing, scored)
        place: dict[str, Any] = {"turn_up": "8C", "stock": 5, "won": True}
        hands = [["7C", "9D"], ["JH", "JD"]]
        yield from _pair(
            sheet, "seven-shown", "No seven is shown without the option `dix`.", ["A-44"],
            deal_from([], hands, **place), deal_from([Dix(seat=0, action="show")], hands, **place),
        )  # fmt: skip


def _last_draw(sheet: RuleSheet) -> Iterator[Candidate]:
    """The last card of the stock and the turn-up, which the loser takes."""
    tricks: list[AnyEvent] = [
        Play(seat=0, card="9D"),
        Play(seat=1, card="JS"),
        Draw(seat=0, card="9C"),
    ]
    place: dict[str, Any] = {"turn_up": "8C", "stock": 1}
    yield from _pair(
        sheet, "last-draw", "The loser of the last trick before the close takes the turn-up.", ["A-06"],
        *(deal_from([*tricks, Draw(seat=1, card=card)], [["9D", "QH"], ["JS", "JD"]], **place) for card in ("8C", "9S")),
    )  # fmt: skip
    yield from _pair(
        sheet, "last-draw-left-out", "A turn-up that the position leaves out is drawn last, too, and is a trump.",
        ["C6"],
        *(deal_from([*tricks, Draw(seat=1, card=card)], [["9D", "QH"], ["JS", "JD"]], trump="C", stock=1)
          for card in ("8C", "9S")),
    )  # fmt: skip


def _sequences(sheet: RuleSheet) -> Iterator[Candidate]:
    """A sequence of trumps after the marriage of its king and queen, and the other way round, where that is allowed."""
    points = {
        row.name: row.points for row in reversed(sheet.rules.melds) if row.cards.speaks_of("trumps")
    }
    if "sequence" not in points or sheet.rules.melds_from.value == "captured":
        return
    sequence, marriage = ["AH", "TH", "KH", "QH", "JH"], ["KH", "QH"]
    place: dict[str, Any] = {"trump": "H", "won": True, "stock": 6}
    if isinstance(sheet.rules.trumps, TurnUp):
        place |= {"turn_up": "9H", "stock": 5}
    ways = [("A-16", "marriage", marriage, "sequence", sequence)]
    if sheet.rules.reuse.sequence_then_marriage:
        ways.append(("A-15", "sequence", sequence, "marriage", marriage))
    for law, first, lying, then, cards in ways:
        hands = [[card for card in sequence if card not in lying], ["9C", "9D", "8C", "8D", "9S"]]
        place["tables"] = [[Laid(meld=first, cards=lying)], []]
        melds = [
            Meld(seat=0, meld=then, cards=cards, points=points[then] + more) for more in (0, 10)
        ]
        yield from _pair(
            sheet, f"{first}-then-{then}", f"A {first}, then the {then} with its king and queen.", [law],
            *(deal_from([meld], hands, **place) for meld in melds),
        )  # fmt: skip


def _close(sheet: RuleSheet) -> Iterator[Candidate]:
    """The first trick after the close, with full hands, and like cards in it."""
    size, follow = sheet.rules.hand[2], sheet.rules.phases[-1].follow
    clubs_and_hearts = [rank + suit for rank in "AKQJ98T7" for suit in "CH"]
    first = ["9D", *[card for card in clubs_and_hearts if card[0] != "7"][: size - 1]]
    second = ["JD", "8S", *[rank + "S" for rank in "AKQJ9T7"], "7H", "8H", "TD", "7C"][:size]
    if follow is Follow.ANY:
        return
    yield from _pair(
        sheet, "first-trick-after-close", "The duty to follow holds from the first trick after the close on.",
        ["C8"],
        *(deal_from([Play(seat=0, card="9D"), Play(seat=1, card=card)], [first, second], trump="H")
          for card in ("JD", "8S")),
    )  # fmt: skip
    if sheet.rules.pack.packs > 1 and follow is Follow.HEAD:
        yield from _pair(
            sheet, "like-card", "A like card does not beat the lead, so any card of the suit may be played.", ["C8"],
            deal_from([Play(seat=0, card="9D"), Play(seat=1, card="8D")], [["9D", "7S"], ["9D", "8D"]], trump="H"),
            deal_from([Play(seat=0, card="9D"), Play(seat=1, card="8D")], [["9D", "7S"], ["JD", "8D"]], trump="H"),
        )  # fmt: skip


def _bonuses(sheet: RuleSheet) -> Iterator[Candidate]:
    """The last trick, and all tricks after the close."""
    last = next(bonus for bonus in sheet.rules.bonuses if bonus.name == "last_trick")
    played: list[AnyEvent] = [Play(seat=0, card="9S"), Play(seat=1, card="8S")]
    score = Score(seat=0, what="last_trick", points=last.points)
    yield from _pair(
        sheet, "last-trick-twice", "The last trick is scored once.", ["A-09"],
        deal_from([*played, score], [["9S"], ["8S"]], trump="H"),
        deal_from([*played, score, score], [["9S"], ["8S"]], trump="H"),
    )  # fmt: skip
    every = next(
        (bonus for bonus in sheet.rules.bonuses if bonus.tricks is When.ALL_CLOSED_TRICKS), None
    )
    if every is None:
        return
    size = sheet.rules.hand[2]
    hands = [[rank + "H" for rank in "ATKQJ98"][:size], [rank + "S" for rank in "ATKQJ98"][:size]]
    tricks: list[AnyEvent] = [
        Play(seat=seat, card=hands[seat][number]) for number in range(size) for seat in (0, 1)
    ]
    claimed = Score(seat=0, what=every.name, points=every.points)  # type: ignore[arg-type]
    wrong = Score(seat=0, what=every.name, points=every.points - 10)  # type: ignore[arg-type]
    yield from _pair(
        sheet, "all-last-tricks", "All tricks after the close score, and the last trick as well.", ["A-10"],
        deal_from([*tricks, score, claimed], hands, trump="H"), deal_from([*tricks, score, wrong], hands, trump="H"),
    )  # fmt: skip


def _sevens(sheet: RuleSheet, dix: DixRule) -> Iterator[Candidate]:
    """The exchange: by whom, for what, for how much."""
    place: dict[str, Any] = {"turn_up": "8C", "stock": 5, "won": True}
    hands, others = [["7C", "9D"], ["JH", "JD"]], [["JH", "9D"], ["7C", "JD"]]
    exchange = Dix(seat=0, action="exchange", points=dix.points)
    yield from _pair(
        sheet, "exchange-points", f"An exchange scores {dix.points}.", [],
        deal_from([exchange], hands, **place), deal_from([Dix(seat=0, action="exchange", points=20)], hands, **place),
    )  # fmt: skip
    yield from _pair(
        sheet, "exchange-by-loser", "Only the winner of the trick exchanges.", ["C5"],
        deal_from([Dix(seat=1, action="exchange", points=dix.points)], others, seat=1, **place),
        deal_from([Dix(seat=1, action="exchange", points=dix.points)], others, **place),
    )  # fmt: skip
    if sheet.rules.pack.packs > 1:
        yield from _pair(
            sheet, "exchange-for-seven", "A seven turned up is not exchanged for a seven.", ["A-01"],
            deal_from([Dix(seat=0, action="exchange")], hands, **place),
            deal_from([Dix(seat=0, action="exchange")], hands, **{**place, "turn_up": "7C"}),
        )  # fmt: skip


def _zetema(sheet: RuleSheet) -> Iterator[Candidate]:
    """Turns, and what has left the tableau."""
    loose = ["2C", "3D", "4C", "6D", "8H", "9D"]
    hand = ["KH", "QH", "2C", "3D", "4C", "6D"]
    married = Meld(seat=0, meld="marriages", cards=["KH", "QH"], points=10)
    yield from _pair(
        sheet, "combine-before-drawing", "A combination comes after the draws.", ["Z2"],
        deal_from([married], [hand, ["5C"]], stock=7), deal_from([married], [hand[:5], ["5C"]], stock=7),
    )  # fmt: skip
    told = Meld(seat=0, meld="marriages", cards=["KS", "QS"], from_tableau=["KS"], points=20)
    spades = [["KS", "QS", *hand[2:]], ["5C"]]
    yield from _pair(
        sheet, "told-from-tableau", "A card is said to come from the tableau.", ["Z3"],
        deal_from([told], spades, stock=7, tableau=["KS"]), deal_from([told], spades, stock=7, tableau=["KD"]),
    )  # fmt: skip
    queen, other = ["QS", *loose[:5]], ["QS", "2H", "3H", "4H", "6H", "8C"]
    marries = [Meld(seat=seat, meld="marriages", cards=["KS", "QS"], points=20) for seat in (0, 1)]
    for tableau, which in ((["KS", "KS"], "right"), (["KS"], "wrong")):
        deal = deal_from([*marries], [queen, other], stock=7, tableau=tableau)
        yield Candidate(
            f"married-cards-gone-{which}", "twins", f"Married cards have left the tableau. ({which})",
            record_of("zetema", deal), ["Z3"], f"married-cards-gone-{'right' if which == 'wrong' else 'wrong'}",
        )  # fmt: skip
    kings, marry = (
        ["KS", "KH", "KD", "KC"],
        Meld(seat=1, meld="marriages", cards=["KH", "QH"], points=10),
    )
    second = ["QH", "2H", "3H", "4H", "6H", "8C"]
    for card, which in (("2C", "right"), ("KS", "wrong")):
        deal = deal_from(
            [Discard(seat=0, card=card), marry],
            [["KS", *loose[:5]], second],
            stock=7,
            tableau=kings,
        )
        yield Candidate(
            f"zetema-gone-{which}", "twins", f"The cards of a zetema have left the tableau. ({which})",
            record_of("zetema", deal), ["Z4"], f"zetema-gone-{'right' if which == 'wrong' else 'wrong'}",
        )  # fmt: skip
