"""Positions of what programs forget: irregularities, the order of the stock, claims against counts, melds of cards won."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from records.events import AnyEvent, Cut, Discard, Dix, Draw, Irregular, Meld, Play, Score
from records.record import Claims, Deal, Laid, Record, Result
from records.rules.vocabulary import (
    BrisqueCount,
    CutRule,
    FirstMeld,
    Follow,
    MeldsFrom,
    RaceTo,
    RuleSheet,
    TurnUp,
    Window,
)
from tests.records.conformance.candidates import Candidate, record_of
from tests.records.conformance.special_positions import deal_from

LAST = [["9S"], ["8S"]]
TRICK: list[AnyEvent] = [Play(seat=0, card="9S"), Play(seat=1, card="8S")]


def error_positions(sheet: RuleSheet) -> Iterator[Candidate]:
    """Positions of a sheet, each with its twin."""
    if sheet.rules.tableau is not None:
        yield from _combining(sheet)
        return
    yield from _irregular(sheet)
    yield from _stock(sheet)
    yield from _places(sheet)
    yield from _matches(sheet)
    yield from _sevens(sheet)
    yield from _melds(sheet)
    yield from _four_again(sheet)
    yield from _before_trumps(sheet)
    yield from _free_play(sheet)
    if sheet.rules.cut is not None:
        yield from _cuts(sheet, sheet.rules.cut)
    if sheet.rules.brisques.count is BrisqueCount.AT_THE_END:
        yield from _counts(sheet)
    if sheet.rules.melds_from is MeldsFrom.CAPTURED:
        yield from _captured(sheet)
    else:
        yield from _all_brisques(sheet)


def _all_brisques(sheet: RuleSheet) -> Iterator[Candidate]:
    """As many brisques as the pack has, and one more."""
    every = sheet.rules.pack.packs * len(sheet.rules.brisques.ranks) * 4
    right, wrong = (
        deal_from(TRICK, LAST, trump="H", brisques=[count, 0]) for count in (every, every + 1)
    )
    yield from _pair(sheet, "all-brisques", f"There are {every} brisques.", right, wrong)


def _combining(sheet: RuleSheet) -> Iterator[Candidate]:
    """Zetema: the order of the stock, a combination of another game, and the scores of a result."""
    hand = ["KH", "QH", "2C", "3D", "4C"]
    stock = ["6D", "8H", "9D", "7S", "TC", "JC", "2D"]
    right, wrong = (
        replace(deal_from([Draw(seat=0, card=card)], [hand, ["5C"]], stock=7), stock=stock) for card in ("6D", "8H")
    )  # fmt: skip
    yield from _pair(
        sheet, "stock-in-order", "Cards are drawn in the order of the recorded stock.", right, wrong
    )
    right, wrong = (
        deal_from([Meld(seat=0, meld=name, cards=["KH", "QH"])], [[*hand, "6D"], ["5C"]], stock=7)  # type: ignore[arg-type]
        for name in ("marriages", "marriage")
    )
    yield from _pair(sheet, "name-of-marriages", "One marriage is called marriages, too.", right, wrong)  # fmt: skip
    cards = ["2C", "3D"]
    discards: list[AnyEvent] = [Discard(seat=seat, card=card) for seat, card in enumerate(cards)]
    over = deal_from(discards, [[card] for card in cards], scores=[50, 20])
    true, false = (record_of(sheet.id, over, result=Result(scores=scores)) for scores in ([50, 20], [50, 30]))  # fmt: skip
    yield from _pair(sheet, "result", "The result is what the deals come to.", true, false)


def _pair(
    sheet: RuleSheet,
    name: str,
    about: str,
    right: Deal | Record,
    wrong: Deal | Record,
    law: str | None = None,
) -> Iterator[Candidate]:
    for which, told, other in (("right", right, "wrong"), ("wrong", wrong, "right")):
        record = record_of(sheet.id, told) if isinstance(told, Deal) else told
        laws = [law] if law else []
        yield Candidate(
            f"{name}-{which}", "twins", f"{about} ({which})", record, laws, f"{name}-{other}"
        )


def _claimed(deal: Deal, *scores: int) -> Deal:
    return replace(deal, claims=Claims(scores=list(scores)))


def _irregular(sheet: RuleSheet) -> Iterator[Candidate]:
    """A misdeal, and points ruled at the table."""
    if isinstance(sheet.rules.match, RaceTo):
        misdeal = deal_from(
            [TRICK[0], Irregular(seat=0, what="misdeal")], LAST, trump="H", scores=[100, 0]
        )
        yield from _pair(
            sheet,
            "misdeal",
            "A misdeal scores nothing.",
            _claimed(misdeal, 0, 0),
            _claimed(misdeal, 100, 0),
        )
        ruling = Irregular(seat=0, what="other", points=-30)
        last = next(bonus.points for bonus in sheet.rules.bonuses if bonus.name == "last_trick")
        ruled = deal_from([TRICK[0], ruling, TRICK[1]], LAST, trump="H", scores=[100, 0])
        yield from _pair(sheet, "ruling", "Points ruled at the table count.",
                         _claimed(ruled, 70 + last, 0), _claimed(ruled, 100 + last, 0))  # fmt: skip


def _stock(sheet: RuleSheet) -> Iterator[Candidate]:
    """A recorded stock is drawn in its order."""
    turned = isinstance(sheet.rules.trumps, TurnUp)
    place: dict[str, Any] = {
        "stock": 5 if turned else 6,
        "won": True,
        "turn_up": "8H" if turned else None,
    }
    stock = ["9C", "TC", "QC", "KC", "AC", *([] if turned else ["8C"])]
    right, wrong = (
        replace(
            deal_from([Draw(seat=0, card=card)], [["9D", "JS"], ["8D", "JH"]], **place), stock=stock
        )
        for card in ("9C", "TC")
    )
    yield from _pair(
        sheet, "stock-in-order", "Cards are drawn in the order of the recorded stock.", right, wrong
    )


def _places(sheet: RuleSheet) -> Iterator[Candidate]:
    """From where a card is played."""
    hands = [["9D", "JS"], ["8D", "JH"]]
    right, wrong = (
        deal_from([Play(seat=0, card="9D", source=source)], hands, trump="H") for source in ("hand", "table")
    )  # fmt: skip
    yield from _pair(
        sheet, "played-from", "A card in the hand is not played from the table.", right, wrong
    )
    if sheet.rules.melds_from is MeldsFrom.CAPTURED:
        return
    turned = isinstance(sheet.rules.trumps, TurnUp)
    place: dict[str, Any] = {
        "stock": 5 if turned else 6,
        "turn_up": "8H" if turned else None,
        "trump": "H",
    }
    place["tables"] = [[Laid(meld="marriage", cards=["KS", "QS"])], []]
    right, wrong = (
        deal_from([Play(seat=0, card="KS", source=source)], [["9D"], ["8D", "JH", "9H"]], **place)
        for source in ("table", "hand")
    )
    yield from _pair(
        sheet, "played-from-table", "A melded card is played from the table.", right, wrong, "C7"
    )


def _matches(sheet: RuleSheet) -> Iterator[Candidate]:
    """Several deals: each is played out, and their scores are added."""
    if not isinstance(sheet.rules.match, RaceTo):
        return
    last = next(bonus.points for bonus in sheet.rules.bonuses if bonus.name == "last_trick")
    whole = deal_from(TRICK, LAST, trump="H", scores=[100, 40])
    again = replace(deal_from(TRICK[:1], LAST, trump="H"), dealer=0)
    short = replace(whole, events=TRICK[:1])
    yield from _pair(sheet, "played-out", "A deal is played out before another.",
                     record_of(sheet.id, whole, again), record_of(sheet.id, short, again))  # fmt: skip
    second = replace(whole, dealer=0)
    right, wrong = (
        record_of(sheet.id, whole, second, result=Result(scores=[points + each, 80]))
        for points, each in ((200 + 2 * last, 0), (100 + last, 0))
    )
    yield from _pair(sheet, "totals", "The scores of all deals are added.", right, wrong)
    target = sheet.rules.match.target[2]
    reached = deal_from(TRICK, [["9S", "9D"], ["8S", "8D"]], trump="H", scores=[target, 0])
    right, wrong = (
        record_of(sheet.id, reached, result=Result(status=status)) for status in ("unfinished", "complete")
    )  # fmt: skip
    yield from _pair(sheet, "target-in-the-deal", "The deal in which the target is reached is played to its end.",
                     right, wrong, "A-11" if "A-11" in sheet.cited("match") else None)  # fmt: skip


def _counts(sheet: RuleSheet) -> Iterator[Candidate]:
    """Brisques of a position, and a count beside its points."""
    taken = deal_from(
        [Play(seat=0, card="AC"), Play(seat=1, card="8C")],
        [["AC"], ["8C"]],
        trump="H",
        brisques=[2, 0],
    )
    last = next(bonus.points for bonus in sheet.rules.bonuses if bonus.name == "last_trick")
    each = sheet.rules.brisques.points
    yield from _pair(sheet, "brisques-before", "The brisques of a position count, too.",
                     _claimed(taken, last + 3 * each, 0), _claimed(taken, last + each, 0), "C9")  # fmt: skip
    right, wrong = (
        replace(
            taken, events=[*taken.events, Score(seat=0, what="brisques", count=3, points=points)]
        )
        for points in (3 * each, 3 * each + 10)
    )
    yield from _pair(
        sheet, "count-and-points", "A number of brisques and its points agree.", right, wrong
    )


def _sevens(sheet: RuleSheet) -> Iterator[Candidate]:
    """A seven that has scored."""
    dix = sheet.rules.dix
    if dix is None or dix.exchange is not Window.AFTER_TRICK_WON:
        return
    place: dict[str, Any] = {"turn_up": "9H", "stock": 5, "won": True, "trump": "H"}
    hands = [["7H", "9D"], ["JS", "JD"]]
    exchange = Dix(seat=0, action="exchange")
    spent = deal_from([exchange], hands, spent_dixes=["7H"], **place)
    yield from _pair(sheet, "spent-seven", "A seven that has scored is not exchanged.",
                     deal_from([exchange], hands, **place), spent, None if dix.spent_exchanges else "A-02")  # fmt: skip


def _free_play(sheet: RuleSheet) -> Iterator[Candidate]:
    """Any card to a lead while there is a stock, and not after it."""
    if "C4" not in sheet.cited("play") or sheet.rules.phases[-1].follow is Follow.ANY:
        return
    events: list[AnyEvent] = [Play(seat=0, card="KS"), Play(seat=1, card="9C")]
    hands = [["KS", "8D"], ["9C", "8S"]]
    left = 1 if isinstance(sheet.rules.trumps, TurnUp) else 2
    right, wrong = (deal_from(events, hands, trump="H", stock=stock) for stock in (left, 0))
    yield from _pair(
        sheet,
        "free-play",
        "Any card may be played to a lead while there is a stock.",
        right,
        wrong,
        "C4",
    )


def _melds(sheet: RuleSheet) -> Iterator[Candidate]:
    """Like cards in four of a kind, and the cards of bezique."""
    if sheet.rules.pack.packs == 1:
        return
    turned = isinstance(sheet.rules.trumps, TurnUp)
    place: dict[str, Any] = {
        "stock": 5 if turned else 6,
        "turn_up": "9H" if turned else None,
        "trump": "H",
        "won": True,
    }
    for law, name, about, cards, others in (
        (
            "C10",
            "four_aces",
            "Like cards stand in four of a kind.",
            ["AS", "AS", "AH", "AH"],
            ["AS", "AS", "AH", "KD"],
        ),
        (
            "C11",
            "bezique",
            "Bezique is the queen of spades with the jack of diamonds.",
            ["QS", "JD"],
            ["QH", "JD"],
        ),
    ):
        if all(row.name != name for row in sheet.rules.melds):
            name = "zique"
        own = [*cards, *[card for card in others if card not in cards]]
        hands, captured = [own, ["8C", "9C", "8D", "9D", "7C"][: len(own)]], None
        if sheet.rules.melds_from is MeldsFrom.CAPTURED:
            pile = [*reversed(own), "8S"] if len(own) % 2 else [*reversed(own)]
            hands, captured = (
                [["9S"], ["7C"]],
                [[*pile[-1:], *pile[:-1]] if len(own) % 2 else pile, []],
            )
        right, wrong = (
            deal_from([Meld(seat=0, meld=name, cards=melded)], hands, captured=captured, **place)  # type: ignore[arg-type]
            for melded in (cards, others)
        )
        yield from _pair(sheet, f"cards-of-{name.replace('_', '-')}", about, right, wrong, law)


def _four_again(sheet: RuleSheet) -> Iterator[Candidate]:
    """Three cards of four of a kind with a fourth that has not scored."""
    if sheet.rules.pack.packs == 1 or all(row.name != "four_aces" for row in sheet.rules.melds):
        return
    turned = isinstance(sheet.rules.trumps, TurnUp)
    place: dict[str, Any] = {"stock": 5 if turned else 6, "trump": "H", "won": True}
    four = ["AS", "AS", "AH", "AH"]
    place |= {"turn_up": "9H" if turned else None, "tables": [[Laid(meld="four_aces", cards=four)], []]}  # fmt: skip
    hands, captured = [["AD"], ["8C", "9C", "8D", "9D", "7C"]], None
    if sheet.rules.melds_from is MeldsFrom.CAPTURED:
        hands, captured = [["9S"], ["7C"]], [["AD", "8S"], []]
    meld = Meld(seat=0, meld="four_aces", cards=[*four[:3], "AD"])
    deal = deal_from([meld], hands, captured=captured, **place)
    about = "Three cards that have scored as four of a kind, with a new one."
    yield Candidate("four-again", "twins", about, record_of(sheet.id, deal))


def _before_trumps(sheet: RuleSheet) -> Iterator[Candidate]:
    """Bezique while there are no trumps."""
    if not isinstance(sheet.rules.trumps, FirstMeld):
        return
    hands = [["QS", "JD", "QD"], ["8C", "9C", "8D"]]
    right, wrong = (
        deal_from([Meld(seat=0, meld="bezique", cards=cards)], hands, stock=6, won=True)
        for cards in (["QS", "JD"], ["QD", "JD"])
    )
    about = "Bezique is the queen of spades with the jack of diamonds before there are trumps, too."
    yield from _pair(sheet, "bezique-before-trumps", about, right, wrong)


def _cuts(sheet: RuleSheet, rule: CutRule) -> Iterator[Candidate]:
    """The packet and the guess."""
    held = sheet.rules.hand[2]
    pack = [rank + suit for _ in range(2) for rank in "AKQJ98T7" for suit in "SHDC"]

    def cut(packet: int, guess: int, *scores: Score) -> Deal:
        events = [Cut(seat=1, packet=packet, guess=guess), *scores]
        return Deal(
            dealer=1, knowledge="full", hands=[pack[:held], pack[held : 2 * held]], events=events
        )

    of_cut = Score(seat=1, what="cut", points=rule.dealer_points)
    of_guess = Score(seat=0, what="guess", points=rule.guess_points)
    size = rule.packet
    yield from _pair(sheet, "packet", "A packet of the right size scores for the dealer.",
                     cut(size, size - 1, of_cut), cut(size + 1, size - 1, of_cut), "C16")  # fmt: skip
    yield from _pair(sheet, "cut-and-guess", "Packet and guess may both score.",
                     cut(size, size, of_cut, of_guess), cut(size, size - 1, of_cut, of_guess), "A-30c")  # fmt: skip
    yield from _pair(sheet, "guess-of-another-packet", "A right guess scores, whatever the size of the packet.",
                     cut(size + 1, size + 1, of_guess), cut(size + 1, size, of_guess), "A-30c")  # fmt: skip


def _captured(sheet: RuleSheet) -> Iterator[Candidate]:
    """Melds of cards won: of what, and how often."""

    def won(pile: list[str], *events: AnyEvent) -> Deal:
        return deal_from(
            list(events),
            [["7H"], ["8C"]],
            trump="H",
            turn_up="9H",
            stock=5,
            won=True,
            captured=[pile, []],
        )

    bezique = Meld(seat=0, meld="bezique", cards=["QS", "JD"])
    marriages = [Meld(seat=0, meld="marriage", cards=["K" + suit, "Q" + suit]) for suit in "DS"]
    pile = ["QS", "KD", "JD", "QD"]
    exchange = Dix(seat=0, action="exchange")
    yield from _pair(sheet, "card-just-won", "A meld has a card of the trick just won.",
                     won(["QS", "9D", "JD", "8S"], bezique), won(["QS", "JD", "9D", "8S"], bezique), "C12")  # fmt: skip
    yield from _pair(sheet, "card-serves-once", "A card just won serves in one meld of that trick.",
                     won(["KS", "JD", "QS", "9D"], bezique), won(["KS", "JD", "QS", "9D"], bezique, marriages[1]), "C12")  # fmt: skip
    yield from _pair(sheet, "exchange-and-two-melds", "An exchange is none of the melds of the trick.",
                     won(pile, exchange, bezique, marriages[0]), won(pile, exchange, exchange, bezique, marriages[0]))  # fmt: skip
