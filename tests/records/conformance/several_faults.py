"""Records with two faults at one place, and the code that comes first: by the order that the page of findings tells."""

from typing import NamedTuple

from records.record import Claims, Deal, Record, Result
from tests.make.tables import deal_of, record_of
from tests.make.turns import deal_of as zetema_deal
from tests.make.turns import record_of as zetema_record

WON = "N: KH QH 7H 9C | S: KD QD 7H 9D | turn-up 8H | stock 5 | N won"
NO_SEVEN = "N: KH QH 9S 9C | S: KD QD 8D 9D | turn-up 7H | stock 5 | N won"
LED = "N: KH 9S | S: 8S 7D | trump H | N leads"
LAST = "N: 9S | S: 8S | trump H | N leads"
TRICK = "N 9S, S 8S"
BLANK = "N: AS TS 9D | S: 8S 7S 7D | trump H | stock 4 | N leads"
TURN = "A: KH QH 2C 3D 4C 6D | B: KD QD 2D 3C 4D 6C | stock 7"
SHORT = "A: KH QH 2C 3D 4C | B: KD QD 2D 3C 4D 6C | stock 7"


class TwoFaults(NamedTuple):
    """A place with two faults: the row of the table, the code told first, the other; and how it comes about.

    `alone` are the events, or the position, in which the other fault stands alone, where it is not told beside the first.
    """

    row: str
    first: str
    other: str
    position: str
    told: str
    sheet: str = "bezique"
    alone: tuple[str, str] | None = None


EVENTS = (
    TwoFaults("`play`", "event-after-end", "card-not-held", LAST, f"{TRICK}, S AS", alone=(LAST, "N 9S, S AS")),
    TwoFaults("`play`", "draw-missing", "card-not-in-pack", WON, "N 6S"),
    TwoFaults("`play`", "draw-missing", "card-not-held", WON, "N AS", alone=(LED, "N AS")),
    TwoFaults("`play`", "draw-missing", "out-of-turn", WON, "S KD", alone=(WON, "N draws AS, S draws TS, S KD")),
    TwoFaults("`play`", "out-of-turn", "card-not-in-pack", LED, "S 6S"),
    TwoFaults("`play`", "out-of-turn", "card-not-held", LED, "S AS"),
    TwoFaults("`play`", "out-of-turn", "not-on-table", LED, "S 8S from table"),
    TwoFaults("`play`", "card-not-held", "must-follow-suit", LED, "N 9S, S AC", alone=(LED, "N 9S, S 7D")),
    TwoFaults("`play`", "not-on-table", "must-follow-suit", LED, "N 9S, S 7D from table"),
    TwoFaults("`draw`", "draw-not-due", "card-not-in-pack", LED, "N draws 6S"),
    TwoFaults("`draw`", "draw-not-due", "wrong-card-drawn", WON.replace("stock 5", "stock 1"), "N draws 9S, N draws 7C"),
    TwoFaults("`draw`", "draw-out-of-turn", "no-such-card-left", NO_SEVEN.replace("9C", "9S"), "S draws 9S"),
    TwoFaults("`meld`", "meld-by-loser", "meld-card-not-held", WON, "S melds marriage KH QH 40"),
    TwoFaults("`meld`", "meld-by-loser", "meld-after-close", "N: KH QH 9S | S: KD QD 8S | trump H | N leads",
              f"{TRICK}, S melds marriage KD QD 20"),
    TwoFaults("`meld`", "meld-out-of-window", "wrong-cards-for-meld", LED, "N melds marriage KH 9S 20"),
    TwoFaults("`meld`", "too-many-melds", "meld-card-not-held", WON, "N melds marriage KH QH 40, N melds marriage KS QS 20",
              "zique"),
    TwoFaults("`meld`", "card-not-in-pack", "wrong-cards-for-meld", WON, "N melds marriage KH 6S 20"),
    TwoFaults("`meld`", "meld-card-not-held", "wrong-cards-for-meld", WON, "N melds marriage KH 9S 20"),
    TwoFaults("`meld`", "meld-card-not-held", "meld-not-in-rules", WON, "N melds marjolet KH JS 20"),
    TwoFaults("`meld`", "meld-card-not-held", "wrong-meld-points", WON, "N melds marriage KS QS 50"),
    TwoFaults("`meld`", "meld-reuses-cards", "wrong-meld-points",
              "N: 7H 9C | N lays marriage KH QH | S: KD QD 7H 9D | turn-up 8H | stock 5 | N won", "N melds marriage KH QH 20"),
    TwoFaults("`declare`", "meld-by-loser", "meld-card-not-held", WON, "S shows marriage KH QH"),
    TwoFaults("`declare`", "meld-card-not-held", "no-pending-melds", WON, "N shows marriage KD QD", "zique"),
    TwoFaults("`declare`", "no-pending-melds", "wrong-cards-for-meld", WON, "N shows marriage KH 9C", "zique"),
    TwoFaults("`dix`, exchanged or shown", "dix-not-in-rules", "dix-not-held", NO_SEVEN, "N dix exchange 10", "zique",
              alone=(NO_SEVEN.replace("7H", "8H"), "N dix exchange 10")),
    TwoFaults("`dix`, exchanged or shown", "dix-out-of-window", "dix-not-held", NO_SEVEN, "S dix exchange 10"),
    TwoFaults("`dix`, exchanged or shown", "dix-not-held", "nothing-to-exchange", NO_SEVEN, "N dix exchange 10"),
    TwoFaults("`dix`, exchanged or shown", "dix-out-of-window", "dix-spent", f"{WON} | spent 7H 7H", "S dix show 10",
              alone=(f"{WON} | spent 7H 7H", "N dix show 10")),
    TwoFaults("`dix`, exchanged or shown", "dix-out-of-window", "wrong-dix-points", WON, "S dix show 50",
              alone=(WON, "N dix show 50")),
    TwoFaults("`dix`, exchanged or shown", "dix-spent", "wrong-dix-points", f"{WON} | spent 7H 7H", "N dix show 50",
              alone=(WON, "N dix show 50")),
    TwoFaults("`dix`, played", "dix-not-played", "wrong-dix-points", "N: 7H 9C | S: KD QD | turn-up 8H | stock 5 | N leads",
              "N 9C, N dix play 50", alone=("N: 7H 9C | S: KD QD | turn-up 8H | stock 5 | N leads", "N 7H, N dix play 50")),
    TwoFaults("`carte_blanche`", "not-blank", "wrong-score-points", BLANK.replace("9D", "KD"), "N shows carte_blanche 60",
              "rubicon-bezique"),
    TwoFaults("`carte_blanche`", "not-blank", "carte-blanche-too-late", BLANK.replace("9D", "KD"),
              "N AS, N shows carte_blanche 50", "rubicon-bezique", alone=(BLANK, "N AS, N shows carte_blanche 50")),
    TwoFaults("`carte_blanche`", "carte-blanche-too-late", "wrong-score-points", BLANK, "N AS, N shows carte_blanche 60",
              "rubicon-bezique"),
    TwoFaults("`cut`", "cut-out-of-place", "impossible-cut", BLANK, "N cuts 0", "six-pack-bezique", alone=(BLANK, "S cuts 0")),
    TwoFaults("`trick`", "trick-out-of-place", "wrong-trick-winner", LED, f"{TRICK}, N takes, S takes",
              alone=(LED, f"{TRICK}, S takes")),
    TwoFaults("`score`", "score-not-earned", "scored-twice", LAST, f"{TRICK}, N scores last_trick 10, S scores last_trick 10",
              alone=(LAST, f"{TRICK}, N scores last_trick 10, N scores last_trick 10")),
    TwoFaults("`score`", "score-not-earned", "wrong-score-points", LAST, f"{TRICK}, S scores last_trick 20",
              alone=(LAST, f"{TRICK}, N scores last_trick 20")),
    TwoFaults("`score`", "scored-twice", "wrong-score-points", LAST,
              f"{TRICK}, N scores last_trick 10, N scores last_trick 20"),
    TwoFaults("`score`", "wrong-brisques", "wrong-score-points", LAST, f"{TRICK}, N counts 3 brisques 20",
              alone=("N: AS | S: TS | trump H | brisques 3 1", "N AS, S TS, N counts 4 brisques 50")),
    TwoFaults("`meld` in Zetema", "out-of-turn", "wrong-cards-for-meld", TURN, "B melds marriages KD 2D 20", "zetema"),
    TwoFaults("`meld` in Zetema", "draw-missing", "wrong-cards-for-meld", SHORT, "A melds marriages KH 2C 20", "zetema"),
    TwoFaults("`meld` in Zetema", "wrong-cards-for-meld", "meld-card-not-held", TURN, "A melds flush KH KS 20", "zetema"),
    TwoFaults("`meld` in Zetema", "meld-not-in-rules", "meld-card-not-held", TURN, "A melds bezique QS JD 40", "zetema"),
    TwoFaults("`meld` in Zetema", "meld-card-not-held", "wrong-meld-points", TURN, "A melds marriages KS QS 50", "zetema"),
    TwoFaults("`discard`", "out-of-turn", "card-not-held", TURN, "B discards KH", "zetema"),
    TwoFaults("`discard`", "draw-missing", "card-not-held", SHORT, "A discards KS", "zetema",
              alone=(TURN, "A discards KS")),
    TwoFaults("a `setup`", "trumps-not-turned-up", "no-meld-on-table",
              "N: 9S | N lays marriage QS JS | S: 9D 8D 7D | trump S | turn-up 8H | stock 1", ""),
    TwoFaults("a `setup`", "no-meld-on-table", "uneven-hands",
              "N: 9S | N lays marriage QS JS | S: 9D 8D 7D 7C | turn-up 8H | stock 1", ""),
    TwoFaults("a `setup`", "impossible-trick", "uneven-hands", "N: 9S 9H 9D | S: 8S | turn-up 8H | stock 1 | N replies to KH | N won", ""),
    TwoFaults("a `setup`", "hand-too-large", "uneven-hands", "N: 9S AS TS KS QS JS 7S 8S 9H | S: 8S | trump H", ""),
    TwoFaults("a `setup`", "uneven-hands", "impossible-stock", "N: 9S 9H | S: 8S | turn-up 8H | stock 2", ""),
    TwoFaults("a `setup`", "impossible-stock", "impossible-brisques", "N: 9S | S: 8S | turn-up 8H | stock 2 | brisques 33 0", ""),
    TwoFaults("a `setup`", "impossible-brisques", "impossible-spent-dix", "N: 9S | S: 8S | trump H | brisques 33 0 | spent 7H", ""),
    TwoFaults("a `setup`", "impossible-spent-dix", "too-many-copies", "N: 9S 9S | S: 9S 8S | trump H | spent 7H", ""),
)  # fmt: skip
"""Two faults of one event, or of one position, by the row of the table."""


def told(position: str, events: str, sheet: str) -> Record:
    """The record of a position with these events."""
    if sheet == "zetema":
        record = zetema_record(zetema_deal(position, events))
    else:
        record = record_of([deal_of(position, events)], sheet=sheet)
    record.deals[0].knowledge = "full"
    return record


def two_faults(each: TwoFaults) -> Record:
    """The record in which both faults are."""
    return told(each.position, each.told, each.sheet)


def _dealt(hands: list[list[str]], turn_up: str | None, **more: object) -> Deal:
    return Deal(dealer=0, knowledge="full", hands=hands, turn_up=turn_up, **more)  # type: ignore[arg-type]


_CARDS = [rank + suit for suit in "SHDC" for rank in "ATKQJ987"]
_HANDS = [_CARDS[:8], _CARDS[8:16]]
_WON_OVER = "N: 9S | S: 8S | trump H | scores 1990 0 | N leads"


def of_whole_deals() -> list[tuple[str, str, str, Record]]:
    """Two faults of what was dealt, of the end of a deal and of a result: row, first code, other code, record."""
    found: list[tuple[str, str, str, Record]] = []

    def add(
        row: str,
        first: str,
        other: str,
        *deals: Deal,
        result: Result | None = None,
        sheet: str = "bezique",
    ) -> None:
        record = record_of(list(deals), sheet=sheet)
        record.result = result
        found.append((row, first, other, record))

    dealt = "what was dealt"
    add(dealt, "wrong-number-of-hands", "wrong-hand-size", _dealt([_HANDS[0][:7]], "8C"))
    add(dealt, "wrong-hand-size", "turn-up-missing", _dealt([_HANDS[0][:7], _HANDS[1]], None))
    add(dealt, "turn-up-missing", "too-many-copies", _dealt([["AS"] * 8, _HANDS[1]], None))
    add(
        dealt,
        "too-many-copies",
        "wrong-stock-size",
        _dealt([["AS"] * 8, _HANDS[1]], "8C", stock=["8C"]),
    )
    add(dealt, "wrong-dealer", "wrong-hand-size",
        deal_of(LAST, TRICK), Deal(dealer=1, knowledge="full", hands=[_HANDS[0][:7], _HANDS[1]], turn_up="8C"))  # fmt: skip
    over = deal_of("N: AS | S: TS | trump H | brisques 3 1", "N AS, S TS, N counts 2 brisques 20")
    over.claims = Claims(scores=[0, 0])
    add("the end of a deal", "wrong-brisques", "wrong-deal-scores", over)
    won = Result(status="unfinished", scores=[0, 0], winner=1)
    add("`result`", "wrong-result-scores", "wrong-winner", deal_of(_WON_OVER, TRICK), result=won)
    named = Result(status="unfinished", winner=1)
    add("`result`", "wrong-winner", "wrong-status", deal_of(_WON_OVER, TRICK), result=named)
    settled = Result(status="unfinished", settlement=[0, 0])
    add(
        "`result`",
        "settlement-not-in-rules",
        "wrong-status",
        deal_of(_WON_OVER, TRICK),
        result=settled,
    )
    for record in [one[3] for one in found]:
        for deal in record.deals:
            deal.knowledge = "full"
    return found
